package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const payloadText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {payload} AS [payload],
       DATALENGTH({column}) AS [bytes],
       CASE WHEN DATALENGTH({column}) > DATALENGTH({part}) THEN 1 ELSE 0 END AS [cut]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN {table} AS q
    ON {where};`

// payload reads the beginning of a job's payload and its whole stored length. The
// bytes are the server's, two a character in an nvarchar, so whether something is
// missing is said apart.
func payload(t table) (sqltext.Part, error) {
	c := t.m.Column(model.RolePayload)
	if c.IsZero() {
		return sqltext.Part{}, errors.New("the mapping names no payload column")
	}
	column := within("q", c)
	switch {
	case baseOf(c.Declared) == "xml": // of which no part can be taken
		column = sqltext.Fill("CONVERT(nvarchar(max), {column})", sqltext.Holes{"column": column})
	case c.Type == model.Int: // nor of a number, a GUID or a time
		column = sqltext.Fill("CONVERT(varchar(20), {column})", sqltext.Holes{"column": column})
	case c.Type == model.Fraction, c.Type == model.GUID, c.Type == model.Time:
		column = read(c, column)
	}
	part := sqltext.Fill("SUBSTRING({column}, 1, @max)", sqltext.Holes{"column": column})
	shown := part
	if c.Type == model.Binary {
		shown = read(c, part)
	}
	return sqltext.Fill(payloadText, sqltext.Holes{
		"head": t.f.watch(), "payload": shown, "part": part, "column": column, "table": t.name(),
		"where": sqltext.List("\n   AND ", t.thisKey("q")...),
	}), nil
}
