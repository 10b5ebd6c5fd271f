package queues

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// TestColumnsByWidth holds which columns there are at which width: names that are
// short leave their room to the figures.
func TestColumnsByWidth(t *testing.T) {
	const least = "QUEUE READY OLDEST "
	for _, c := range []struct {
		width          int
		queue, servers string
		want           string
	}{
		{40, "orders", "prod", least + "HEALTH"},
		{40, "orders-of-the-eastern-warehouse", "prod", "QUEUE READY HEALTH"},
		{60, "orders", "prod", least + "EXPIRED FAILED HEALTH"},
		{80, "orders", "prod", least + "WORKING EXPIRED FAILED HEALTH"},
		{80, "orders-of-the-eastern-warehouse", "prod", least + "EXPIRED FAILED HEALTH"},
		{100, "orders", "prod", least + "WORKING EXPIRED FAILED OUT/S DRAIN HEALTH"},
		{120, "orders", "prod", least + "8 MIN WORKING EXPIRED FAILED IN/S OUT/S DRAIN HEALTH"},
		{120, "orders", "prod stage", "QUEUE SERVER READY OLDEST WORKING EXPIRED FAILED IN/S OUT/S DRAIN HEALTH"},
		{120, "orders-of-the-eastern-warehouse", "sql-01.example.com stage", "QUEUE SERVER READY OLDEST WORKING EXPIRED FAILED OUT/S DRAIN HEALTH"},
		{200, "orders-of-the-eastern-warehouse", "sql-01.example.com stage", "QUEUE SERVER READY OLDEST 8 MIN WORKING EXPIRED FAILED IN/S OUT/S DRAIN HEALTH"},
	} {
		var all []*model.Snapshot
		for i, server := range strings.Fields(c.servers) {
			all = append(all, named(c.queue[i:], func(q *model.Snapshot) { q.Server = server }))
		}
		e := &kit.Env{Width: c.width, Height: 9, Styles: spot.Styles(), Board: fixture.Board(all...)}
		s := New()
		s.Update(e, kit.News{})
		var got []string
		for _, col := range table.Fit(s.columns, c.width).Shown() {
			got = append(got, col.Title)
		}
		if titles := strings.Join(got, " "); titles != c.want {
			t.Errorf("%s on %s in %d cells: %s, not %s", c.queue, c.servers, c.width, titles, c.want)
		}
	}
}
