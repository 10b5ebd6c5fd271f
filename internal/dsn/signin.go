package dsn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/microsoft/go-mssqldb/msdsn"
)

// The ways of signing in by Microsoft Entra, as fedauth names them.
const (
	EntraDefault          = "ActiveDirectoryDefault"
	EntraInteractive      = "ActiveDirectoryInteractive"
	EntraDeviceCode       = "ActiveDirectoryDeviceCode"
	EntraServicePrincipal = "ActiveDirectoryServicePrincipal"
	EntraApplication      = "ActiveDirectoryApplication" // another name of the same
	EntraManagedIdentity  = "ActiveDirectoryManagedIdentity"
	EntraMSI              = "ActiveDirectoryMSI" // another name of the same
	EntraAzCli            = "ActiveDirectoryAzCli"
	EntraEnvironment      = "ActiveDirectoryEnvironment"
	EntraWorkload         = "ActiveDirectoryWorkloadIdentity"
)

// Entras are all of them.
func Entras() []string {
	return []string{
		EntraDefault, EntraInteractive, EntraDeviceCode, EntraServicePrincipal, EntraApplication,
		EntraManagedIdentity, EntraMSI, EntraAzCli, EntraEnvironment, EntraWorkload,
	}
}

// Krb5 is the authenticator that signs in by Kerberos.
const Krb5 = "krb5"

// Entra is the way of signing in by Microsoft Entra in its own spelling; empty: it
// is none.
func (d DSN) Entra() string {
	for _, w := range Entras() {
		if strings.EqualFold(w, d.settings[FedAuth]) {
			return w
		}
	}
	return ""
}

// Kerberos reports whether the sign-in is by Kerberos.
func (d DSN) Kerberos() bool { return d.settings[Authenticator] == Krb5 }

// AsksAPerson reports whether signing in opens a browser or shows a code.
func (d DSN) AsksAPerson() bool {
	return slices.Contains([]string{EntraInteractive, EntraDeviceCode}, d.Entra())
}

// NeedsPassword reports whether the server is to be told a password that is not
// there: a login is named and no other way of proving it.
func (d DSN) NeedsPassword() bool {
	if d.settings[msdsn.Password] != "" || d.settings[msdsn.UserID] == "" {
		return false
	}
	switch d.Entra() {
	case "":
		return !d.Kerberos() && !slices.Contains([]string{"winsspi"}, d.settings[Authenticator])
	case EntraServicePrincipal, EntraApplication:
		return d.settings[ClientCert] == ""
	}
	return false
}

// signIn is why the sign-in cannot be as the DSN says.
func (d DSN) signIn() error {
	s := d.settings
	way, how := s[FedAuth], d.Entra()
	switch {
	case way != "" && how == "":
		return fmt.Errorf("fedauth cannot be %q; it is one of %s", way, strings.Join(Entras(), ", "))
	case way != "" && s[Authenticator] != "":
		return fmt.Errorf("it has both fedauth and authenticator: sign in one way")
	case (how == EntraServicePrincipal || how == EntraApplication) && s[msdsn.UserID] == "":
		return fmt.Errorf("fedauth=%s needs the user: client id, or client id@tenant id", how)
	case s[Authenticator] != "" && !slices.Contains([]string{Krb5, "ntlm", "winsspi"}, s[Authenticator]):
		return fmt.Errorf("authenticator cannot be %q; it is krb5, ntlm or winsspi", s[Authenticator])
	}
	return nil
}
