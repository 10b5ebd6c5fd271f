//go:build entra

package sqlserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/internal/dsn"
)

// machineTokens are the tokens of a sign-in that asks nobody. A credential is made
// once a tenant and keeps its tokens until they end.
func machineTokens(d dsn.DSN) (tokenFunc, error) {
	var (
		mu   sync.Mutex
		made = map[string]azcore.TokenCredential{}
	)
	return func(ctx context.Context, scope, tenant string) (string, error) {
		mu.Lock()
		cred, ok := made[tenant]
		if !ok {
			var err error
			if cred, err = credential(d, tenant); err != nil {
				mu.Unlock()
				return "", err
			}
			made[tenant] = cred
		}
		mu.Unlock()
		return tokenOf(ctx, cred, scope)
	}, nil
}

func tokenOf(ctx context.Context, cred azcore.TokenCredential, scope string) (string, error) {
	t, err := cred.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{scope}})
	return t.Token, err
}

// credential is who a DSN means, in the tenant that the server names unless the DSN
// names another.
func credential(d dsn.DSN, tenant string) (azcore.TokenCredential, error) {
	user, own, _ := strings.Cut(d.Get(msdsn.UserID), "@")
	for _, t := range []string{own, d.Get(dsn.Tenant)} {
		if t != "" {
			tenant = t
		}
	}
	switch d.Entra() {
	case dsn.EntraServicePrincipal, dsn.EntraApplication:
		return servicePrincipal(d, tenant, user)
	case dsn.EntraManagedIdentity, dsn.EntraMSI:
		o := &azidentity.ManagedIdentityCredentialOptions{}
		if r := d.Get(dsn.ResourceID); r != "" {
			o.ID = azidentity.ResourceID(r)
		} else if user != "" {
			o.ID = azidentity.ClientID(user)
		}
		return azidentity.NewManagedIdentityCredential(o)
	case dsn.EntraAzCli:
		return azidentity.NewAzureCLICredential(&azidentity.AzureCLICredentialOptions{TenantID: d.Get(dsn.Tenant)})
	case dsn.EntraEnvironment:
		return azidentity.NewEnvironmentCredential(nil)
	case dsn.EntraWorkload:
		return azidentity.NewWorkloadIdentityCredential(&azidentity.WorkloadIdentityCredentialOptions{
			ClientID: user, TenantID: own, TokenFilePath: d.Get(dsn.TokenFile),
		})
	}
	return azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{TenantID: d.Get(dsn.Tenant)})
}

func servicePrincipal(d dsn.DSN, tenant, client string) (azcore.TokenCredential, error) {
	path := d.Get(dsn.ClientCert)
	if path == "" {
		return azidentity.NewClientSecretCredential(tenant, client, d.Get(msdsn.Password), nil)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("clientcertpath: %w", err)
	}
	certs, key, err := azidentity.ParseCertificates(data, []byte(d.Get(msdsn.Password)))
	if err != nil {
		return nil, errors.New("clientcertpath: " + path + " holds no certificate with its key that can be read")
	}
	return azidentity.NewClientCertificateCredential(tenant, client, certs, key, nil)
}

// person is a credential that asks a person once and never by itself.
type person interface {
	azcore.TokenCredential
	Authenticate(context.Context, *policy.TokenRequestOptions) (azidentity.AuthenticationRecord, error)
}

// askPerson signs a person in now. Later tokens are renewed without a question;
// where they cannot be, that is an error and no surprise in front of the screen.
func askPerson(ctx context.Context, d dsn.DSN, say func(string)) (tokenFunc, error) {
	var (
		cred person
		err  error
	)
	if d.Entra() == dsn.EntraDeviceCode {
		cred, err = azidentity.NewDeviceCodeCredential(&azidentity.DeviceCodeCredentialOptions{
			ClientID: d.Get(dsn.ClientID), TenantID: d.Get(dsn.Tenant), DisableAutomaticAuthentication: true,
			UserPrompt: func(_ context.Context, m azidentity.DeviceCodeMessage) error {
				say(m.Message)
				return nil
			},
		})
	} else {
		say("a browser opens to sign in to " + d.String())
		cred, err = azidentity.NewInteractiveBrowserCredential(&azidentity.InteractiveBrowserCredentialOptions{
			ClientID: d.Get(dsn.ClientID), TenantID: d.Get(dsn.Tenant), LoginHint: d.Get(msdsn.UserID), DisableAutomaticAuthentication: true,
		})
	}
	if err != nil {
		return nil, err
	}
	if _, err := cred.Authenticate(ctx, &policy.TokenRequestOptions{Scopes: []string{resourceOf(d) + "/.default"}}); err != nil {
		return nil, err
	}
	return func(ctx context.Context, scope, _ string) (string, error) { return tokenOf(ctx, cred, scope) }, nil
}

// resourceOf is what a token for a server is asked for before the server was asked
// itself, by the cloud that its name is in.
func resourceOf(d dsn.DSN) string {
	host := strings.ToLower(d.Get(msdsn.Server))
	for _, cloud := range []string{"database.chinacloudapi.cn", "database.usgovcloudapi.net"} {
		if strings.Contains(host, cloud) {
			return "https://" + cloud + "/"
		}
	}
	return "https://database.windows.net/"
}
