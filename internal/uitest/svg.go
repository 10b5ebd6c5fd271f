package uitest

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// The measures of a picture: a cell, the room around the screen, and the bar above
// it that makes it a window.
const (
	cellWidth, cellHeight = 8.43, 17
	margin, bar           = 14, 26
)

// Paper is what a terminal draws on, and its own ink.
type Paper struct{ Ground, Ink string }

// The papers of pictures.
var (
	Dark  = Paper{"#16181d", "#d4d7dd"}
	Light = Paper{"#fbfbf9", "#24272e"}
)

// SVG is the screen on a paper as a picture for docs: text that stays sharp, every
// run of cells held to its place so that frames close whatever font is at hand.
func (s *Session) SVG(p Paper) string {
	lines := s.term.screen().lines
	width, height := float64(s.width)*cellWidth+2*margin, s.height*cellHeight+2*margin+bar
	d := drawing{paper: p, class: map[look]string{}}
	for y, l := range lines {
		d.line(y, l)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="%.0f" height="%d" viewBox="0 0 %.0f %d">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<style>text{font:14px 'JetBrains Mono','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}%s</style>\n", d.style.String())
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%.0f" height="%d" rx="8" fill="%s" stroke="#888" stroke-opacity=".4"/>`+"\n", width-1, height-1, p.Ground)
	for i, c := range []string{"#e0605e", "#e0b050", "#70b060"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="5" fill="%s"/>`+"\n", margin+6+18*i, bar/2+4, c)
	}
	b.WriteString(d.body.String() + "</svg>\n")
	return b.String()
}

// drawing is a picture being made. A look is written once, as a class of its own.
type drawing struct {
	paper       Paper
	class       map[look]string
	style, body strings.Builder
}

// line writes a line's grounds and then its text, a run of one look at a time.
func (d *drawing) line(y int, l uv.Line) {
	top := float64(margin + bar + y*cellHeight)
	var text strings.Builder
	for x := 0; x < len(l); {
		k, end := d.paper.looks(l[x]), x+1
		for end < len(l) && (l[end].Width == 0 || d.paper.looks(l[end]) == k) {
			end++
		}
		at, wide := margin+float64(x)*cellWidth, float64(end-x)*cellWidth
		if k.ground != "" {
			fmt.Fprintf(&d.body, `<rect x="%.1f" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n", at, top, wide+0.3, cellHeight, k.ground)
		}
		if from, to := inked(l, x, end); from < to {
			at, wide = margin+float64(from)*cellWidth, float64(to-from)*cellWidth
			fmt.Fprintf(&text, `<text class="%s" x="%.1f" y="%.1f" textLength="%.1f">%s</text>`+"\n", d.named(k), at, top+13, wide, escape(runText(l[from:to])))
		}
		x = end
	}
	d.body.WriteString(text.String())
}

// inked is the part of a run that is left when the blanks at its ends are.
func inked(l uv.Line, from, to int) (first, end int) {
	for from < to && blank(l[from]) {
		from++
	}
	for to > from && blank(l[to-1]) {
		to--
	}
	return from, to
}

// named is the class of a look.
func (d *drawing) named(k look) string {
	k.ground = ""
	if _, known := d.class[k]; !known {
		d.class[k] = fmt.Sprintf("k%d", len(d.class))
		fmt.Fprintf(&d.style, ".%s{fill:%s%s}", d.class[k], k.ink, k.weight)
	}
	return d.class[k]
}

// look is how a cell is drawn.
type look struct{ ink, ground, weight string }

func (p Paper) looks(c uv.Cell) look {
	c = seen(c)
	ink, ground := hexOf(c.Style.Fg, p.Ink), hexOf(c.Style.Bg, "")
	if c.Style.Attrs&uv.AttrReverse != 0 {
		if ground == "" {
			ground = p.Ground
		}
		ink, ground = ground, ink
	}
	k := look{ink: ink, ground: ground}
	if c.Style.Attrs&uv.AttrBold != 0 {
		k.weight += ";font-weight:bold"
	}
	if c.Style.Attrs&uv.AttrFaint != 0 {
		k.weight += ";opacity:.6"
	}
	if c.Style.Underline != ansi.UnderlineNone {
		k.weight += ";text-decoration:underline"
	}
	return k
}

func hexOf(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func runText(cells uv.Line) string {
	var b strings.Builder
	for _, c := range cells {
		switch {
		case c.Width == 0 && c.Content == "" && b.Len() > 0: // the rest of a wide glyph
		case c.Content == "":
			b.WriteByte(' ')
		default:
			b.WriteString(c.Content)
		}
	}
	return b.String()
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a builder never fails
	return strings.ReplaceAll(b.String(), " ", "\u00a0")
}
