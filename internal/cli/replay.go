package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui"
)

// replay shows a recording in the same screens.
func (a *app) replay() *cobra.Command {
	var (
		asJSON bool
		moment string
	)
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Show a recording in the same screens",
		Long: "replay shows what --record or :save wrote, in the same screens and read-only. Space plays it\n" +
			"and holds it, < and > set how fast, [ ] { } step, home and end go to its ends. A job's page has its\n" +
			"payload if it was read while --record-payloads was given. Where there is no terminal it prints\n" +
			"the last look, or with --at the look at that time: a time of day is that of the recording's last\n" +
			"24 hours, in UTC, as the screens show it.",
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			c, err := a.settings()
			if err != nil {
				return err
			}
			r, err := tape.Open(args[0])
			if errors.Is(err, os.ErrNotExist) {
				return usage("%s: there is no such file", args[0])
			}
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			_, at := r.Reach()
			if moment != "" {
				newest, ok := at, false
				if at, ok = text.Moment(moment, newest, time.UTC); !ok {
					return usage("--at cannot be %q; write a time such as 12:04 or 12:04:31, with its day as %s, or a span before the end such as 10m", moment, stamp(newest))
				}
			}
			if asJSON || moment != "" || !a.hasScreen() {
				return a.printPast(r, args[0], at, asJSON)
			}
			begin, board := opening(r)
			o := ui.Options{
				Context: cmd.Context(), Feed: reel{board}, History: r, Past: r, Replay: true, Begin: begin,
				Training: r.About.Training, NoMouse: a.noMouse, Notice: r.Damage,
				Version: built(), Theme: c.Theme, Light: a.light(), ASCII: c.ASCII,
			}
			if r.About.Payloads {
				o.Carried = r.Payload
			}
			return a.run(cmd.Context(), ui.New(o))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one look as JSON, as docs/json.md says")
	cmd.Flags().StringVar(&moment, "at", "", "print the look at this time, as 12:04:31 (UTC), 2026-03-14T12:04:31Z or 10m before the end, by the clock of the machine that recorded")
	a.lookFlags(cmd)
	return cmd
}

// opening is the first moment at which all queues of a recording had been looked at,
// and the picture of it: queues are looked at one after the other, so the very first
// has one of them. Where it took longer than a moment the recording opens at its
// beginning, and the first screen is chosen by all of its queues.
func opening(r *tape.Recording) (time.Time, *model.Board) {
	const moment, step = 10 * time.Second, 100 * time.Millisecond
	from, to := r.Reach()
	last := r.At(to)
	for at := from; last != nil && at.Before(to) && at.Sub(from) <= moment; at = at.Add(step) {
		if b := r.At(at); b != nil && len(b.Queues) >= len(last.Queues) {
			return at, b
		}
	}
	if last != nil && to.Sub(from) <= moment {
		return to, last
	}
	return from, last
}

// printPast prints one look of a recording. Damage is told, and fails the command
// unless only the end is missing.
func (a *app) printPast(r *tape.Recording, path string, at time.Time, asJSON bool) error {
	from, to := r.Reach()
	b := r.At(at)
	if b == nil || at.After(to.Add(time.Second)) {
		return usage("%s: it has looks from %s to %s, none at %s", path, stamp(from), stamp(to), stamp(at))
	}
	var err error
	if asJSON {
		err = report.WriteJSON(a.Out, report.FromSnapshots(at, b.Queues))
	} else {
		fmt.Fprintf(a.Out, "Recorded from %s to %s, %s; this is %s.\n", stamp(from), stamp(to), payloads(r), stamp(at))
		err = report.Plain(a.Out, b.Queues)
	}
	if r.Damage == "" || err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "leasetop: %s: %s\n", path, r.Damage)
	if r.Torn {
		return nil
	}
	return silently(exitFailed)
}

// payloads says whether a recording has any.
func payloads(r *tape.Recording) string {
	switch n := r.Payloads(); {
	case !r.About.Payloads:
		return "without payloads"
	case n == 0:
		return "with payloads, of which none was read"
	default:
		return "with " + text.Plural(int64(n), "payload", "payloads")
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// reel is the feed of a recording: nothing new comes.
type reel struct{ board *model.Board }

func (reel) Bell() <-chan struct{} { return nil }
func (r reel) Board() *model.Board { return r.board }
func (reel) Want(poller.Want)      {}
func (reel) Kick(string)           {}

// about is what a recording that begins now says about itself.
func about(c *config.Config, training bool) tape.About {
	return tape.About{Made: built(), At: time.Now().UTC(), Training: training, Payloads: c.Payloads}
}

// startRecording begins the recording that --record asks for; without it there is nothing
// to end.
func (a *app) startRecording(t *tape.Tape, about tape.About) (*tape.Recorder, error) {
	if a.record == "" {
		return nil, nil //nolint:nilnil // no recording is none
	}
	r, err := t.Record(a.record, about)
	if err != nil {
		return nil, &exit{exitUsage, fmt.Errorf("--record: %w", err)}
	}
	return r, nil
}

// recordOnly watches without a screen until it is told to stop.
func (a *app) recordOnly(ctx context.Context, c *config.Config) {
	fmt.Fprintf(a.Out, "Recording to %s; leasetop replay shows it. Ctrl+C ends it.\n", a.record)
	if c.Payloads {
		fmt.Fprintln(a.Out, "It will have no payload: those are kept that v reads on a job's page, and this is no terminal.")
	}
	<-ctx.Done()
}
