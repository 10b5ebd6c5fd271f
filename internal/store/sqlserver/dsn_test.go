package sqlserver

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/dsn"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

const pw = "hunter2-Secret"

func TestDSNForms(t *testing.T) {
	tests := map[string]struct {
		dsn                    string
		name, encrypted        string
		user, password, dbName string
	}{
		"URL":              {"sqlserver://ops:" + pw + "@db1:1433?database=Shop", "db1/Shop", "TLS", "ops", pw, "Shop"},
		"URL, no password": {"sqlserver://ops@db1:1444?database=Shop", "db1:1444/Shop", "TLS", "ops", "from-env", "Shop"},
		"URL, instance":    {"sqlserver://ops:" + pw + "@db1/SQLEXPRESS", `db1\SQLEXPRESS`, "TLS", "ops", pw, ""},
		"ADO":              {"server=db1;user id=ops;password=" + pw + ";database=Shop", "db1/Shop", "TLS", "ops", pw, "Shop"},
		"ADO, quoted":      {`server=db1;user id=ops;password="a;b";database=Shop;`, "db1/Shop", "TLS", "ops", "a;b", "Shop"},
		"ODBC":             {"odbc:server=db1;user id=ops;password={a;b};database=Shop", "db1/Shop", "TLS", "ops", "a;b", "Shop"},
		"asked for plain":  {"sqlserver://ops@db1?encrypt=disable", "db1", "plain", "ops", "from-env", ""},
		"asked for trust":  {"sqlserver://ops@db1?TrustServerCertificate=true", "db1", "TLS, certificate not checked", "ops", "from-env", ""},
		"login only":       {"sqlserver://ops@db1?encrypt=false", "db1", "plain", "ops", "from-env", ""},
		"strict":           {"sqlserver://ops@db1?encrypt=strict", "db1", "TLS", "ops", "from-env", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			cfg, _, err := parse(tc.dsn, Options{Version: "1.2.3", Password: "from-env"})
			if err != nil {
				t.Fatal(err)
			}
			d, err := dsn.Parse(tc.dsn)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.String(); got != tc.name {
				t.Errorf("server %q, want %q", got, tc.name)
			}
			if got := encrypted(cfg); got != tc.encrypted {
				t.Errorf("encrypted %q, want %q", got, tc.encrypted)
			}
			if cfg.User != tc.user || cfg.Password != tc.password || cfg.Database != tc.dbName {
				t.Errorf("user %q, password %q, database %q", cfg.User, cfg.Password, cfg.Database)
			}
			if cfg.AppName != "leasetop 1.2.3" || cfg.DialTimeout != dialTimeout || cfg.ConnTimeout != readTimeout {
				t.Errorf("app %q, dial %v, read %v", cfg.AppName, cfg.DialTimeout, cfg.ConnTimeout)
			}
		})
	}
}

func TestDSNKeepsWhatItSays(t *testing.T) {
	cfg, _, err := parse("sqlserver://ops@db1?app+name=jump&dial+timeout=1&connection+timeout=7&log=255&database=Shop&applicationintent=readonly", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.AppName != "jump" || cfg.DialTimeout.Seconds() != 1 || cfg.ConnTimeout.Seconds() != 7 {
		t.Errorf("app %q, dial %v, read %v", cfg.AppName, cfg.DialTimeout, cfg.ConnTimeout)
	}
	if !cfg.ReadOnlyIntent {
		t.Error("an intent in another spelling was dropped")
	}
	if cfg.LogFlags != 0 {
		t.Error("the driver would write across the screen")
	}
}

// TestWrongDSN holds that a DSN that cannot be used is a target's fault with a
// cure, and that no part of a password is in it.
func TestWrongDSN(t *testing.T) {
	tests := map[string]struct{ dsn, why string }{
		"a scheme of others":     {"mysql://ops:" + pw + "@db1/Shop", "sqlserver://"},
		"no server":              {"user id=ops;password=" + pw, "names no server"},
		"nothing":                {"", "names no server"},
		"a word":                 {"db1", "names no server"},
		"a port that is none":    {"sqlserver://ops:" + pw + "@db1:99999", "port"},
		"a URL that is none":     {"sqlserver://ops:" + pw + "%zz@db1", "URL"},
		"encrypt":                {"sqlserver://ops:" + pw + "@db1?encrypt=maybe", "encrypt"},
		"the password as port":   {"server=db1;password=" + pw + ";port=" + pw, "port"},
		"a key twice":            {"sqlserver://ops:" + pw + "@db1?database=a&database=b", "database"},
		"ODBC that never ends":   {"odbc:server=db1;password={" + pw, ""},
		"Entra, no such way":     {"sqlserver://ops:" + pw + "@db1?fedauth=ActiveDirectoryMagic", "ActiveDirectoryDefault"},
		"Entra, nobody is asked": {"sqlserver://ops:" + pw + "@db1?fedauth=ActiveDirectoryInteractive", "nobody was asked"},
		"Entra and Kerberos":     {"sqlserver://db1?fedauth=ActiveDirectoryDefault&authenticator=krb5", "one way"},
		"another authenticator":  {"sqlserver://db1?authenticator=spnego", "krb5"},
		"an unknown setting":     {"sqlserver://ops:" + pw + "@db1?databse=Shop", "not known"},
		"a password in pieces":   {"server=db1;user id=ops;password=a;" + pw + ";database=Shop", "quotes"},
		"read-only, no database": {"sqlserver://ops:" + pw + "@db1?applicationintent=readonly", "database"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			db, err := Open(tc.dsn, Options{})
			if err == nil {
				db.Close()
				t.Fatal("it was taken")
			}
			f := faultOf(t, err)
			if f.Class != model.FaultTarget || f.Cure == "" || !strings.Contains(f.Text, tc.why) {
				t.Errorf("%+v, want %q", f, tc.why)
			}
			for _, secret := range []string{pw, "hunter2", "Secret"} {
				if strings.Contains(f.Error(), secret) {
					t.Errorf("the password is in %q", f.Error())
				}
			}
		})
	}
}

func FuzzDSNTellsNoSecret(f *testing.F) {
	for _, s := range []string{"sqlserver://ops:%s@db1:x", "server=db1;password=%s;port=x", "odbc:server=db1;pwd={%s};port=x", "sqlserver://%s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, form string) {
		if strings.Count(form, "%s") != 1 || !strings.Contains(form, ":%s@") && !strings.Contains(form, "password=%s;") {
			return
		}
		dsn := strings.Replace(form, "%s", pw, 1)
		if _, err := Open(dsn, Options{}); err != nil && strings.Contains(err.Error(), pw) {
			t.Errorf("%q: %v", dsn, err)
		}
	})
}

// TestTLS holds that the certificate is checked unless the DSN says otherwise, and
// that a strange one is a named state with its cure. It needs a real socket.
func TestTLS(t *testing.T) {
	s := tdstest.New(t, func(r tdstest.Request) tdstest.Reply {
		a, _ := facts{}.answer(t, r)
		return a
	})
	cert, addr := s.Secure(), s.Listen()
	probe := func(dsn string) (model.Caps, error) {
		db, err := Open(dsn, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		return db.Queue(*facts{}.mapping(t)).Probe(t.Context())
	}
	if c, err := probe("sqlserver://sa:x@" + addr + "?certificate=" + cert); err != nil || c.Encrypted != "TLS" {
		t.Errorf("a certificate that is trusted: %q, %v", c.Encrypted, err)
	}
	if c, err := probe("sqlserver://sa:x@" + addr + "?TrustServerCertificate=true"); err != nil || c.Encrypted != "TLS, certificate not checked" {
		t.Errorf("any certificate: %q, %v", c.Encrypted, err)
	}
	_, err := probe("sqlserver://sa:x@" + addr)
	if f := faultOf(t, err); f.Class != model.FaultTarget || !strings.Contains(f.Cure, "certificate") {
		t.Errorf("a strange certificate: %+v", f)
	}
}

// TestAServerThatIsDown holds the fault of a port where nobody listens.
func TestAServerThatIsDown(t *testing.T) {
	s := tdstest.New(t, nil)
	addr := s.Listen()
	s.Close()
	db, err := Open("sqlserver://sa:x@"+addr+"?encrypt=disable", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Queue(*facts{}.mapping(t)).Probe(t.Context())
	if f := faultOf(t, err); f.Class != model.FaultNetwork || f.Cure == "" {
		t.Errorf("%+v", f)
	}
}

// TestPoolsAreTheirOwn holds that acts have one connection and no retry.
func TestPoolsAreTheirOwn(t *testing.T) {
	cfg, sign, err := parse(tdstest.DSN, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		conns int
		once  bool
	}{{readers, false}, {workers, true}, {controls, true}} {
		db, err := pool(cfg, sign, nil, p.conns, p.once)()
		if err != nil {
			t.Fatal(err)
		}
		if n := db.Stats().MaxOpenConnections; n != p.conns {
			t.Errorf("%d connections, want %d", n, p.conns)
		}
		db.Close()
	}
	if cfg.DisableRetry {
		t.Error("the shared settings were changed")
	}
	if store.MaxAbandoned < readers {
		t.Error("one look could use up all calls that may hang")
	}
}
