package report

import (
	"bytes"
	"testing"

	"github.com/leasetop/leasetop/model"
)

func TestBulk(t *testing.T) {
	why, file := "a right is missing", "/state/leasetop/bulk/1.jsonl"
	var j, txt bytes.Buffer
	for _, b := range []Bulk{
		{Action: "reclaim", Queue: "orders", Total: 412, Applied: 409, Changed: 3, File: &file},
		{Action: "requeue", Queue: "orders", Total: 5, Applied: 1, Gone: 1, Refused: 1, Unknown: 1, Left: 1, Stopped: &why},
		{Action: "extend", Queue: "orders", Total: 1, Applied: 1},
	} {
		var line bytes.Buffer
		if err := WriteLine(&line, b); err != nil {
			t.Fatal(err)
		}
		holds[Bulk](t, "bulk", line.Bytes())
		j.Write(line.Bytes())
		if err := PlainBulk(&txt, b); err != nil {
			t.Fatal(err)
		}
	}
	gone := receipt()
	gone.Outcome, gone.Message = model.Gone, "gone: no such job\x1b[2J"
	if err := PlainRow(&txt, gone); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/bulk.jsonl", j.Bytes())
	golden(t, "testdata/bulk.txt", txt.Bytes())
}

func TestPreview(t *testing.T) {
	first := model.Plan{
		Intent: receipt().Intent, Row: job(10421, tokenA, at(1)), Mapping: mapping(), Effects: []string{"It runs again."}, Refusal: model.Yes(),
		Statement: model.Statement{Op: "reclaim", Text: "UPDATE …\nWHERE JobId = @key\n", Right: "UPDATE", Args: []model.Arg{
			{Name: "key", Declared: "bigint", Value: model.IntValue(10421)},
		}},
	}
	plan, name, wait, ms := FromPlan(first), "orders", "12 of 14 leases ran out within 5m00s", int64(290_000)
	p := Preview{
		Effects: []string{"Each job becomes ready under a new token."},
		Counts:  []EffectCount{{Kind: "lease-taken", Text: "whose lease still runs", N: 1}},
		Action:  "reclaim", Queue: "orders", Total: 5, Fit: 2, Changed: 1, Gone: 1, Refused: 1, Statement: &plan,
		Confirm: &name, Reason: true, Wait: &wait, WaitMs: &ms, Not: []string{"job 7: there is no such job any more"},
	}
	var j, txt bytes.Buffer
	if err := WriteJSON(&j, p); err != nil {
		t.Fatal(err)
	}
	holds[Preview](t, "preview", j.Bytes())
	if err := PlainPreview(&txt, p, first); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/preview.json", j.Bytes())
	golden(t, "testdata/preview.txt", txt.Bytes())
}
