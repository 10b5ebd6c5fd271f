package sqlserver

import (
	"cmp"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/model"
)

// Timeouts where the DSN says nothing. A read that hangs is left by its deadline
// long before; this only ends what was left behind, such as a login that never
// answers.
const (
	dialTimeout = 5 * time.Second
	readTimeout = 30 * time.Second
)

// parse reads a DSN and fills in what leasetop wants where it says nothing:
// encryption with a checked certificate, the program's name, short timeouts.
func parse(dsn string, o Options) (msdsn.Config, error) {
	cfg, err := msdsn.Parse(dsn)
	if err != nil {
		return cfg, badDSN(dsn, err.Error())
	}
	if why := unfit(dsn, cfg.Parameters); why != "" {
		return cfg, badDSN(dsn, why)
	}
	if _, said := cfg.Parameters[msdsn.Encrypt]; !said {
		if cfg, err = msdsn.Parse(with(dsn, "encrypt", "true")); err != nil {
			return cfg, badDSN(dsn, err.Error())
		}
	}
	if strings.EqualFold(cfg.Parameters[msdsn.ApplicationIntent], "ReadOnly") && !cfg.ReadOnlyIntent {
		if cfg.Database == "" {
			return cfg, badDSN(dsn, "ApplicationIntent=ReadOnly needs a database")
		}
		cfg.ReadOnlyIntent = true // the driver takes one spelling only and drops the others
	}
	if cfg.Password == "" {
		cfg.Password = o.Password
	}
	if cfg.Parameters[msdsn.AppName] == "" {
		cfg.AppName = strings.TrimSpace(cmp.Or(o.AppName, "leasetop") + " " + o.Version)
	}
	if cfg.Parameters[msdsn.DialTimeout] == "" {
		cfg.DialTimeout = dialTimeout
	}
	if cfg.Parameters[msdsn.ConnectionTimeout] == "" {
		cfg.ConnTimeout = readTimeout
	}
	cfg.LogFlags = 0 // it would write across the screen
	return cfg, nil
}

// unfit is why a DSN that the driver can read is not for us.
func unfit(dsn string, params map[string]string) string {
	switch {
	case strings.Contains(dsn, "://") && !strings.HasPrefix(dsn, "sqlserver://"):
		return "its scheme is not sqlserver://"
	case params[msdsn.Server] == "":
		return "it names no server"
	case params["fedauth"] != "":
		return "this build signs in by password, by NTLM or by Windows, not by Microsoft Entra (fedauth)"
	}
	return ""
}

// with adds a setting to a DSN that has been read without error.
func with(dsn, key, value string) string {
	if !strings.HasPrefix(dsn, "sqlserver://") {
		return strings.TrimRight(dsn, "; ") + ";" + key + "=" + value
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return dsn
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += key + "=" + value
	return u.String()
}

func badDSN(dsn, why string) error {
	return &model.Fault{
		Class: model.FaultTarget, Text: "the DSN cannot be used: " + mask(dsn, why),
		Cure: "write sqlserver://user@host:1433?database=Shop and give the password in LEASETOP_PASSWORD",
	}
}

// secrets are the places where a DSN can hold a password, in all its forms and
// also where it is badly written.
var secrets = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*\{((?:[^}]|\}\})*)\}`),
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*"((?:[^"]|"")*)"`),
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*'((?:[^']|'')*)'`),
	regexp.MustCompile(`(?i)(?:password|pwd)\s*=\s*([^;&]*)`),
	regexp.MustCompile(`://[^/@:]*:([^@]*)@`),
	regexp.MustCompile(`://[^/@:]*:(.*)@`),
}

// mask takes every password of the DSN out of a text about it. A text that holds
// the DSN as a whole says nothing that can be kept.
func mask(dsn, text string) string {
	if dsn != "" && strings.Contains(text, dsn) {
		return "it cannot be read"
	}
	for _, re := range secrets {
		for _, m := range re.FindAllStringSubmatch(dsn, -1) {
			for _, s := range []string{m[1], decoded(m[1])} {
				if s != "" {
					text = strings.ReplaceAll(text, s, "***")
				}
			}
		}
	}
	return text
}

func decoded(s string) string {
	d, err := url.QueryUnescape(s)
	if err != nil {
		return ""
	}
	return d
}

// encrypted is the state of the connections, for the header.
func encrypted(cfg msdsn.Config) string {
	switch {
	case cfg.Encryption == msdsn.EncryptionDisabled, cfg.Encryption == msdsn.EncryptionOff:
		return "plain"
	case cfg.TrustServerCertificate:
		return "TLS, certificate not checked"
	}
	return "TLS"
}

// ServerName is a server for eyes and for the bound of statements in flight: host,
// instance or port, and database. No secret is in it; a DSN that cannot be read
// has the name "sqlserver".
func ServerName(dsn string) string {
	cfg, err := msdsn.Parse(dsn)
	if err != nil || cfg.Host == "" {
		return Engine
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
