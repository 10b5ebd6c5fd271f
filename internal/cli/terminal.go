package cli

import (
	"fmt"
	"os"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/themes"
)

// hasScreen reports whether standard output can show a screen: it is a terminal,
// and not one that calls itself dumb, as a shell inside an editor does.
func (a *app) hasScreen() bool { return isTerminal(a.Out) && a.Getenv("TERM") != "dumb" }

// excuse says to somebody at a terminal why no screen opens there.
func (a *app) excuse() {
	if isTerminal(a.Out) {
		fmt.Fprintln(a.Err, "leasetop: TERM=dumb shows no screen: this is one look")
	}
}

// light reports whether the terminal's ground is taken to be light until it has
// said which it is.
func (a *app) light() bool { return themes.IsLight(a.Getenv("COLORFGBG")) }

// environment is what the screen library reads of the terminal. NO_COLOR counts
// whatever its value is, as no-color.org asks; the library wants a truth.
func (a *app) environment() []string {
	env := os.Environ()
	if a.Getenv("NO_COLOR") != "" {
		env = append(env, "NO_COLOR=1") // the last one counts
	}
	return env
}

// looks is the configuration for a screen that shows no configured queue: only how
// it looks matters, and what the flags say of queues is not its own.
func (a *app) looks() (*config.Config, error) {
	b := *a
	b.flags = config.Flags{Config: a.flags.Config, Theme: a.flags.Theme, ASCII: a.flags.ASCII}
	return b.settings()
}
