package ui

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/ui/internal/shot"
)

func (r *rig) screen() shot.Screen { return shot.Of(r.View().Content, r.width, r.height) }

func (r *rig) text() string { return r.screen().Text() }

func (r *rig) expect(t *testing.T, what ...string) {
	t.Helper()
	for _, w := range what {
		if !strings.Contains(r.text(), w) {
			t.Errorf("%q is not on the screen:\n%s", w, r.text())
		}
	}
}

func (r *rig) expectNot(t *testing.T, what ...string) {
	t.Helper()
	for _, w := range what {
		if strings.Contains(r.text(), w) {
			t.Errorf("%q is on the screen:\n%s", w, r.text())
		}
	}
}
