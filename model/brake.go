package model

// Brake is whether claims of a queue are stopped, and who stopped or last released
// them. It is kept in the database and read by the claim itself.
type Brake struct {
	On     bool
	At     Instant // since when it is as it is; NULL: it was never touched
	Actor  string  // who says it was, unproved
	Login  string  // who the server says it was
	Reason string
}

// Words are who put or released it and why.
func (b *Brake) Words() string {
	who := b.Actor
	if who == "" {
		who = "somebody"
	}
	if b.Login != "" && b.Login != b.Actor {
		who += " (" + b.Login + ")"
	}
	if b.Reason == "" {
		return "by " + who
	}
	return "by " + who + ", " + b.Reason
}
