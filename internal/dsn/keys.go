package dsn

import "github.com/microsoft/go-mssqldb/msdsn"

// Settings of signing in that the driver's own list does not name.
const (
	FedAuth       = "fedauth"             // Microsoft Entra: which way
	ClientID      = "applicationclientid" // Entra: the application that a person signs in to
	ClientCert    = "clientcertpath"      // Entra: a service principal's certificate
	ResourceID    = "resource id"         // Entra: a managed identity by its resource
	TokenFile     = "tokenfilepath"       // Entra: a workload identity's token
	Tenant        = "tenantid"            // Entra: the tenant, where the server's is not meant
	Authenticator = "authenticator"       // integrated: krb5, ntlm, winsspi
)

// Keys are the settings that are read, by the driver or by leasetop.
func Keys() []string {
	return []string{
		msdsn.Server, msdsn.Port, msdsn.Database, msdsn.UserID, msdsn.Password, msdsn.Protocol, msdsn.Pipe,
		msdsn.Encrypt, msdsn.TrustServerCertificate, msdsn.Certificate, msdsn.ServerCertificate, msdsn.TLSMin,
		msdsn.HostNameInCertificate, msdsn.PacketSize, msdsn.LogParam, msdsn.ConnectionTimeout, msdsn.DialTimeout,
		msdsn.KeepAlive, msdsn.ServerSpn, msdsn.WorkstationID, msdsn.AppName, msdsn.ApplicationIntent,
		msdsn.FailoverPartner, msdsn.FailOverPort, msdsn.FailoverPartnerSpn, msdsn.DisableRetry,
		msdsn.MultiSubnetFailover, msdsn.NoTraceID, msdsn.GuidConversion, msdsn.Timezone, msdsn.EpaEnabled,
		"columnencryption",
		FedAuth, ClientID, ClientCert, ResourceID, TokenFile, Tenant,
		Authenticator, "krb5-configfile", "krb5-keytabfile", "krb5-credcachefile", "krb5-realm",
		"krb5-dnslookupkdc", "krb5-udppreferencelimit",
		// What other drivers' DSNs carry and this one does by itself.
		"driver", "integrated security", "trusted_connection", "persist security info", "multipleactiveresultsets",
	}
}

// synonyms are other drivers' words for the same, which this driver knows in the
// ADO form alone.
func synonyms() map[string]string {
	return map[string]string{
		"uid": msdsn.UserID, "user": msdsn.UserID, "username": msdsn.UserID, "pwd": msdsn.Password,
		"app": msdsn.AppName, "application name": msdsn.AppName, "initial catalog": msdsn.Database,
		"data source": msdsn.Server, "address": msdsn.Server, "addr": msdsn.Server,
		"application intent": msdsn.ApplicationIntent, "trust server certificate": msdsn.TrustServerCertificate,
		"connect timeout": msdsn.ConnectionTimeout, "timeout": msdsn.ConnectionTimeout,
		"multi subnet failover": msdsn.MultiSubnetFailover, "host name in certificate": msdsn.HostNameInCertificate,
		"failover partner": msdsn.FailoverPartner, "server spn": msdsn.ServerSpn, "server certificate": msdsn.ServerCertificate,
		"wsid": msdsn.WorkstationID,
	}
}
