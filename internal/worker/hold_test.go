package worker

import (
	"errors"
	"testing"

	"github.com/leasetop/leasetop/model"
)

const (
	guidMine  = "11111111-1111-1111-1111-111111111111"
	guidNext  = "22222222-2222-2222-2222-222222222222"
	guidOther = "33333333-3333-3333-3333-333333333333"
)

func tokenOf(guid string) model.Token { return model.TokenOf(model.GUIDValue(guid)) }

// TestJudge walks every state of a row under every token that it can carry, for a
// step that keeps the token (next empty) and for one that replaces it.
func TestJudge(t *testing.T) {
	mine, next, other := tokenOf(guidMine), tokenOf(guidNext), tokenOf(guidOther)
	for _, c := range []struct {
		name  string
		token model.Token
		state model.State
		keep  Hold // a heartbeat or a completion
		swap  Hold // a failure or a release that writes next
	}{
		{"still working with my token", mine, model.Working, Held, Held},
		{"done with my token", mine, model.Done, Confirmed, Confirmed},
		{"failed with my token: nobody writes that", mine, model.Failed, Lost, Lost},
		{"ready with my token: nobody writes that", mine, model.Ready, Lost, Lost},
		{"scheduled with my token: nobody writes that", mine, model.Scheduled, Lost, Lost},
		{"a state without a name, my token", mine, model.StateUnknown, Lost, Lost},

		{"scheduled with my replacement", next, model.Scheduled, Lost, Confirmed},
		{"ready with my replacement", next, model.Ready, Lost, Confirmed},
		{"failed with my replacement", next, model.Failed, Lost, Confirmed},

		{"working for somebody else", other, model.Working, Lost, Lost},
		{"done by somebody else", other, model.Done, Lost, Lost},
		{"ready under a token that I did not make", other, model.Ready, Lost, Lost},
		{"scheduled by recovery", other, model.Scheduled, Lost, Lost},
		{"failed by recovery", other, model.Failed, Lost, Lost},

		{"working without a token", model.Token{}, model.Working, Lost, Lost},
		{"done without a token", model.Token{}, model.Done, Lost, Lost},
		{"ready without a token", model.Token{}, model.Ready, Lost, Lost},
	} {
		row := &model.Job{Token: c.token, State: c.state}
		if got := judge(row, nil, mine, ""); got != c.keep {
			t.Errorf("%s, the step keeps the token: %v, want %v", c.name, got, c.keep)
		}
		if got := judge(row, nil, mine, guidNext); got != c.swap {
			t.Errorf("%s, the step replaces the token: %v, want %v", c.name, got, c.swap)
		}
	}
}

func TestJudgeWithoutARow(t *testing.T) {
	if got := judge(nil, nil, tokenOf(guidMine), guidNext); got != Lost {
		t.Errorf("a row that is gone: %v, want lost", got)
	}
	if got := judge(nil, errors.New("no connection"), tokenOf(guidMine), guidNext); got != Unknown {
		t.Errorf("a row that cannot be read: %v, want unknown", got)
	}
	done := &model.Job{Token: tokenOf(guidMine), State: model.Done}
	if got := judge(done, errors.New("half an answer"), tokenOf(guidMine), ""); got != Unknown {
		t.Errorf("an answer with an error proves nothing: %v, want unknown", got)
	}
	bare := &model.Job{State: model.Working}
	if got := judge(bare, nil, model.Token{}, ""); got != Lost {
		t.Errorf("a claim without a token holds nothing: %v, want lost", got)
	}
	if (Hold(0)) != Unknown || Hold(9).String() != "unknown" {
		t.Error("the zero hold must claim nothing")
	}
}
