package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
)

const events = `SELECT @now AS now, event.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT JobId AS key,
         At AS at,
         Kind AS kind,
         ActionId AS action,
         Actor AS actor,
         Login AS login,
         Reason AS reason,
         OldState AS old_state,
         NewState AS new_state,
         OldToken AS old_token,
         NewToken AS new_token,
         OldLease AS old_lease,
         NewLease AS new_lease,
         Attempt AS attempts,
         Worker AS worker
  FROM {history}
  WHERE {where}
  ORDER BY Seq DESC
  LIMIT {limit}
) AS event ON TRUE`

// history reads a job's newest events.
func history(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(events, sqltext.Holes{
		"history": t.historyName(), "where": sqltext.Raw("JobId = @key"), "limit": sqltext.Arg("limit"),
	}))
}

// audit finds the event of one operator's act.
func audit(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(events, sqltext.Holes{
		"history": t.historyName(), "where": sqltext.Raw("JobId = @key AND ActionId = @action"), "limit": sqltext.Raw("1"),
	}))
}
