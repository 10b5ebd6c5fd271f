package diagnose

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/leasetop/leasetop/model"
)

// TestSignature holds what is taken out of an error and what stays.
func TestSignature(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "timeout": "timeout", "  two   blanks ": "two blanks",
		"timeout after 41s":                             "timeout after #s",
		"took 1,284.5 ms, limit 1,000":                  "took # ms, limit #",
		"HTTP 503 from the carrier after 3 retries":     "HTTP 503 from the carrier after # retries",
		"http status: 404 for order 4711":               "http status: 404 for order #",
		"error 1205: deadlock victim, process 73":       "error 1205: deadlock victim, process #",
		"exit status 2: cannot open /tmp/x17/a.csv":     "exit status 2: cannot open /tmp/x#/a.csv",
		"code 123456 is no code":                        "code # is no code",
		"job 6F9619FF-8B86-D011-B42D-00C04FC964FF gone": "job # gone",
		"at 0x00A1 and deadbeef01":                      "at # and #",
		"no defaced word":                               "no defaced word",
		"since 2026-03-01T02:59:58.123Z it hangs":       "since # it hangs",
		"on 2026-03-01 02:59:58":                        "on # #",
		"dial tcp 10.1.2.3:1433: connection refused":    "dial tcp #: connection refused",
		"bin 'A-17' of \"east wing\" is unknown":        "bin ‹…› of ‹…› is unknown",
		"can't find the worker's file":                  "can't find the worker's file",
		"can't find 'it's here' now":                    "can't find ‹…› now",
		"an open 'quote":                                "an open 'quote",
		"„Größe“ passt nicht":                           "‹…› passt nicht",
		"first line\nsecond 17":                         "first line",
		"first line⏎second 17":                          "first line",
		"pick-07 said no":                               "pick-# said no",
		"-- 5 --":                                       "-- # --",
	} {
		if got := Signature(in); got != want {
			t.Errorf("%q has the signature %q, not %q", in, got, want)
		}
	}
	if got := Signature(strings.Repeat("wörter ", 100)); utf8.RuneCountInString(got) != signatureLimit || !strings.HasSuffix(got, "…") {
		t.Errorf("a long one has %d characters: %q", utf8.RuneCountInString(got), got)
	}
}

// FuzzSignature holds that a signature ends, is bounded and is one line.
func FuzzSignature(f *testing.F) {
	for _, s := range []string{"a 'b' 1", "\x00\xff'", "“”", "0x", "6F9619FF-8B86-D011-B42D-00C04FC964FF", "error 1 error 2", "''''", "2026-03-01T", "1.1.1.1:", "\u202e'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Signature(s)
		if utf8.RuneCountInString(got) > signatureLimit || strings.ContainsAny(got, "\n") {
			t.Errorf("%q gives %q", s, got)
		}
		if !strings.ContainsAny(s, "\n⏎") && strings.ContainsFunc(got, unicode.IsDigit) && !strings.ContainsFunc(s, unicode.IsDigit) {
			t.Errorf("%q gives %q, which has digits", s, got)
		}
	})
}

func TestGroups(t *testing.T) {
	job := func(id int64, worker, why string, ago time.Duration) *model.Job {
		return &model.Job{Key: key(id), State: model.Failed, Worker: worker, Error: why, Ended: model.Instant{At: epoch.Add(-ago), Raw: model.TimeValue("t")}}
	}
	jobs := []*model.Job{
		job(1, "a", "timeout after 4s", 1*time.Minute), job(2, "b", "", 2*time.Minute), job(3, "a", Lapse, 3*time.Minute),
		job(4, "a", "timeout after 91s", 4*time.Minute), job(5, "", "no such bin", time.Hour), job(6, "c", "HTTP 503", 30*time.Second),
	}
	jobs[4].Ended, jobs[4].Claimed = model.Instant{}, model.Instant{At: epoch.Add(-time.Hour), Raw: model.TimeValue("t")}
	var got []string
	for _, g := range Groups(jobs) {
		var keys []string
		for _, j := range g.Jobs {
			keys = append(keys, j.Key.String())
		}
		got = append(got, strings.Join(keys, " ")+": "+g.Words()+": "+g.Worker+": "+epoch.Sub(g.First).String()+" to "+epoch.Sub(g.Last).String())
	}
	want := strings.Join([]string{
		"3: crash loop: " + Lapse + ": a: 3m0s to 3m0s",
		"1 4: timeout after #s: a: 4m0s to 1m0s",
		"5: no such bin: : 1h0m0s to 1h0m0s",
		"6: HTTP 503: c: 30s to 30s",
		"2: no reason recorded: b: 2m0s to 2m0s",
	}, "\n")
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	jobs[3].Worker = "z"
	if g := Groups(jobs)[1]; g.Workers != 2 || g.Worker != "" {
		t.Errorf("two workers: %d, %q", g.Workers, g.Worker)
	}
}
