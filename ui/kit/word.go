package kit

// Word is a word on a screen and what it means.
type Word struct{ Word, Means string }

// Explainer is a screen whose help says what its words mean.
type Explainer interface {
	// Words are in the order in which the screen has them.
	Words(e *Env) []Word
}
