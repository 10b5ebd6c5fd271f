package uitest_test

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// tiny is the smallest program with all that a session can do: a list with a
// cursor, a clock, an input with a terminal cursor, a clipboard, a mouse.
type tiny struct {
	width, height int
	at, seconds   int
	typing        bool
	input         string
	clicked       string
	line          func(i int) string // a line of the list, "row i" when nil
}

type second struct{}

func (m tiny) tick() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}

func (m tiny) Init() tea.Cmd { return m.tick() }

func (m tiny) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case second:
		m.seconds++
		return m, m.tick()
	case tea.MouseClickMsg:
		m.clicked = fmt.Sprintf("%d,%d", msg.X, msg.Y)
	case tea.PasteMsg:
		m.input += msg.Content
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return m, nil
}

func (m tiny) key(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch s := k.String(); {
	case s == "esc":
		m.typing = false
	case m.typing && k.Text != "":
		m.input += k.Text
	case s == "q", s == "ctrl+c":
		return m, tea.Quit
	case s == "down", s == "tab":
		m.at++
	case s == "up", s == "shift+tab":
		m.at = max(0, m.at-1)
	case s == "i":
		m.typing = true
	case s == "y":
		return m, tea.SetClipboard("row " + fmt.Sprint(m.at))
	}
	return m, nil
}

func (m tiny) View() tea.View {
	lines := []string{fmt.Sprintf("%ds %s %s", m.seconds, m.input, m.clicked)}
	for i := 1; i < m.height; i++ {
		l := fmt.Sprint("row ", i-1)
		if m.line != nil {
			l = m.line(i - 1)
		}
		if i-1 == m.at {
			l = "\x1b[1;38;5;9;48;5;4m" + l + "\x1b[m" + strings.Repeat(" ", 4) + "here"
		}
		lines = append(lines, l)
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.WindowTitle = fmt.Sprintf("tiny %d", m.at)
	if m.typing {
		v.Cursor = tea.NewCursor(len(fmt.Sprintf("%ds %s", m.seconds, m.input)), 0)
	}
	return v
}
