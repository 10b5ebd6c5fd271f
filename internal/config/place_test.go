package config_test

import (
	"testing"

	"github.com/leasetop/leasetop/internal/config"
)

// TestAWrongDSNHasItsPlace holds that a DSN in a file is read at once: each mistake
// has its line and column and what was meant, and no secret.
func TestAWrongDSNHasItsPlace(t *testing.T) {
	for dsn, want := range map[string]string{
		`sqlserver://db1?databse=Shop`:                `unknown setting "databse"; did you mean "database"?`,
		`sqlserver://db1?applicationintent=ReadOnly`:  `ApplicationIntent=ReadOnly needs a database`,
		`sqlserver://db1?fedauth=ActiveDirectoryMsi2`: `fedauth cannot be "ActiveDirectoryMsi2"; it is one of ActiveDirectoryDefault, ActiveDirectoryInteractive, ActiveDirectoryDeviceCode, ActiveDirectoryServicePrincipal, ActiveDirectoryApplication, ActiveDirectoryManagedIdentity, ActiveDirectoryMSI, ActiveDirectoryAzCli, ActiveDirectoryEnvironment, ActiveDirectoryWorkloadIdentity`,
		`server=db1;password=a;hunter2xyz`:            `it has a setting that is not known; a value with a semicolon wants quotes around it`,
		`user id=ops`:                                 `it names no host; write sqlserver://user@host:1433?database=orders`,
		`db1.example`:                                 `it must begin with sqlserver:// or sqlite:, or be settings such as server=host;user id=me;database=orders`,
	} {
		_, err := config.Parse("c.yaml", []byte("servers:\n  s:\n    dsn: \""+dsn+"\"\n"), nil)
		if want := "c.yaml:3:10: server s: dsn: " + want; err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
