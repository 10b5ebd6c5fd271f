package sqlserver

import (
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// right is what the login needs for an operation, in the server's words.
func (t table) right(op store.Op) string {
	table, history := displayName(t.m.Table), displayName(t.m.History)
	if t.m.History.IsZero() {
		history = ""
	}
	brake := displayName(t.m.Brake)
	if t.m.Brake.IsZero() {
		brake = ""
	}
	switch op {
	case store.OpPurgeHistory, store.OpPurgeDone, store.OpPurgeFailed, store.OpPurgeKeys, store.OpBrakeState, store.OpBrake, store.OpReleaseBrake:
		return keeping(op, table, history, brake)
	case store.OpCatalog, store.OpIndexes:
		return "any right on " + table + ", since what a login may not touch it does not see"
	case store.OpLocked, store.OpHealth, store.OpHealthScan:
		return "SELECT on " + table
	case store.OpHolders:
		return "SELECT on " + table + "; VIEW SERVER STATE (from 2022 on VIEW SERVER PERFORMANCE STATE, in Azure SQL Database VIEW DATABASE STATE)"
	case store.OpHistoryHealth, store.OpHistory, store.OpAudit, store.OpEvents, store.OpWorkerEvents, store.OpLatency:
		return "SELECT on " + history
	case store.OpPulse:
		state := ""
		if t.f.stats {
			state = "VIEW DATABASE STATE"
		}
		return rights("SELECT on "+table, when(history, "SELECT on "), when(brake, "SELECT on "), state)
	case store.OpWorkers:
		return rights("SELECT on "+table, when(history, "SELECT on "))
	case store.OpWorking, store.OpReady, store.OpFailed, store.OpInspect, store.OpDirty,
		store.OpRepeaters, store.OpFindOperation, store.OpFindWorker:
		return "SELECT on " + table
	case store.OpPayload:
		return "SELECT on " + table + " (" + t.m.Column(model.RolePayload).Name + ")"
	case store.OpEnqueue:
		return "SELECT and INSERT on " + table
	case store.OpClaim:
		return rights("SELECT and UPDATE on "+table, when(brake, "SELECT on "))
	case store.OpHeartbeat, store.OpPromote:
		return "SELECT and UPDATE on " + table
	case store.OpReclaim, store.OpForce, store.OpExtend, store.OpGrant,
		store.OpDeadLetter, store.OpDeadLetterUnclaimed, store.OpRequeue, store.OpRequeueUnclaimed:
		columns := " (" + strings.Join(names(t.columns(writtenBy(op)...)), ", ") + ")"
		return rights("SELECT on "+table, "UPDATE on "+table+columns, when(history, "SELECT and INSERT on "))
	case store.OpComplete, store.OpFail, store.OpRelease, store.OpRecover:
	}
	return rights("SELECT and UPDATE on "+table, when(history, "SELECT and INSERT on "))
}

// keeping is what the login needs for what keeps a queue in order: retention and
// the brake.
func keeping(op store.Op, table, history, brake string) string {
	switch op {
	case store.OpPurgeHistory:
		return "SELECT and DELETE on " + history
	case store.OpBrakeState:
		return "SELECT on " + brake
	case store.OpBrake, store.OpReleaseBrake:
		return rights("SELECT and UPDATE on "+brake, when(history, "SELECT and INSERT on "))
	}
	return "SELECT and DELETE on " + table
}

// writes are the columns that taking a job back writes, without which there is no
// control at all.
func (t table) writes() []model.Column { return t.columns(writtenBy(store.OpReclaim)...) }

// writtenBy are the roles that an operator's act writes.
func writtenBy(op store.Op) []model.Role {
	back := []model.Role{model.RoleState, model.RoleToken, model.RoleLease, model.RoleAvailable}
	switch op {
	case store.OpExtend:
		return []model.Role{model.RoleLease}
	case store.OpGrant:
		return append(back, model.RoleMaxAttempts)
	case store.OpDeadLetter, store.OpDeadLetterUnclaimed:
		return append(back, model.RoleEnded, model.RoleError)
	case store.OpRequeue, store.OpRequeueUnclaimed:
		return append(back, model.RoleEnded, model.RoleAttempts)
	}
	return back
}

func (t table) columns(roles ...model.Role) []model.Column {
	var out []model.Column
	for _, r := range roles {
		c := t.m.Column(r)
		if r == model.RoleToken && t.fence().to.IsZero() { // the server makes it, or it stays
			continue
		}
		if !c.IsZero() && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func names(cs []model.Column) []string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.Name
	}
	return out
}

// displayName is a table's name for eyes.
func displayName(n model.Table) string {
	if n.Schema == "" {
		n.Schema = defaultSchema
	}
	return n.String()
}

func when(table, right string) string {
	if table == "" {
		return ""
	}
	return right + table
}

func rights(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}
