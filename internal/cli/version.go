package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version prints what was built from what.
func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(a.Out, "leasetop %s %s/%s %s\n", built(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return nil
		},
	}
}

// built is the version that the Go command stamped into the binary.
func built() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}
