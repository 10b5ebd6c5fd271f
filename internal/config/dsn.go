package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// The engines that a DSN can name.
const (
	EngineSQLServer = "sqlserver"
	EngineSQLite    = "sqlite"
)

// Target is the address of one server. Printing it shows no secret.
type Target struct {
	Engine string
	Path   string // the file of an embedded queue

	server   *url.URL // without its password
	password string
}

// ParseDSN reads sqlserver://user@host:1433?database=orders or sqlite:PATH. Its
// errors never quote the DSN, since that may hold a password.
func ParseDSN(s string) (Target, error) {
	scheme, rest, ok := strings.Cut(s, ":")
	switch strings.ToLower(scheme) {
	case EngineSQLite:
		path := strings.TrimPrefix(rest, "//")
		if !ok || path == "" {
			return Target{}, errors.New("it names no file; write sqlite:PATH")
		}
		return Target{Engine: EngineSQLite, Path: path}, nil
	case EngineSQLServer:
		return parseServer(s)
	}
	return Target{}, errors.New("it must begin with sqlserver:// or sqlite:")
}

func parseServer(s string) (Target, error) {
	u, err := url.Parse(s)
	if err != nil {
		return Target{}, errors.New("it is not a URL such as sqlserver://user@host:1433?database=orders; escape special characters of a password as %XX, or give it in LEASETOP_PASSWORD")
	}
	if u.Hostname() == "" {
		return Target{}, errors.New("it names no host; write sqlserver://user@host:1433?database=orders")
	}
	t := Target{Engine: EngineSQLServer}
	if u.User != nil {
		t.password, _ = u.User.Password()
		u.User = url.User(u.User.Username())
	}
	if err := t.takeSecrets(u); err != nil {
		return Target{}, err
	}
	t.server = u
	return t, nil
}

// takeSecrets moves a password out of the query.
func (t *Target) takeSecrets(u *url.URL) error {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("what follows its ? cannot be read; escape special characters as %XX")
	}
	for key := range q {
		switch strings.ToLower(key) {
		case "password", "pwd":
			t.password = q.Get(key)
			q.Del(key)
		case "user id", "uid":
			u.User = url.User(q.Get(key))
			q.Del(key)
		}
	}
	u.RawQuery = q.Encode()
	return nil
}

// HasPassword reports whether the DSN came with a password of its own.
func (t Target) HasPassword() bool { return t.password != "" }

// NeedsPassword reports whether the server is to be told a password that is not
// there: a login is named and no other way of proving it.
func (t Target) NeedsPassword() bool {
	return t.server != nil && t.password == "" && t.server.User != nil && t.server.User.Username() != "" &&
		!t.server.Query().Has("fedauth")
}

// WithPassword is the target with a password.
func (t Target) WithPassword(p string) Target {
	t.password = p
	return t
}

// Reveal is the DSN as the driver needs it, secret included: for opening only.
func (t Target) Reveal() string {
	if t.server == nil {
		return t.Path
	}
	u := *t.server
	if u.User != nil && t.password != "" {
		u.User = url.UserPassword(u.User.Username(), t.password)
	}
	return u.String()
}

// String is the server's name for eyes: the file, or the host and the database.
func (t Target) String() string {
	if t.server == nil {
		return t.Path
	}
	name := t.server.Host + strings.TrimSuffix(t.server.Path, "/")
	if db := t.server.Query().Get("database"); db != "" {
		name += "/" + db
	}
	return name
}

// GoString keeps the secret out of %#v.
func (t Target) GoString() string { return fmt.Sprintf("config.Target(%q)", t.String()) }
