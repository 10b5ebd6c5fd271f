//go:build entra

package sqlserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/dsn"
)

// TestEveryEntraWayHasItsCredential holds which credential a DSN means, and what it
// says where something is missing. Nothing is asked of a token service.
func TestEveryEntraWayHasItsCredential(t *testing.T) {
	tests := map[string]string{
		"fedauth=ActiveDirectoryDefault":                                                     "*azidentity.DefaultAzureCredential",
		"fedauth=activedirectorymsi":                                                         "*azidentity.ManagedIdentityCredential",
		"fedauth=ActiveDirectoryManagedIdentity&resource+id=/subscriptions/1":                "*azidentity.ManagedIdentityCredential",
		"fedauth=ActiveDirectoryServicePrincipal&user+id=client@tenant-2&password=hush":      "*azidentity.ClientSecretCredential",
		"fedauth=ActiveDirectoryApplication&user+id=client&clientcertpath=/no/such/file.pem": "clientcertpath",
		"fedauth=ActiveDirectoryAzCli":                                                       "*azidentity.AzureCLICredential",
		"fedauth=ActiveDirectoryEnvironment":                                                 "environment",
		"fedauth=ActiveDirectoryWorkloadIdentity&user+id=client@t&tokenfilepath=/t":          "*azidentity.WorkloadIdentityCredential",
	}
	for settings, want := range tests {
		d, err := dsn.Parse("sqlserver://db1?" + settings)
		if err != nil {
			t.Errorf("%s: %v", settings, err)
			continue
		}
		c, err := credential(d, "tenant-1")
		got := fmt.Sprintf("%T %v", c, err)
		if !strings.Contains(got, want) || strings.Contains(got, "hush") {
			t.Errorf("%s: %s, want %s", settings, got, want)
		}
	}
}
