package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
)

// config prints what holds, and writes a first file.
func (a *app) config() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the configuration that holds, each value with where it came from",
		Long: "config prints the configuration that holds, as a file that says the same, each value with where\n" +
			"it came from: a file and its line, a variable, a flag, a profile, or the default. No secret is in it.",
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			c, err := a.configure()
			if err != nil {
				return err
			}
			switch {
			case len(c.Queues) > 0:
			case c.File == "":
				fmt.Fprintf(a.Out, "# Nothing is configured; leasetop config init writes %s.\n", defaultFile())
			default:
				fmt.Fprintf(a.Out, "# %s configures no queue.\n", c.File)
			}
			return c.Print(a.Out)
		},
	}
	a.screenFlags(cmd)
	cmd.AddCommand(a.configInit())
	return cmd
}

func (a *app) configInit() *cobra.Command {
	var toStdout bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a commented first configuration file",
		Long: "init writes a first configuration file to its usual place, or to the one that --config names:\n" +
			"every key with what it does, commented out. A file that is there is left as it is.",
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			if toStdout {
				_, err := fmt.Fprint(a.Out, config.Initial())
				return err
			}
			path := a.flags.Config
			if path == "" {
				path = defaultFile()
			}
			if err := writeNew(path, config.Initial()); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.Out, "wrote %s\n", path)
			return err
		},
	}
	cmd.Flags().BoolVar(&toStdout, "stdout", false, "print it instead")
	return cmd
}

// writeNew writes a file that is not there yet, readable by its user only.
func writeNew(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("the folder of the configuration: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usage("%s is there already and was left as it is; --stdout prints a new one", path)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
