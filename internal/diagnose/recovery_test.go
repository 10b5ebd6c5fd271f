package diagnose

import (
	"strings"
	"testing"
	"time"
)

// TestRecovery holds that a queue whose rows are not taken back by `leasetop recover`
// says what does, in the finding and to whoever asks why.
func TestRecovery(t *testing.T) {
	s := overdueBy(2, 14*time.Minute)
	w := New()
	w.Recovery(s.Queue, "F and 7 let recovery go on")
	w.Observe(s)
	if len(s.Findings) == 0 || s.Findings[0].Kind != KindNobodyRecovers || s.Findings[0].Cure != "F and 7 let recovery go on" {
		t.Errorf("it finds %+v", s.Findings)
	}
	j := row(10421, tokenA, "", -14*time.Minute)
	why := Why(WhyFacts{Queue: s.Queue, Key: j.Key, Job: j, At: s.Now(), Snapshot: s})
	if len(why.Reasons) == 0 || !strings.HasPrefix(why.Reasons[0].Cure, "F and 7 let recovery go on; r ") {
		t.Errorf("it says %+v", why.Reasons)
	}
}
