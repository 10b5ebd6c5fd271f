package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/ui"
)

// keys prints the cheat sheet.
func (a *app) keys() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Print the keys and commands of the screens",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			sheet := plainKeys
			if markdown {
				sheet = markdownKeys
			}
			_, err := fmt.Fprint(a.Out, sheet(ui.CheatSheet()))
			return err
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print it as docs/keys.md has it")
	return cmd
}

func plainKeys(sheets []ui.Sheet) string {
	var b strings.Builder
	for i, s := range sheets {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s.Title + "\n")
		for _, e := range s.Entries {
			fmt.Fprintf(&b, "  %s %s\n", text.PadRight(e.Name, max(18, text.Width(e.Name))), e.Does)
		}
	}
	return b.String()
}

func markdownKeys(sheets []ui.Sheet) string {
	var b strings.Builder
	b.WriteString("# Keys\n\nMade by `leasetop keys --markdown` from the bindings themselves. A key that cannot act now is dim on the screen, and\n" +
		"says why when it is pressed. Every key that does something is also a command: `:` and the name of what it does.\n" +
		"The mouse scrolls, and a click chooses a row, a tab or a key of the footer; with shift it selects text as ever.\n" +
		"Copying works over SSH by the terminal's own clipboard (OSC 52); in tmux it needs `set -g set-clipboard on`.\n")
	for _, s := range sheets {
		fmt.Fprintf(&b, "\n## %s\n\n| key | does |\n|---|---|\n", s.Title)
		for _, e := range s.Entries {
			fmt.Fprintf(&b, "| `%s` | %s |\n", e.Name, e.Does)
		}
	}
	return b.String()
}
