package dsn_test

import (
	"strings"
	"testing"

	"github.com/microsoft/go-mssqldb/msdsn"
	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/internal/dsn"
)

// TestFormsSayTheSame holds that a server is the same in all three forms, and in
// the form that the driver is given.
func TestFormsSayTheSame(t *testing.T) {
	forms := []string{
		`sqlserver://CORP%5Cops:a%3Bb%22c@db1:1444?database=Shop&app+name=jump`,
		`SQLServer://db1:1444?uid=CORP%5Cops&pwd=a%3Bb%22c&database=Shop&app=jump`,
		`Data Source=tcp:db1,1444;User ID=CORP\ops;Password="a;b""c";Initial Catalog=Shop;Application Name=jump`,
		`odbc:driver={ODBC Driver 18 for SQL Server};server=db1;port=1444;uid=CORP\ops;pwd={a;b"c};database=Shop;app=jump`,
	}
	for _, text := range forms {
		if !dsn.Is(text) {
			t.Errorf("%s is no DSN", text)
		}
		d, err := dsn.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		cfg, err := d.Config()
		if err != nil || cfg.User != `CORP\ops` || cfg.Password != `a;b"c` || cfg.Database != "Shop" || cfg.AppName != "jump" || d.String() != "db1:1444/Shop" {
			t.Errorf("%s: %q %q %q %q %s, %v", text, cfg.User, cfg.Password, cfg.Database, cfg.AppName, d, err)
		}
	}
	for _, text := range []string{"", "db1", "mysql://h?a=b", "sqlite:q.db"} {
		if dsn.Is(text) {
			t.Errorf("%q is taken for a server", text)
		}
	}
}

// TestNamesForEyes holds what stands in the breadcrumb.
func TestNamesForEyes(t *testing.T) {
	for text, want := range map[string]string{
		"sqlserver://db1/SQLEXPRESS?database=Shop": `db1\SQLEXPRESS/Shop`,
		"sqlserver://[::1]:1444":                   "::1:1444",
		"server=db1;database=Shop":                 "db1/Shop",
	} {
		if d, err := dsn.Parse(text); err != nil || d.String() != want {
			t.Errorf("%s is called %s, %v, want %s", text, d, err, want)
		}
	}
}

// TestURLsComeBack holds that a DSN written as a URL is the same server, and that no
// password is in it.
func TestURLsComeBack(t *testing.T) {
	for _, text := range []string{
		`sqlserver://CORP%5Cops:hush@db1:1444?app+name=j%26ump&database=Shop`, "sqlserver://db1/INST?encrypt=disable",
		"server=tcp:db1,1433;user id=a;password=hush;database=x y", "sqlserver://[::1]:1444?database=Shop",
	} {
		d, err := dsn.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		back, err := dsn.Parse(d.URL())
		if err != nil || back.Text() != d.Without(msdsn.Password).Text() || strings.Contains(d.URL(), "hush") {
			t.Errorf("%s comes back from %s as %s, %v", text, d.URL(), back.Text(), err)
		}
	}
}

// TestAnyValueSurvives holds that no value of a setting is changed on its way to
// the driver, nor can one become another setting.
func TestAnyValueSurvives(t *testing.T) {
	d, err := dsn.Parse("sqlserver://db1")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[ -~äß€;="{}'\\]{0,24}`).Draw(t, "value")
		cfg, err := d.With(msdsn.Password, value).With(msdsn.Encrypt, "true").Config()
		if err != nil || cfg.Password != value || cfg.Host != "db1" || cfg.Encryption != msdsn.EncryptionRequired {
			t.Fatalf("%q arrives as %q: %v", value, cfg.Password, err)
		}
	})
}

// TestNeedsPassword holds when a password has to be found before a login is tried.
func TestNeedsPassword(t *testing.T) {
	for text, want := range map[string]bool{
		"sqlserver://ops@db1":                                                      true,
		"sqlserver://ops:x@db1":                                                    false,
		"sqlserver://db1":                                                          false,
		"sqlserver://ops@db1?authenticator=krb5":                                   false,
		"sqlserver://ops@db1?authenticator=ntlm":                                   true,
		"sqlserver://ops@db1?fedauth=ActiveDirectoryDefault":                       false,
		"sqlserver://app@db1?fedauth=ActiveDirectoryServicePrincipal":              true,
		"sqlserver://app@db1?fedauth=ActiveDirectoryApplication&clientcertpath=/c": false,
	} {
		if d, err := dsn.Parse(text); err != nil || d.NeedsPassword() != want {
			t.Errorf("%s: %v, %v, want %v", text, d.NeedsPassword(), err, want)
		}
	}
}

// TestMistakesHaveNames holds what is said of a DSN that cannot be meant.
func TestMistakesHaveNames(t *testing.T) {
	for text, want := range map[string]string{
		"sqlserver://db1?encrypt=maybe":                                     "encrypt",
		"sqlserver://db1?applicationintent=read":                            "ReadOnly or ReadWrite",
		"sqlserver://db1?applicationintent=ReadOnly":                        "needs a database",
		"sqlserver://db1?fedauth=Magic":                                     "ActiveDirectoryDefault",
		"sqlserver://db1?fedauth=ActiveDirectoryServicePrincipal":           "client id",
		"sqlserver://db1?authenticator=krb":                                 "krb5",
		"sqlserver://db1?fedauth=ActiveDirectoryDefault&authenticator=krb5": "one way",
		"sqlserver://db1?databse=Shop":                                      "not known",
		"sqlserver://db1?database=%zz":                                      "%XX",
		"mysql://db1?database=Shop":                                         "scheme",
		"user id=ops":                                                       "names no server",
		"sqlserver:///inst":                                                 "names no server",
	} {
		if _, err := dsn.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
