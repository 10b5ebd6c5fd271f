package model

import "time"

// Reason is one reason for which a job is not moving, with what it rests on and
// what can be done.
type Reason struct {
	Kind     string // stable, such as "locked" or "not-due"
	Severity Severity
	Text     string
	Evidence []string
	Cure     string
}

// Why is what is known of why a job is not moving, the decisive reason first.
type Why struct {
	Key     Key
	Job     *Job      // as it was read for this; nil: there is no such row
	At      time.Time // the server's time of Job; zero: not read
	Reasons []Reason
	Unknown []string // what could not be found out, and why
}
