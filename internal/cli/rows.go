package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
)

// rowFlags name a row of a destructive queue, which has no key.
type rowFlags struct {
	row      string
	oldest   int
	act      string
	keepTime bool
}

// named reports whether the flags name rows.
func (f *rowFlags) named() bool { return f.row != "" || f.oldest != 0 }

// rowHelp is what the acts say about destructive queues.
const rowHelp = "In a destructive queue a row has no key: it is named by all its values, as leasetop snapshot prints\n" +
	"them, --row 'QDateTime=…,CustomerID=17,OrderID=4711'; a comma or backslash inside a value is escaped by a\n" +
	"backslash, and NULL is written as such."

func (f *rowFlags) bury(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.row, "row", "", "of a destructive queue: one row equal to this")
	cmd.Flags().IntVar(&f.oldest, "oldest", 0, "of a destructive queue: so many of the oldest rows, whichever they are")
}

func (f *rowFlags) requeue(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.row, "row", "", "of a destructive queue: one dead letter equal to this")
	cmd.Flags().StringVar(&f.act, "act", "", "of a destructive queue: the act that made the dead letter; none: no act of leasetop did")
	cmd.Flags().BoolVar(&f.keepTime, "keep-time", false, "of a destructive queue: with its old time, which may be the head, instead of now")
}

// ask is the act on rows, with the row as it is now; over is a receipt that needs
// no act.
func (f *rowFlags) ask(ctx context.Context, desk *actions.Desk, r *room, act model.Action, reason string) (ask actions.Ask, over *model.Receipt, err error) {
	m := r.queue.Mapping()
	ask = actions.Ask{Action: act, Reason: reason, Oldest: f.oldest, KeepTime: f.keepTime}
	switch {
	case !m.IsDestructive():
		return ask, nil, usage("--row and --oldest name rows of a destructive queue; %s is %s: name the job and its --token", m.Queue, m.Family)
	case f.row != "" && f.oldest != 0:
		return ask, nil, usage("--row and --oldest exclude each other")
	case f.oldest > 0:
		return ask, nil, nil
	case act == model.Requeue && f.act == "":
		return ask, nil, usage("--act is missing: it tells which dead letter of these values; leasetop snapshot %s shows it", m.Queue)
	}
	key, err := model.ParseRow(m.Keys, f.row)
	if err != nil {
		return ask, nil, &exit{exitUsage, err}
	}
	intent := model.Intent{Action: act, Queue: m.Queue, Key: key}
	if act == model.Requeue {
		if key, err = deadKey(key, f.act); err != nil {
			return ask, nil, &exit{exitUsage, err}
		}
		intent.Key = key
	}
	if ask.Row, ask.At, err = r.queue.Inspect(ctx, key); err != nil || ask.Row != nil {
		return ask, nil, err
	}
	receipt := desk.Missing(intent, ask.At)
	return ask, &receipt, nil
}

// deadKey is a dead letter by its row and the act that made it.
func deadKey(row model.Key, act string) (model.Key, error) {
	if strings.EqualFold(act, model.NoToken) {
		return model.KeyOf(append(row.Values(), model.Value{})...), nil
	}
	k, err := model.ParseKey([]model.Column{{Name: "act", Type: model.GUID}}, act)
	if err != nil {
		return model.Key{}, fmt.Errorf("--act: %w", err)
	}
	return model.RowKeyOf(row.Values(), k.Values()[0]), nil
}

// rowReceipt is what the journal knows of an act on a destructive queue.
func (e *entry) rowReceipt(m *model.Mapping) (model.Receipt, error) {
	action, ok := model.ParseAction(e.Action)
	if !ok || e.Seen == nil {
		return model.Receipt{}, fmt.Errorf("journal: act %s: %w", e.ActionID, errors.New("it cannot be read"))
	}
	i := model.Intent{Action: action, Queue: e.Queue, ActionID: e.ActionID, Actor: e.Actor, Reason: e.Reason, Oldest: e.Oldest}
	i.Seen.State, _ = model.ParseState(e.Seen.State)
	if e.Oldest == 0 {
		key, err := model.ParseRow(m.Keys, e.Key)
		if err == nil && action == model.Requeue {
			key, err = deadKey(key, e.Seen.Token)
		}
		if err != nil {
			return model.Receipt{}, fmt.Errorf("journal: act %s: %w", e.ActionID, err)
		}
		i.Key = key
	}
	return model.Receipt{Intent: i, Sent: e.At}, nil
}
