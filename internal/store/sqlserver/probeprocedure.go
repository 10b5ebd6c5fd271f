package sqlserver

import (
	"context"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// askProcedures finds the procedures whose names begin with the table's, and
// whether this login may call them.
const askProcedures = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(nvarchar(128), o.[name]) AS [name],
       CONVERT(int, HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(o.[schema_id])) + N'.' + QUOTENAME(o.[name]), 'OBJECT', 'EXECUTE')) AS [execute]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    sys.objects AS t
    JOIN sys.objects AS o
        ON o.[schema_id] = t.[schema_id] AND o.[type] = 'P' AND LEFT(o.[name], LEN(t.[name]) + 1) = t.[name] + N'_'
) ON t.[object_id] = OBJECT_ID(@table);`

// procedures asks for procedures where this login may not write the tables itself.
// Most may, or only watch, and pay nothing or one round trip for it.
func (p *prober) procedures(ctx context.Context) error {
	if p.mayWrite() {
		return nil
	}
	rows, err := p.may(ctx, "procedures")
	p.callable = map[string]bool{}
	for _, r := range rows {
		if r.Int("execute").N == 1 {
			p.callable[strings.ToLower(r.Text("name"))] = true // Babelfish folds names
		}
	}
	return err
}

// mayWrite reports whether the login has every right that a statement of leasetop
// needs.
func (p *prober) mayWrite() bool {
	for _, c := range p.workWrites() {
		if !p.columns[c.Name].mayWrite {
			return false
		}
	}
	return p.mayInsert && (p.m.History.IsZero() || p.mayRecord)
}

// calls reports whether every one of the operations that the table can have may be
// called as its procedure, and takes those forms.
func (p *prober) calls(ops []store.Op) bool {
	var forms []store.Op
	for _, op := range ops {
		if _, _, err := p.d.render(op, p.m, &p.caps); err != nil {
			continue
		}
		if !p.callable[strings.ToLower(procedureTable(p.m, op).Name)] {
			return false
		}
		forms = append(forms, op)
	}
	for _, op := range forms {
		form := formProcedure
		if direct := p.caps.Form[string(op)]; direct != "" {
			form += "-" + direct
		}
		p.caps.Form[string(op)] = form
	}
	return len(forms) > 0
}

// throughProcedures is a verdict on writing, with what may be called instead of
// what may not be written. On Babelfish nothing is called: there a procedure has the
// rights of its caller, whoever owns it.
func (p *prober) throughProcedures(own, fit model.Verdict, ops []store.Op) model.Verdict {
	if own.OK || p.caps.Engine == Babelfish || !fit.OK || !p.calls(ops) {
		return own
	}
	return model.Yes()
}
