package sqlserver

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/internal/dsn"
	"github.com/leasetop/leasetop/model"
)

// Timeouts where the DSN says nothing. A read that hangs is left by its deadline
// long before; this only ends what was left behind, such as a login that never
// answers.
const (
	dialTimeout = 5 * time.Second
	readTimeout = 30 * time.Second
)

// settings reads a DSN and fills in what leasetop wants where it says nothing:
// encryption with a checked certificate, the program's name, short timeouts.
func settings(text string, o Options) (dsn.DSN, error) {
	d, err := dsn.Parse(text)
	if err != nil {
		return d, badDSN(err)
	}
	if d.Get(msdsn.Password) == "" && o.Password != "" {
		d = d.With(msdsn.Password, o.Password)
	}
	app := strings.TrimSpace(cmp.Or(o.AppName, "leasetop") + " " + o.Version)
	return d.Or(msdsn.Encrypt, "true").
		Or(msdsn.AppName, app).
		Or(msdsn.DialTimeout, seconds(dialTimeout)).
		Or(msdsn.ConnectionTimeout, seconds(readTimeout)).
		Without(msdsn.LogParam), nil // it would write across the screen
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) }

// parse is settings as the driver takes them, and how its connections sign in.
func parse(text string, o Options) (msdsn.Config, maker, error) {
	d, err := settings(text, o)
	if err != nil {
		return msdsn.Config{}, nil, err
	}
	sign, err := signer(d, o.Identity)
	if err != nil {
		return msdsn.Config{}, nil, err
	}
	cfg, err := d.Config()
	if err != nil {
		return cfg, nil, badDSN(err)
	}
	return cfg, sign, nil
}

func badDSN(err error) error {
	return &model.Fault{
		Class: model.FaultTarget, Text: "the DSN cannot be used: " + err.Error(),
		Cure: "write sqlserver://user@host:1433?database=Shop and give the password in LEASETOP_PASSWORD",
	}
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
