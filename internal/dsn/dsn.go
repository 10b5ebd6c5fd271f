// Package dsn reads the address of a SQL Server in the three forms that people
// have at hand: URL, ADO and odbc. It mends nothing silently: a setting that the
// driver would ignore is a mistake with a name. No secret is in what it says.
package dsn

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/microsoft/go-mssqldb/msdsn"
)

// DSN is the settings of a DSN, whichever form they came in. It is a value: With
// and Without give another one.
type DSN struct{ settings map[string]string }

// UnknownError is a setting that the driver does not know, and would ignore. Its
// text does not name it: a password with a semicolon that nobody quoted looks like
// one.
type UnknownError struct{ Key string }

func (e *UnknownError) Error() string {
	return "it has a setting that is not known; a value with a semicolon wants quotes around it"
}

// Is reports whether a text looks like the address of a SQL Server at all.
func Is(text string) bool {
	lower := strings.ToLower(text)
	if strings.HasPrefix(lower, urlScheme) || strings.HasPrefix(lower, odbcPrefix) {
		return true
	}
	key, _, ok := strings.Cut(text, "=")
	return ok && !strings.Contains(key, "://")
}

const (
	urlScheme  = "sqlserver://"
	odbcPrefix = "odbc:"
)

// Parse reads a DSN. Its errors hold no secret and do not quote the DSN.
func Parse(text string) (DSN, error) {
	for _, prefix := range []string{urlScheme, odbcPrefix} { // the driver knows them in lower case only
		if len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
			text = prefix + text[len(prefix):]
		}
	}
	if strings.Contains(text, "://") && !strings.HasPrefix(text, urlScheme) {
		if key, _, _ := strings.Cut(text, "="); strings.Contains(key, "://") {
			return DSN{}, errors.New("its scheme is not sqlserver://")
		}
	}
	if strings.HasPrefix(text, urlScheme) {
		if err := checkURL(text); err != nil {
			return DSN{}, err
		}
	}
	cfg, err := msdsn.Parse(text)
	if err != nil && !intent(cfg.Parameters) {
		return DSN{}, errors.New(mask(text, err.Error()))
	}
	d := DSN{settings: map[string]string{}}
	for k, v := range cfg.Parameters {
		if other, ok := synonyms()[k]; ok {
			k = other
		}
		d.settings[k] = v
	}
	if err := d.check(); err != nil {
		return DSN{}, errors.New(mask(text, err.Error()))
	}
	return d, d.known()
}

// intent reports whether the only thing that the driver can mind is read-only
// intent without a database, which check says better.
func intent(params map[string]string) bool {
	return strings.EqualFold(params[msdsn.ApplicationIntent], "ReadOnly") && params[msdsn.Database] == ""
}

// check is what makes a DSN unfit that the driver would take.
func (d DSN) check() error {
	s := d.settings
	if s[msdsn.Server] == "" || strings.HasPrefix(s[msdsn.Server], `\`) {
		return errors.New("it names no server")
	}
	switch intent := s[msdsn.ApplicationIntent]; {
	case intent == "", strings.EqualFold(intent, "ReadWrite"):
	case !strings.EqualFold(intent, "ReadOnly"):
		return fmt.Errorf("ApplicationIntent cannot be %q; write ReadOnly or ReadWrite", intent)
	case s[msdsn.Database] == "":
		return errors.New("ApplicationIntent=ReadOnly needs a database")
	default:
		s[msdsn.ApplicationIntent] = "ReadOnly" // the driver takes one spelling only and drops the others
	}
	return d.signIn()
}

// known finds a setting that nobody reads, the first by its name.
func (d DSN) known() error {
	for _, k := range slices.Sorted(maps.Keys(d.settings)) {
		if !slices.Contains(Keys(), k) {
			return &UnknownError{Key: k}
		}
	}
	return nil
}

// Get is a setting by the driver's own name; empty when it is not said.
func (d DSN) Get(key string) string { return d.settings[key] }

// Has reports whether a setting is said.
func (d DSN) Has(key string) bool {
	_, ok := d.settings[key]
	return ok
}

// With is the DSN with a setting.
func (d DSN) With(key, value string) DSN {
	out := d.Without(key)
	out.settings[key] = value
	return out
}

// Or is the DSN with a setting where it says nothing of it.
func (d DSN) Or(key, value string) DSN {
	if d.Has(key) {
		return d
	}
	return d.With(key, value)
}

// Without is the DSN without a setting.
func (d DSN) Without(key string) DSN {
	out := DSN{settings: maps.Clone(d.settings)}
	if out.settings == nil {
		out.settings = map[string]string{}
	}
	delete(out.settings, key)
	return out
}

// Text is the DSN in the ADO form, secrets included: for the driver only.
func (d DSN) Text() string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(d.settings)) {
		fmt.Fprintf(&b, `%s="%s";`, k, strings.ReplaceAll(d.settings[k], `"`, `""`))
	}
	return b.String()
}

// URL is the DSN as a person writes it, without the password; in the ADO form where
// no URL can say it.
func (d DSN) URL() string {
	d = d.Without(msdsn.Password)
	server := d.Get(msdsn.Server)
	if strings.ContainsAny(server, ":,/ ") {
		return d.Text()
	}
	host, instance, _ := strings.Cut(server, `\`)
	if port := d.Get(msdsn.Port); port != "" {
		host += ":" + port
	}
	u := url.URL{Scheme: strings.TrimSuffix(urlScheme, "://"), Host: host, Path: instance}
	if d.Has(msdsn.UserID) {
		u.User = url.User(d.Get(msdsn.UserID))
	}
	q := url.Values{}
	for k, v := range d.settings {
		if !slices.Contains([]string{msdsn.Server, msdsn.Port, msdsn.UserID}, k) {
			q.Set(k, v)
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Config is the DSN as the driver takes it.
func (d DSN) Config() (msdsn.Config, error) {
	cfg, err := msdsn.Parse(d.Text())
	if err != nil {
		return cfg, errors.New(mask(d.Text(), err.Error()))
	}
	return cfg, nil
}

// String is the server for eyes: host, instance or port, and database. No secret
// is in it.
func (d DSN) String() string {
	cfg, err := d.Config()
	if err != nil || cfg.Host == "" {
		return "sqlserver"
	}
	name := cfg.Host
	if cfg.Instance != "" {
		name += `\` + cfg.Instance
	}
	if cfg.Port != 0 && cfg.Port != 1433 {
		name += ":" + strconv.FormatUint(cfg.Port, 10)
	}
	if cfg.Database != "" {
		name += "/" + cfg.Database
	}
	return name
}

// GoString keeps the secrets out of %#v.
func (d DSN) GoString() string { return fmt.Sprintf("dsn.DSN(%q)", d.String()) }
