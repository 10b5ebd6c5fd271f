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
	part := sqltext.Fill("SUBSTRING({column}, 1, @max)", sqltext.Holes{"column": column})
	return sqltext.Fill(payloadText, sqltext.Holes{
		"head": t.f.watch(), "payload": read(c, part), "part": part, "column": column, "table": t.name(),
		"where": sqltext.List("\n   AND ", t.thisKey("q")...),
	}), nil
}
