package sqlserver

import (
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// A statement is written for times in UTC. Where a table keeps another clock, the
// same statement takes its now from that clock in each place, and answers with its
// own time as a datetimeoffset, from which the decoder knows how far the table's
// times are from UTC. So nothing is compared that two clocks wrote, and the offset
// is the server's own at the instant of the statement.

// What the texts say of time.
const (
	utcNow   = "SYSUTCDATETIME()"
	answered = "CONVERT(varchar(33), n.[now], 126) AS [now]"

	// Times in UTC that the caller computed.
	sinceAsked = "CONVERT(datetime2(3), @since, 126)"
	untilAsked = "CONVERT(datetime2(3), @until, 126)"
)

// inClock is a statement in the clock of its table.
func inClock(m *model.Mapping, p sqltext.Part) sqltext.Part {
	if m.InUTC() {
		return p
	}
	ahead, present := sqltext.Raw("DATEPART(tzoffset, SYSDATETIMEOFFSET())"), sqltext.Raw("SYSDATETIME()")
	if m.Clock == model.ClockFixed {
		ahead = sqltext.Number(int64(m.Ahead / time.Minute))
		present = sqltext.Fill("DATEADD(minute, {ahead}, SYSUTCDATETIME())", sqltext.Holes{"ahead": ahead})
	}
	h := sqltext.Holes{"ahead": ahead}
	p = sqltext.Swap(p, utcNow, present)
	p = sqltext.Swap(p, answered, sqltext.Fill("CONVERT(varchar(33), TODATETIMEOFFSET(n.[now], {ahead}), 126) AS [now]", h))
	p = sqltext.Swap(p, sinceAsked, sqltext.Fill("DATEADD(minute, {ahead}, CONVERT(datetime2(3), @since, 126))", h))
	return sqltext.Swap(p, untilAsked, sqltext.Fill("DATEADD(minute, {ahead}, CONVERT(datetime2(3), @until, 126))", h))
}

// timeless reports whether an operation reads and writes no time of the table: the
// views of the catalog and of sessions have clocks of their own.
func timeless(op store.Op) bool { return asksCatalog(op) || asksLocks(op) }

// clocked refuses a mapping whose clock cannot be that of its columns, and says what
// a clock with summer time costs.
func (p *prober) clocked() error {
	if p.m.InUTC() {
		return nil
	}
	for _, r := range model.Roles() {
		if c := p.m.Column(r); strings.HasPrefix(strings.ToLower(c.Declared), "datetimeoffset") {
			return &model.Fault{
				Class: model.FaultReshaped, Text: "column " + c.Name + " of " + displayName(p.m.Table) + " is " + c.Declared + ", which carries its own offset from UTC",
				Cure: "leave clock out of the mapping",
			}
		}
	}
	if p.m.Clock == model.ClockLocal {
		p.caps.Notes = append(p.caps.Notes, "times of "+displayName(p.m.Table)+" are the server's local ones: "+
			"where its zone has summer time, the hour that comes twice in autumn is ambiguous (leases then end up to an hour late), "+
			"and leases that span the hour left out in spring end up to an hour early")
	}
	return nil
}
