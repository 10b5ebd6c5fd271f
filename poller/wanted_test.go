package poller

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestTroubleIsListed holds that the jobs of a queue that nobody looks at are read
// as long as something is wrong with one of them, and no longer.
func TestTroubleIsListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		found := []model.Finding{{Kind: "expired", Severity: model.Warn, Key: model.KeyOf(model.IntValue(7))}}
		polls := 0
		p, stop := start(t, one(s), Options{Every: 2 * time.Second, Enrich: func(x *model.Snapshot) {
			switch polls++; {
			case polls <= 10:
				x.Findings = []model.Finding{{Kind: "clock-skew", Severity: model.Bad}} // of no job
			case polls <= 20:
				x.Findings = found
			default:
				x.Findings = nil
			}
		}})
		defer stop()
		time.Sleep(time.Minute)
		if n := s.count("working"); n != 10 {
			t.Errorf("%d lists of the jobs in work, want one for each of ten polls after a finding", n)
		}
		if v := p.Board().Queue("q").Page.Data.View; v != model.ViewNone {
			t.Errorf("at the end it still has the list %v", v)
		}
	})
}
