package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// evil is what a database can hold that a terminal must never see.
const evil = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1bPq#0\x1b\\\r\nline\t\u202eright-to-left\u200b\x00\x9b31m日本語\u0301"

// hostile is a snapshot in which every text is evil.
func hostile() *model.Snapshot {
	s := fixture.Snapshot()
	s.Queue, s.Server = evil, evil
	m := *s.Mapping
	m.Queue, m.Table = evil, model.Table{Schema: evil, Name: evil}
	s.Mapping = &m
	s.Caps.Encrypted = evil
	s.Findings = []model.Finding{{Severity: model.Bad, Text: evil, Cure: evil}}
	for i, j := range s.Page.Data.Jobs {
		x := *j
		x.Key, x.Token = model.KeyOf(model.TextValue(fmt.Sprint(i, evil))), model.TokenOf(model.TextValue(evil))
		x.RawState, x.Worker, x.Error, x.Operation = model.TextValue(evil), evil, evil, evil
		s.Page.Data.Jobs[i] = &x
	}
	return s
}

// clean reports what of a frame a terminal could take for a command: only styles
// may be in it.
func clean(frame string) error {
	for s := frame; s != ""; {
		if strings.HasPrefix(s, "\x1b[") {
			end := strings.IndexFunc(s[2:], func(r rune) bool { return r < '0' || r > ';' })
			if end < 0 || s[2+end] != 'm' {
				return fmt.Errorf("an escape sequence that is no style: %q", s[:min(len(s), 20)])
			}
			s = s[3+end:]
			continue
		}
		r := []rune(s[:min(len(s), 4)])[0]
		if r != '\n' && (r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == 0x202e || r == 0x200b) {
			return fmt.Errorf("%q is in the frame: %q", r, s[:min(len(s), 20)])
		}
		s = s[len(string(r)):]
	}
	return nil
}

func (r *rig) sound(t *testing.T, doing string) {
	t.Helper()
	frame := r.View().Content
	if err := clean(frame); err != nil {
		t.Fatalf("%s at %dx%d: %v", doing, r.width, r.height, err)
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != r.height {
		t.Fatalf("%s at %dx%d: %d lines", doing, r.width, r.height, len(lines))
	}
	for i, l := range lines {
		if w := max(ansi.StringWidth(l), text.Width(l)); w > r.width {
			t.Fatalf("%s at %dx%d: line %d has %d cells: %q", doing, r.width, r.height, i, w, l)
		}
	}
	if r.width >= leastWidth && r.height >= leastHeight {
		foot := ansi.Strip(lines[len(lines)-1])
		if r.covered() == 0 && r.dialog == nil && !r.top().Subject().Typing && !strings.Contains(foot, "q quit") {
			t.Fatalf("%s at %dx%d: the footer is %q", doing, r.width, r.height, foot)
		}
	}
}

// TestHostile draws every screen and dialog over evil texts.
func TestHostile(t *testing.T) {
	fault := &model.Fault{Text: evil, Cure: evil, Op: evil, Class: model.FaultOther}
	r := newRig(100, 30, nil, hostile())
	p := plan()
	p.Effects = []string{evil}
	p.Statement = model.Statement{Text: evil + "\n" + evil, Args: []model.Arg{{Name: "@key", Declared: evil, Value: model.TextValue(evil)}}}
	p.Confirm = model.Confirm{Type: evil, Reason: true}
	r.desk.plan = p
	r.desk.receipt = model.Receipt{Outcome: model.Changed, Message: evil, Holder: evil, Fault: fault, After: hostile().Page.Data.Jobs[0]}
	r.desk.verdict = func(a model.Action, _ *model.Job, _ time.Time) model.Verdict {
		if a == model.Reclaim {
			return model.No(evil, evil)
		}
		return model.Yes()
	}
	r.details.job = hostile().Page.Data.Jobs[0]
	r.details.payload = model.Payload{Text: text.CleanBlock(evil, 100)}
	r.details.events = []model.Event{{Kind: model.EventKind(evil), Reason: evil, Action: evil, Actor: evil, Login: evil}}
	for _, keys := range []string{"", "r", "?", "esc", "f", "tab", "x", "tab", "tab", "enter", "esc", "enter", "v", "pgdown", "esc", "2", "3", "d", "esc", "1", "d", "esc", "p"} {
		if keys != "" {
			r.press(keys)
		}
		r.sound(t, "after "+keys)
	}
	r.Update(tea.PasteMsg{Content: evil})
	for _, h := range []model.Health{model.Connecting, model.Stale, model.Down, model.Broken} {
		s := hostile()
		s.Watch = model.Watch{Health: h, Err: fault}
		r = newRig(100, 30, nil, s)
		r.sound(t, h.String())
		s.Pulse = model.Part[model.Pulse]{}
		r = newRig(100, 30, nil, s, hostile())
		r.sound(t, "queues "+h.String())
		r = newRig(100, 30, nil, s)
		r.sound(t, "never seen "+h.String())
	}
}

// TestRandomSizes resizes at any moment, with random keys between.
func TestRandomSizes(t *testing.T) {
	keys := []string{
		"down", "up", "pgdown", "end", "home", "enter", "esc", "1", "2", "3", "4", "5", "6", "tab", "shift+tab", "r", "f", "v", "?", "p", "x", "left", "right", "R", "z",
		"space", "*", "A", "/", "s", "S", "u", "w", "backspace",
	}
	boards := []*model.Snapshot{
		fixture.Snapshot(), fixture.ReadyList(), hostile(), fixture.FailedAlike(), fixture.RepeaterList(), fixture.Crew(), fixture.Past(),
		failing(model.Down, &model.Fault{Text: evil, Cure: "wait"}),
	}
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		for _, s := range boards {
			s.Queue = "orders"
		}
		r := newRig(80, 24, func(o *Options) { o.Training, o.ASCII = seed%2 == 0, seed%3 == 0 }, boards[0])
		r.desk.plan, r.details.job = plan(), fixture.Jobs()[0]
		r.desk.plan.Confirm.Reason = seed%4 == 0
		for range 100 {
			doing := "a board"
			switch rnd.IntN(3) {
			case 0:
				w, h := 1+rnd.IntN(220), 1+rnd.IntN(70)
				if rnd.IntN(2) == 0 {
					w, h = leastWidth+rnd.IntN(60), leastHeight+rnd.IntN(20)
				}
				doing = "a size"
				r.size(w, h)
			case 1:
				doing = keys[rnd.IntN(len(keys))]
				r.press(doing)
			default:
				r.board(boards[rnd.IntN(len(boards))])
			}
			r.sound(t, doing)
		}
	}
}

// TestASCII holds that terminals without glyphs get none.
func TestASCII(t *testing.T) {
	r := newRig(120, 40, func(o *Options) { o.ASCII, o.Training = true, true }, fixture.Snapshot())
	r.desk.plan, r.details.job = plan(), fixture.Jobs()[0]
	r.desk.receipt = model.Receipt{Outcome: model.Changed, After: fixture.Jobs()[1]}
	for _, k := range []string{"", "?", "esc", "r", "tab", "enter", "esc", "enter", "v", "esc", "2", "p"} {
		if k != "" {
			r.press(k)
		}
		for i, line := range strings.Split(ansi.Strip(r.View().Content), "\n") {
			if at := strings.IndexFunc(line, func(c rune) bool { return c > '~' }); at >= 0 {
				t.Errorf("after %q line %d has %q: %q", k, i, []rune(line[at:])[0], line)
			}
		}
	}
}
