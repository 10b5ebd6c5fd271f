package sqlserver

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	mssql "github.com/microsoft/go-mssqldb"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// rule is what an error number means to a caller: who retries, and what to do.
type rule struct {
	class   model.FaultClass
	cure    string
	numbers []int32
}

// rules are the numbers that leasetop knows, by class.
func rules() []rule {
	return []rule{
		{model.FaultRaced, "nothing was changed; the next poll reads it again", []int32{1205, 1222, 3960, 3961, 601, 41301, 41302, 41305, 41325, 41839}},
		{model.FaultBusy, "wait: the server is busy, starting or moving", []int32{
			40613, 40197, 40501, 49918, 49919, 49920, 10928, 10929, 4221, 615, 926, 701, 802, 8645, 17142, 6005, 1204, 18401,
		}},
		{model.FaultBusy, "the server knows this login and cannot open the database, as after a failover: it is tried again; check its name in the DSN if it stays away", []int32{unopened}},
		{model.FaultDenied, "ask for the right that `leasetop sql` prints beside the statement", []int32{229, 230, 297, 300, 371, 262, 916}},
		{model.FaultLogin, "check the login, its password and its default database; it is not tried again by itself", []int32{
			18456, 18452, 18470, 18486, 18487, 18488, 4064, 40615, 18451,
		}},
		{model.FaultReshaped, "compare the table with its mapping; `leasetop doctor` names the difference", []int32{
			207, 208, 213, 245, 241, 8114, 8169, 4121, 2812, 195,
		}},
		{model.FaultRefused, "the server cannot run this statement as it stands; the other panels go on", []int32{
			334, 650, 1065, 1069, 4102, 8115, 517, 331, 332, 333, 3952, 102, 156, 547, 2627, 2601, 3609,
		}},
		{model.FaultRefused, "no index gives the seek that was demanded: `leasetop schema` prints the indexes", []int32{8622, 364}},
		{model.FaultRefused, "the value does not fit its column", []int32{8152, 2628}},
		{model.FaultRefused, "something of that name is there: Babelfish alters no procedure, there the old one has to be dropped first", []int32{2714}},
		{model.FaultReadOnly, "connect to the primary, or only watch here", []int32{3906, 976, 978, 983, 3908, 3951, 3953}},
		{model.FaultBraked, "", []int32{guardNumber}},
	}
}

// unopened is that the login was let in and its database was not there for it, which
// a failover ends by itself. No account is locked by trying again: its password was
// right. The server says so beside a refused login, which alone never is tried again.
const (
	unopened = 4060
	noLogin  = 18456
)

// guardNumber is what our own guard throws.
const guardNumber = 50000

// severed is the severity from which the server ends the connection.
const severed = 20

// Fault classifies an error of the driver. Only the last message is shown: it is
// the server's own text about this statement.
func (d Dialect) Fault(err error) *model.Fault {
	var f *model.Fault
	if errors.As(err, &f) {
		return f
	}
	var e mssql.Error
	if errors.As(err, &e) && e.Number != 0 {
		return d.serverFault(e)
	}
	return networkFault(err)
}

func (Dialect) serverFault(e mssql.Error) *model.Fault {
	if i := slices.IndexFunc(e.All, func(e mssql.Error) bool { return e.Number == unopened }); e.Number == noLogin && i >= 0 {
		e = e.All[i]
	}
	f := &model.Fault{Code: int(e.Number), Text: strings.TrimPrefix(e.Message, "login error: ")}
	for _, r := range rules() {
		if slices.Contains(r.numbers, e.Number) {
			f.Class, f.Cure = r.class, r.cure
			break
		}
	}
	if e.Number == foreignNumber {
		f.Class, f.Cure = foreign(e.Message)
	}
	if f.Class == model.FaultOther && e.Class >= severed {
		f.Class, f.Cure = model.FaultNetwork, "the server ended the connection; the next call opens another"
	}
	return f
}

// foreignNumber is what Babelfish gives an error of PostgreSQL that it has no number
// of SQL Server's for. The text is PostgreSQL's own.
const foreignNumber = 33557097

// foreign is what such an error means, as far as its text tells.
func foreign(text string) (class model.FaultClass, cure string) {
	var like int32
	switch {
	case strings.HasPrefix(text, "permission denied"), strings.HasPrefix(text, "must be owner"):
		like = 229
	case strings.HasSuffix(text, "does not exist"):
		like = 208
	}
	for _, r := range rules() {
		if slices.Contains(r.numbers, like) {
			return r.class, r.cure
		}
	}
	return model.FaultOther, ""
}

// networkFault is an error without a number: the connection, the certificate or
// the driver itself.
func networkFault(err error) *model.Fault {
	text := err.Error()
	var (
		op  *net.OpError
		dns *net.DNSError
		ca  x509.UnknownAuthorityError
		str mssql.StreamError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &model.Fault{Class: model.FaultHung, Text: "no answer within the deadline"}
	case errors.As(err, &ca), strings.Contains(text, "TLS Handshake failed"), strings.Contains(text, "x509:"):
		return &model.Fault{
			Class: model.FaultTarget, Text: text,
			Cure: "trust the server's certificate on this machine or name it by hostNameInCertificate=; encrypt=disable gives up encryption",
		}
	case errors.As(err, &dns) && dns.IsNotFound:
		return &model.Fault{Class: model.FaultTarget, Text: "the host " + dns.Name + " is not known", Cure: "check the server's name in the DSN"}
	case errors.As(err, &dns):
		return &model.Fault{Class: model.FaultNetwork, Text: "the host " + dns.Name + " cannot be looked up now", Cure: "check the name server; it is tried again"}
	case errors.As(err, &op) && op.Op == "dial":
		return &model.Fault{Class: model.FaultNetwork, Text: "no connection: " + op.Err.Error(), Cure: "check host, port and firewall; it is tried again"}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &op), errors.As(err, &str),
		strings.HasPrefix(text, "failed to send"): // the driver keeps the text alone
		return &model.Fault{Class: model.FaultNetwork, Text: "the connection broke: " + text, Cure: "the next call opens another"}
	case strings.HasPrefix(text, "invalid packet size"): // a packet of the server's protocol has none such
		return &model.Fault{
			Class: model.FaultNetwork, Text: "what answers there is no SQL Server, or the connection is disturbed: " + text, Cure: "check host and port; it is tried again",
		}
	}
	return &model.Fault{Class: model.FaultOther, Text: text}
}

// Late reports whether a server's own error leaves open that the change was made:
// it came from the SELECT that reads back what was captured, or the server ended
// the connection with it.
func (Dialect) Late(s store.Stmt, err error) bool {
	var e mssql.Error
	if !errors.As(err, &e) {
		return false
	}
	if e.Class >= severed || slices.Contains([]int32{40197, 6005}, e.Number) {
		return true
	}
	if isCall(s.Form) && s.Kind != store.Watch {
		return !slices.Contains(beforeCall(), e.Number)
	}
	return e.LineNo >= readBack(s)
}

// beforeCall are the errors that a call of a procedure meets before its statement
// changes anything: a right, the procedure itself, its parameters, its guard, a
// lock. Of any other nobody can say by its line where it came from.
func beforeCall() []int32 {
	return []int32{229, 2812, 201, 8144, 8145, 8114, guardNumber, 1205, 1222, 3906}
}

// readBack is the line on which reading back begins, beyond every line where
// nothing is read back.
func readBack(s store.Stmt) int32 {
	const never = 1 << 30
	if s.Kind == store.Watch || len(s.Texts) == 0 {
		return never
	}
	line := int32(never)
	for i, l := range strings.Split(s.Texts[0], "\n") {
		if strings.HasPrefix(l, "SELECT CONVERT(varchar(33), n.[now]") || strings.HasPrefix(l, "SELECT CONVERT(varchar(33), TODATETIMEOFFSET(n.[now]") {
			line = int32(i + 1) //nolint:gosec // a statement has a few dozen lines
		}
	}
	return line
}
