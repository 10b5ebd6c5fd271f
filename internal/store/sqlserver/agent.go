package sqlserver

import (
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// agentText is a job of SQL Server Agent. It is printed and never run.
const agentText = `DECLARE @database sysname = DB_NAME();
EXEC msdb.dbo.sp_add_job @job_name = {job};
EXEC msdb.dbo.sp_add_jobstep @job_name = {job}, @step_name = N'recover', @subsystem = N'TSQL', @database_name = @database,
    @command = {command};
EXEC msdb.dbo.sp_add_jobschedule @job_name = {job}, @name = N'every 10 seconds',
    @freq_type = 4, @freq_interval = 1, @freq_subday_type = 2, @freq_subday_interval = 10;
EXEC msdb.dbo.sp_add_jobserver @job_name = {job};`

const recoverText = `DECLARE @new_token varchar(36) = CONVERT(varchar(36), NEWID());
EXEC {recover}
    @new_token = @new_token, @limit = 500, @grace_ms = 0, @base_ms = 1000, @max_ms = 300000, @jitter_pct = 100;`

const promoteText = `
EXEC {promote} @limit = 500;`

// agent is the job that returns expired jobs every ten seconds, the shortest that
// the Agent knows, where no worker is always there to do it.
func agent(m *model.Mapping, c *model.Caps) (store.Stmt, error) {
	command := sqltext.Fill(recoverText, sqltext.Holes{"recover": tableName(procedureTable(m, store.OpRecover))})
	if (table{m: m, c: c}).schedules() {
		command = sqltext.List("", command, sqltext.Fill(promoteText, sqltext.Holes{"promote": tableName(procedureTable(m, store.OpPromote))}))
	}
	step, err := command.Text()
	if err != nil {
		return store.Stmt{}, err
	}
	text, err := sqltext.Fill(agentText, sqltext.Holes{
		"job": literal("leasetop: recovery of " + displayName(m.Table)), "command": literal(step),
	}).Text()
	if err != nil {
		return store.Stmt{}, err
	}
	return store.Stmt{
		Op: "a job of SQL Server Agent, printed and never run", Texts: []string{"-- " + strings.ReplaceAll(text, "\n", "\n-- ")},
		Kind: store.Control, Right: "SQLAgentOperatorRole in msdb, and EXECUTE on the procedures",
	}, nil
}
