package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
)

// TestWhoWaitsForInputCanBeStopped ends the context while nothing comes any more: what
// was read until then is lost to nobody, and the read behind it is not waited for.
func TestWhoWaitsForInputCanBeStopped(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	ctx, stop := context.WithCancel(t.Context())
	a := &app{World: World{In: in}}
	ended := make(chan error, 1)
	go func() {
		_, err := a.readList(ctx, "-", planned(actA).Mapping)
		ended <- err
	}()
	if _, err := io.WriteString(feed, "1 none\n"); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; !errors.Is(err, errStopped) || !strings.Contains(err.Error(), "nothing was sent") || exitCode(err) != exitFailed {
		t.Errorf("a list: %v", err)
	}
	if err := a.lines(ctx, model.NewJob{}, func([]model.NewJob) error { t.Error("a part of a batch was added"); return nil }); !errors.Is(err, errStopped) {
		t.Errorf("jobs: %v", err)
	}
}

// TestReadingIsWhole reads through it what is longer than one of its reads.
func TestReadingIsWhole(t *testing.T) {
	want := strings.Repeat("0123456789", 50_000)
	got, err := io.ReadAll(reading{t.Context(), strings.NewReader(want)})
	if err != nil || string(got) != want {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}
