package kit

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/themes/spot"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		hang  int
		want  []string
	}{
		{"", 10, 0, []string{""}},
		{"one two three", 20, 0, []string{"one two three"}},
		{"one two three", 8, 0, []string{"one two", "three"}},
		{"operation 1B4E28BA-2FA1-11D2-883F", 24, 0, []string{"operation", "1B4E28BA-2FA1-11D2-883F"}},
		{"abcdefghij kl", 4, 0, []string{"abcd", "efgh", "ij", "kl"}},
		{"  SET [State] = 'R', [Lease] = NULL", 20, 2, []string{"  SET [State] = 'R',", "    [Lease] = NULL"}},
		{"日本語 テスト", 6, 0, []string{"日本語", "テスト"}},
		{"x", 0, 0, nil},
	} {
		got := WrapCode(c.in, c.width, c.hang)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q in %d: %q, not %q", c.in, c.width, got, c.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("   a bb  ccc", uint8(4), uint8(2))
	f.Add("日本 語", uint8(2), uint8(9))
	f.Fuzz(func(t *testing.T, s string, width, hang uint8) {
		if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) }) {
			t.Skip("what is wrapped was cleaned before")
		}
		for _, line := range WrapCode(s, int(width), int(hang%8)) {
			if got := ansi.StringWidth(line); width >= 2 && got > int(width) {
				t.Errorf("%q in %d gives a line of %d: %q", s, width, got, line)
			}
		}
	})
}

func TestChoose(t *testing.T) {
	part := func(rank int, s string) Rank { return Rank{Rank: rank, Spans: Spans{{Text: s}}} }
	parts := []Rank{part(0, "must"), part(3, "third"), part(1, "first"), part(2, "second"), {Rank: 1}}
	for _, c := range []struct {
		width int
		want  string
	}{{40, "must third first second"}, {22, "must first second"}, {17, "must first second"}, {16, "must first"}, {4, "must"}, {1, "must"}} {
		var got []string
		for _, p := range Choose(parts, c.width, 1) {
			got = append(got, p.Spans[0].Text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("in %d cells: %q, not %q", c.width, s, c.want)
		}
	}
}

// TestLinesAreExact holds that what is fitted is never a cell wider or narrower.
func TestLinesAreExact(t *testing.T) {
	st := spot.Styles()
	long := st.Of(themes.Bad).Render("日本語の列 and more than fits here")
	parts := []Rank{{Spans: Spans{{Tone: themes.Bad, Text: "left 日本"}}}, {Rank: 2, Spans: Spans{{Text: "middle"}}}, {Rank: 1, Right: true, Spans: Spans{{Text: "right"}}}}
	for w := range 60 {
		for name, line := range map[string]string{
			"long": FitLine(long, w), "short": FitLine("x", w), "ranks": Ranks(st, parts, w),
		} {
			if got := ansi.StringWidth(line); got != w && w > 0 {
				t.Errorf("%s in %d cells is %d wide: %q", name, w, got, line)
			}
		}
		box := Box{Edge: themes.Border, Title: Spans{{Text: "a title"}}, Right: Spans{{Text: "right"}}, FootEnd: Spans{{Text: "the end"}}}
		for _, line := range box.Draw(st, w, []string{long, ""}) {
			if got := ansi.StringWidth(line); got != w {
				t.Errorf("a box of %d cells has a line of %d: %q", w, got, line)
			}
		}
	}
}

func TestOver(t *testing.T) {
	under := []string{"aaaaaaaaaa", "a日本語aaa", "aaaaaaaaaa", "aaaaaaaaaa"}
	got := Over(under, []string{"[xx]", "[yy]"}, 10)
	want := []string{"aaaaaaaaaa", "a日[xx]aaa", "aaa[yy]aaa", "aaaaaaaaaa"}
	for i := range want {
		if s := ansi.Strip(got[i]); s != want[i] {
			t.Errorf("line %d is %q, not %q", i, s, want[i])
		}
	}
	if under[1] != "a日本語aaa" {
		t.Error("what lies under was changed")
	}
}

func TestBinding(t *testing.T) {
	b := Bind("enter x", "↵", "inspect")
	if !Pressed(tea.KeyPressMsg{Code: tea.KeyEnter}, b) || !Pressed(tea.KeyPressMsg{Code: 'x', Text: "x"}, b) || Pressed(tea.KeyPressMsg{Code: 'y', Text: "y"}, b) {
		t.Error("the wrong keys press it")
	}
	if b.Label(false) != "↵" || b.Label(true) != "enter" {
		t.Errorf("its label is %q, and %q in letters", b.Label(false), b.Label(true))
	}
	for want, v := range map[string]model.Verdict{
		"": model.Yes(), "no: do": model.No("no", "do"), "no": model.No("no", ""), "not known to be possible yet": {},
	} {
		if got := b.Refused(v).Why; got != want {
			t.Errorf("%+v is told as %q, not %q", v, got, want)
		}
	}
}

type judge model.Verdict

func (j judge) Allowed(string, model.Action, *model.Job, time.Time) model.Verdict {
	return model.Verdict(j)
}

func TestAct(t *testing.T) {
	job := &model.Job{State: model.Working}
	on := Chosen{Queue: "q", Job: job}
	pressed := func(r rune) tea.Msg { return tea.KeyPressMsg{Code: r, Text: string(r)} }
	r, f, x := pressed('r'), pressed('f'), pressed('x')
	yes, no := judge(model.Yes()), judge(model.No("its lease runs", "wait"))
	for _, c := range []struct {
		name string
		j    Judge
		on   Chosen
		msg  tea.Msg
		want Action
		ok   bool
	}{
		{"reclaim", yes, on, r, Ask{Queue: "q", Action: model.Reclaim, Job: job}, true},
		{"force", yes, on, f, Ask{Queue: "q", Action: model.Force, Job: job}, true},
		{"extend", yes, on, pressed('e'), Ask{Queue: "q", Action: model.Extend, Job: job}, true},
		{"dead-letter", yes, on, pressed('d'), Ask{Queue: "q", Action: model.DeadLetter, Job: job}, true},
		{"requeue", yes, on, pressed('u'), Ask{Queue: "q", Action: model.Requeue, Job: job}, true},
		{"grant", yes, on, pressed('m'), Ask{Queue: "q", Action: model.Grant, Job: job}, true},
		{"another key", yes, on, x, nil, false},
		{"refused", no, on, r, Say{Tone: themes.Warn, Text: "its lease runs: wait"}, true},
		{"it left", yes, Chosen{None: "job 7 left this list"}, r, Say{Tone: themes.Warn, Text: "job 7 left this list"}, true},
		{"no job", yes, Chosen{}, r, Say{Tone: themes.Warn, Text: "no job is chosen: ↑ and ↓ choose one"}, true},
		{"no desk", nil, on, r, Say{Tone: themes.Warn, Text: "nothing can be changed here"}, true},
	} {
		got, ok := Act(&Env{Judge: c.j}, c.msg, c.on)
		if ok != c.ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v %v, not %v %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// TestActKeys holds which acts the footer offers for a row, in which order, and
// that the help has all of them.
func TestActKeys(t *testing.T) {
	job := func(s model.State, tries int64) *model.Job {
		return &model.Job{State: s, Token: model.TokenOf(model.IntValue(1)), Attempts: model.NumberOf(tries), MaxAttempts: model.NumberOf(5)}
	}
	corrupt := job(model.Working, 1)
	corrupt.Token = model.Token{}
	for name, c := range map[string]struct {
		on   Chosen
		want string
	}{
		"working":           {Chosen{Job: job(model.Working, 1)}, "r f e d"},
		"its tries used up": {Chosen{Job: job(model.Working, 5)}, "m d e"},
		"without a token":   {Chosen{Job: corrupt}, "d"},
		"ready":             {Chosen{Job: job(model.Ready, 0)}, "d"},
		"scheduled":         {Chosen{Job: job(model.Scheduled, 0)}, "d"},
		"failed":            {Chosen{Job: job(model.Failed, 5)}, "u"},
		"done":              {Chosen{Job: job(model.Done, 1)}, ""},
		"none chosen":       {Chosen{}, "r f e d"},
		"none ready":        {Chosen{List: model.ViewReady}, "d"},
		"no dead letter":    {Chosen{List: model.ViewFailed}, "u"},
	} {
		var foot []string
		keys := ActKeys(&Env{Judge: judge(model.Yes())}, c.on)
		for _, k := range keys {
			if !k.Quiet {
				foot = append(foot, k.Help().Key)
			}
			if (k.Why != "") != (c.on.Job == nil) {
				t.Errorf("%s: %s is refused with %q", name, k.Help().Desc, k.Why)
			}
		}
		if got := strings.Join(foot, " "); got != c.want {
			t.Errorf("%s: the footer offers %q, not %q", name, got, c.want)
		}
		if len(keys) != len(model.Actions()) {
			t.Errorf("%s: %d acts in the help, of %d", name, len(keys), len(model.Actions()))
		}
	}
}

func TestClock(t *testing.T) {
	at := time.Date(2026, 3, 14, 23, 4, 31, 5e6, time.UTC)
	e := &Env{}
	local := &Env{Zone: time.FixedZone("CET", 3600)}
	for got, want := range map[string]string{
		e.Clock(at, false): "23:04Z", e.Clock(at, true): "23:04:31Z", e.Stamp(at): "2026-03-14 23:04:31.005Z",
		local.Clock(at, false): "00:04 CET", local.Stamp(at): "2026-03-15 00:04:31.005 CET",
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func ExampleLine() {
	var l Line
	l.Text(themes.Style{}, "größe")
	l.To(8)
	fmt.Printf("%q %d\n", l.String(), l.Width())
	// Output: "größe   " 8
}

// TestCellsAgree holds that the fast count is the careful one.
func TestCellsAgree(t *testing.T) {
	st := spot.Styles()
	for _, s := range []string{"", "abc", "╭─▄░▕▏▸▹▲▼│", "größe", "日本語", "a\tb", "● live · 2s › −5", "e\u0301"} {
		for _, line := range []string{s, st.Of(themes.Bad).Render(s), st.On(themes.Bad).Render(s) + s} {
			if got, want := cells(line), max(ansi.StringWidth(line), ansi.StringWidthWc(line)); got != want {
				t.Errorf("%q is counted as %d cells, not %d", line, got, want)
			}
		}
	}
}
