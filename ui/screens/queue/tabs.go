package queue

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// form is how much of the tabs there is room for.
type form struct {
	word   func(*list) string
	counts bool
	apart  bool // with a blank on either side
	aside  int  // the room that is left for what is to be known about the open one
}

// forms are the fullest first. Names that everybody understands are worth more than
// counts, and than blanks between them.
func forms() []form {
	title := func(l *list) string { return l.title }
	word := func(l *list) string { return l.word }
	none := func(*list) string { return "" }
	const wide, least = 22, 14
	return []form{
		{title, true, true, wide}, {title, false, true, wide}, {title, false, false, least}, {word, false, false, least}, {none, false, true, wide},
	}
}

// form is the fullest form of the tabs that leaves room.
func (s *Screen) form(width int) form {
	all := forms()
	for _, f := range all {
		cells := f.aside
		for i := range s.tabs {
			cells += text.Width(s.label(i, f)) + 1
		}
		if cells <= width {
			return f
		}
	}
	return all[len(all)-1]
}

// tabLine is the line of tabs and what is to be known about the open one.
func (s *Screen) tabLine(e *kit.Env) string {
	var l kit.Line
	f := s.form(e.Width)
	for i := range s.tabs {
		switch {
		case i == 0:
		case !f.apart && (i == s.tab || i-1 == s.tab): // the open one is no neighbour's, also without colours
			l.Text(e.Styles.On(themes.Strong), " ")
		default:
			l.Text(e.Styles.Of(themes.Border), "│")
		}
		label, style := s.label(i, f), e.Styles.Of(themes.Dim)
		switch {
		case i == s.tab:
			style = e.Styles.On(themes.Strong)
		case s.absent(i) != "":
			style = e.Styles.Of(themes.Off)
		}
		l.Text(style, label)
	}
	room := e.Width - l.Width() - 3 // two blanks before, one behind
	parts := kit.Choose(s.list().asides(room), room, 2)
	w := -2
	for _, p := range parts {
		w += p.Spans.Width() + 2
	}
	l.To(e.Width - w - 1)
	for i, p := range parts {
		if i > 0 {
			l.Blank(2)
		}
		l.Spans(e.Styles, p.Spans, e.Width-l.Width())
	}
	return kit.FitLine(l.String(), e.Width)
}

// label is a tab. The open one is named however little room there is.
func (s *Screen) label(i int, f form) string {
	l := s.tabs[i]
	name := f.word(l)
	if name == "" && i == s.tab {
		name = l.word
	}
	out := strconv.Itoa(i + 1)
	if name != "" {
		out += " " + name
	}
	if f.counts && l.room > 0 {
		count := l.figure(&s.figures)
		l.counted = max(l.counted, l.room, text.Width(count))
		out += " " + text.PadRight(count, l.counted)
	}
	switch {
	case f.apart:
		return " " + out + " "
	case i == 0: // in line with what stands above and below
		return " " + out
	}
	return out
}

// figure is the count of the list for its tab.
func (l *list) figure(p *model.Pulse) string {
	switch {
	case l.count != nil:
		return text.Count(l.count(p))
	case l.at.IsZero():
		return ""
	case l.page.More:
		return text.Count(model.Count{N: int64(len(l.rows)), Trust: model.AtLeast})
	}
	return text.Grouped(int64(len(l.rows)))
}

// absent says why a list cannot be had here, as far as that is known.
func (s *Screen) absent(i int) string {
	if l := s.tabs[i]; l.absent != nil && s.snapshot != nil && s.snapshot.Mapping != nil {
		return l.absent(s.snapshot)
	}
	return ""
}

// turning lists the keys of the tabs.
func (s *Screen) turning() []kit.Binding {
	var out []kit.Binding
	for i, l := range s.tabs {
		n := strconv.Itoa(i + 1)
		b := kit.Bind(n, n, strings.ToLower(l.title)).Hushed()
		if why := s.absent(i); why != "" {
			b = b.Refused(model.No(why, ""))
		}
		out = append(out, b)
	}
	return append(out, next)
}

var next = kit.Bind("tab shift+tab", "⇥", "next list, shift: back").Hushed()

// turn goes to another list; ok is false when the key was none of the tabs'.
func (s *Screen) turn(msg tea.Msg) (a kit.Action, ok bool) {
	for i, b := range s.turning()[:len(s.tabs)] {
		if !kit.Pressed(msg, b) {
			continue
		}
		if b.Why != "" {
			return kit.Refuse(b), true
		}
		s.tab = i
		return nil, true
	}
	if !kit.Pressed(msg, next) {
		return nil, false
	}
	by := 1
	if k, isKey := msg.(tea.KeyPressMsg); isKey && k.Mod.Contains(tea.ModShift) {
		by = len(s.tabs) - 1
	}
	for range s.tabs {
		if s.tab = (s.tab + by) % len(s.tabs); s.absent(s.tab) == "" {
			break
		}
	}
	return nil, true
}

// stale is how much older than the figures beside it a list may be before it says
// so: one that is opened again shows what it had until it is read.
const stale = 10 * time.Second

// asides are what the list does not say: that it is old, how many are marked, that
// it is cut, that the chosen job left it, and the ages of the chosen job to the
// second, as long as there is room for them. They stand here and not in the row,
// where each cursor key would have to draw two rows anew.
func (l *list) asides(room int) []kit.Rank {
	var out []kit.Rank
	part := func(rank int, t themes.Token, forms ...string) {
		for i, f := range forms {
			if i == len(forms)-1 || text.Width(f) <= room {
				out = append(out, kit.Rank{Rank: rank, Spans: kit.Spans{{Tone: t, Text: f}}})
				return
			}
		}
	}
	if l.at.IsZero() {
		return nil
	}
	if l.behind >= stale && !l.past {
		old := text.Short(l.behind)
		part(0, themes.Warn, "as it was "+old+" ago", old+" old")
	}
	if n := l.marks.Len(); n > 0 {
		marked := fmt.Sprintf("%s marked", text.Grouped(int64(n)))
		if g := l.marks.Gone(); g > 0 {
			all, gone := text.Grouped(int64(n)), text.Grouped(int64(g))
			part(1, themes.Accent, marked+", "+gone+" gone", gone+" of "+all+" gone", gone+"/"+all+" gone")
		} else {
			part(1, themes.Accent, marked)
		}
	}
	gone, _ := l.cursor.Lost()
	name, lost := l.lost()
	short := strings.TrimPrefix(name, "job ")
	switch {
	case l.grouped() && !lost && l.marks.Len() == 0:
		part(3, themes.Dim, l.window()...)
	case l.page.More && !l.grouped():
		first := "first " + text.Grouped(int64(len(l.rows)))
		part(3, themes.Dim, "the "+first, first)
	}
	for _, p := range out {
		room -= p.Spans.Width() + 2
	}
	switch j := l.job(); {
	case lost && l.lists(gone):
		part(2, themes.Accent, name+" matches no more", short+" matches no more", "it matches no more", short+" no match", "no match")
	case lost && l.marks.Any(func(m mark) bool { return m.id == gone }): // it is counted with the marks
	case lost && l.marks.Gone() > 0: // "gone" alone is what the marks say already
		part(2, themes.Accent, name+" left this list", short+" left this list", short+" left")
	case lost:
		part(2, themes.Accent, name+" left this list", short+" left this list", "it left this list", name+" gone", short+": gone", "gone")
	case j != nil && !l.grouped():
		part(4, themes.Dim, exactly(j, l.at)...)
	}
	return out
}

// exactly are a job's ages to the second, in forms of which each is shorter than
// the one before.
func exactly(j *model.Job, now time.Time) []string {
	switch j.State {
	case model.Working:
	case model.Failed:
		if j.Ended.At.IsZero() {
			return nil
		}
		ago := text.Exact(now.Sub(j.Ended.At)) + " ago"
		return []string{"failed " + ago, ago}
	default:
		return []string{"waiting " + text.ExactAge(j.Waiting), text.ExactAge(j.Waiting)}
	}
	held := "held " + text.ExactAge(j.Held)
	left, ok := j.Left(now)
	if !ok {
		return []string{held}
	}
	if left < 0 {
		out := "out " + text.Exact(-left)
		return []string{held + ", lease " + out, held + ", " + out, out}
	}
	rest := text.Exact(left)
	return []string{held + ", lease " + rest, held + ", " + rest + " left", rest + " left"}
}
