package kit

import "github.com/leasetop/leasetop/model"

// Trick is a line of the menu with which a trainer lets something go wrong.
type Trick struct {
	Name string // as it is asked for
	Does string // what it would do now
	Why  string // why it can do nothing here; empty: it can
}

// DoTrick does a trick to a queue. Key is the job whose worker is meant; the zero key: any.
// The answer is Tricked.
type DoTrick struct {
	Queue string
	Name  string
	Key   model.Key
}

func (DoTrick) action() {}

// Tricked is what a trick did. Tricks is the menu as it is now.
type Tricked struct {
	Said   string
	Err    error
	Tricks []Trick
}

func (Tricked) answer() {}
