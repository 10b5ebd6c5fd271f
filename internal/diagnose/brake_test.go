package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestTheBrakeIsTheReason holds that a queue under its brake is not called stalled,
// and that a brake which is on for long is worse.
func TestTheBrakeIsTheReason(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	look := func(b *model.Brake, now time.Time) []model.Finding {
		w := New()
		var s *model.Snapshot
		for i := range 200 { // long enough without a claim
			s = &model.Snapshot{Queue: "q", Mapping: &model.Mapping{Family: model.Fenced}}
			s.Pulse = model.Part[model.Pulse]{
				At: now.Add(time.Duration(i-199) * 10 * time.Second), Got: now.Add(time.Duration(i-199) * 10 * time.Second),
				Data: model.Pulse{Ready: exact(5), Working: exact(0), Completed: model.Flow{Count: exact(0), Over: 10 * time.Second}, Brake: b},
			}
			w.Observe(s)
		}
		return s.Findings
	}
	kinds := func(fs []model.Finding) (out []string) {
		for _, f := range fs {
			out = append(out, f.Kind)
		}
		return out
	}
	on := &model.Brake{On: true, At: model.Instant{At: at, Raw: model.TimeValue("raw")}, Actor: "ops@jump", Reason: "bad deploy"}
	short := look(on, at.Add(4*time.Minute))
	if len(short) == 0 || short[0].Kind != KindBraked || short[0].Severity != model.Warn || !strings.Contains(short[0].Text, "ops@jump, bad deploy") {
		t.Fatalf("findings %+v, want the brake first", short)
	}
	for _, f := range short {
		if f.Kind == KindStalled {
			t.Errorf("a braked queue is called stalled: %s", f.Text)
		}
	}
	if long := look(on, at.Add(2*time.Hour)); long[0].Kind != KindBraked || long[0].Severity != model.Bad {
		t.Errorf("a brake of two hours: %+v", long[0])
	}
	if off := kinds(look(&model.Brake{}, at.Add(4*time.Minute))); len(off) == 0 || off[0] != KindStalled {
		t.Errorf("without a brake: %v, want stalled", off)
	}
}
