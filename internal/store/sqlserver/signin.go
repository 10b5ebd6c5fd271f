package sqlserver

import (
	"context"
	"errors"
	"strings"

	mssql "github.com/microsoft/go-mssqldb"
	_ "github.com/microsoft/go-mssqldb/integratedauth/krb5" // authenticator=krb5
	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/internal/dsn"
	"github.com/leasetop/leasetop/model"
)

// Identity is who a person signed in as, by a browser or a code. One serves every
// connection of a server: nobody is asked twice.
type Identity struct {
	token tokenFunc
}

// tokenFunc gives an access token for a resource of a tenant. An empty tenant
// leaves it to the credential.
type tokenFunc func(ctx context.Context, scope, tenant string) (string, error)

// SignIn asks a person to sign in where the DSN wants that, before a screen is
// open: say prints where to go and what to type. Other ways of signing in ask
// nobody and give nil.
func SignIn(ctx context.Context, text string, say func(string)) (*Identity, error) {
	d, err := dsn.Parse(text)
	if err != nil {
		return nil, badDSN(err)
	}
	if !d.AsksAPerson() {
		return nil, nil
	}
	token, err := askPerson(ctx, d, say)
	if err != nil {
		return nil, signInFault(err)
	}
	return &Identity{token: token}, nil
}

// maker makes the driver's connector of a connection's settings.
type maker func(msdsn.Config) (*mssql.Connector, error)

// signer says how connections sign in: by password or the operating system's own
// way, by Kerberos, or with tokens of Microsoft Entra.
func signer(d dsn.DSN, id *Identity) (maker, error) {
	switch {
	case d.Entra() == "":
		return func(cfg msdsn.Config) (*mssql.Connector, error) { return mssql.NewConnectorConfig(cfg), nil }, nil
	case d.AsksAPerson() && id == nil:
		return nil, badDSN(errors.New("fedauth=" + d.Entra() + " asks a person, and nobody was asked here"))
	}
	token := tokenFunc(nil)
	if id != nil {
		token = id.token
	} else {
		made, err := machineTokens(d)
		if err != nil {
			return nil, signInFault(err)
		}
		token = made
	}
	return entra(d, shared(token)), nil
}

// entra makes connectors whose logins carry a token for what the server itself
// names as its resource and its tenant.
func entra(d dsn.DSN, token tokenFunc) maker {
	workflow := byte(mssql.FedAuthADALWorkflowPassword)
	if how := d.Entra(); how == dsn.EntraManagedIdentity || how == dsn.EntraMSI {
		workflow = mssql.FedAuthADALWorkflowMSI
	}
	return func(cfg msdsn.Config) (*mssql.Connector, error) {
		return mssql.NewActiveDirectoryTokenConnector(cfg, workflow, func(ctx context.Context, spn, sts string) (string, error) {
			t, err := token(ctx, scopeOf(spn), tenantOf(sts))
			if err != nil {
				return "", signInFault(err)
			}
			return t, nil
		})
	}
}

// scopeOf is a resource as tokens are asked for.
func scopeOf(spn string) string {
	const all = "/.default"
	if strings.HasSuffix(spn, all) {
		return spn
	}
	return spn + all
}

// tenantOf is the tenant in the address of the token service that a server names:
// https://login.microsoftonline.com/tenant.
func tenantOf(sts string) string {
	sts = strings.TrimSuffix(sts, "/")
	return sts[strings.LastIndexByte(sts, '/')+1:]
}

// signInFault is why there is no token. A refusal is not tried again by itself;
// that the token service did not answer is.
func signInFault(err error) *model.Fault {
	var f *model.Fault
	if errors.As(err, &f) {
		return f
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &model.Fault{
			Class: model.FaultNetwork, Text: "no token of Microsoft Entra: the token service has not answered yet",
			Cure: "check the way to login.microsoftonline.com; it is tried again",
		}
	}
	return &model.Fault{
		Class: model.FaultLogin, Text: "no token of Microsoft Entra: " + text,
		Cure: "check fedauth and what it names, sign in anew and start leasetop again; it is not tried again by itself",
	}
}
