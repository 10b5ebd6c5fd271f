package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/internal/dsn"
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

	server   dsn.DSN // without its password
	password string
}

// ParseDSN reads sqlite:PATH or the address of a SQL Server in one of its forms:
// sqlserver://user@host:1433?database=orders, server=host;user id=user;database=orders
// or odbc:server=host;uid=user;database=orders. Its errors never quote the DSN,
// since that may hold a password.
func ParseDSN(s string) (Target, error) {
	scheme, rest, _ := strings.Cut(s, ":")
	if strings.EqualFold(scheme, EngineSQLite) {
		path := strings.TrimPrefix(rest, "//")
		if path == "" {
			return Target{}, errors.New("it names no file; write sqlite:PATH")
		}
		return Target{Engine: EngineSQLite, Path: path}, nil
	}
	if !dsn.Is(s) {
		return Target{}, errors.New("it must begin with sqlserver:// or sqlite:, or be settings such as server=host;user id=me;database=orders")
	}
	d, err := dsn.Parse(s)
	if err != nil {
		return Target{}, explain(err)
	}
	return Target{Engine: EngineSQLServer, server: d.Without(msdsn.Password), password: d.Get(msdsn.Password)}, nil
}

// explain adds what was probably meant. A setting is named only where it is nearly
// one that there is: else it may be the rest of a password.
func explain(err error) error {
	var unknown *dsn.UnknownError
	if errors.As(err, &unknown) {
		if near := Meant(unknown.Key, dsn.Keys()); strings.HasPrefix(near, "did you mean") {
			return fmt.Errorf("unknown setting %q; %s", unknown.Key, near)
		}
	}
	if strings.Contains(err.Error(), "names no server") {
		return errors.New("it names no host; write sqlserver://user@host:1433?database=orders")
	}
	if strings.Contains(err.Error(), "invalid URL format") {
		return errors.New("it is not a URL such as sqlserver://user@host:1433?database=orders; escape special characters of a password as %XX, or give it in LEASETOP_PASSWORD")
	}
	return err
}

// HasPassword reports whether the DSN came with a password of its own.
func (t Target) HasPassword() bool { return t.password != "" }

// NeedsPassword reports whether the server is to be told a password that is not
// there: a login is named and no other way of proving it.
func (t Target) NeedsPassword() bool {
	return t.Engine == EngineSQLServer && t.password == "" && t.server.NeedsPassword()
}

// User is the login that the DSN names.
func (t Target) User() string { return t.server.Get(msdsn.UserID) }

// WithPassword is the target with a password.
func (t Target) WithPassword(p string) Target {
	t.password = p
	return t
}

// Reveal is the DSN as the driver needs it, secret included: for opening only.
func (t Target) Reveal() string {
	switch {
	case t.Engine != EngineSQLServer:
		return t.Path
	case t.password == "":
		return t.server.Text()
	}
	return t.server.With(msdsn.Password, t.password).Text()
}

// DSN is the target as it can be configured, without its password.
func (t Target) DSN() string {
	if t.Engine != EngineSQLServer {
		return EngineSQLite + ":" + t.Path
	}
	return t.server.URL()
}

// String is the server's name for eyes: the file, or the host and the database.
func (t Target) String() string {
	if t.Engine != EngineSQLServer {
		return t.Path
	}
	return t.server.String()
}

// GoString keeps the secret out of %#v.
func (t Target) GoString() string { return fmt.Sprintf("config.Target(%q)", t.String()) }
