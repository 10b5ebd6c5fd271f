// Package themes turns a small palette of tokens into styles. Screens know tokens
// only: what a thing means, never which colour it has. Every theme gives every
// token an ink for terminals with many colours, with sixteen, and with none.
package themes

// Token names one meaning that an ink carries on the screen.
type Token uint8

// The tokens. Warn and Bad are for what needs a person and for nothing else.
const (
	Plain      Token = iota // ordinary text
	Strong                  // names and figures that are read first
	Dim                     // labels and units: what stands back
	Accent                  // where one is: the cursor, the open tab, keys
	Warn                    // wants a look
	Bad                     // wants an act
	Border                  // boxes and rules
	Off                     // a key that is there but not allowed now
	Code                    // statements and payloads
	LineA                   // a chart's first series
	LineB                   // a chart's second series
	Training                // the frame of a training queue
	Production              // the frame of a server that is not marked dev
	Frozen                  // the frame of a picture that stands still
	Selected                // the ground under the selected row
	Past                    // the frame of a picture of the past, or of a recording
	MarkRed                 // a server that was given this colour, and so on
	MarkGreen
	MarkYellow
	MarkBlue
	MarkMagenta
	MarkCyan
	tokens
)

var tokenNames = [tokens]string{
	"plain", "strong", "dim", "accent", "warn", "bad", "border", "off", "code",
	"line-a", "line-b", "training", "production", "frozen", "selected", "past",
	"mark-red", "mark-green", "mark-yellow", "mark-blue", "mark-magenta", "mark-cyan",
}

// String is the token's word in tests and docs.
func (t Token) String() string {
	if t < tokens {
		return tokenNames[t]
	}
	return "unknown"
}

// Tokens lists every token.
func Tokens() []Token {
	all := make([]Token, tokens)
	for i := range all {
		all[i] = Token(i)
	}
	return all
}

// Grounded reports whether the token has a ground of its own under its words.
func (t Token) Grounded() bool { return t >= MarkRed && t <= MarkCyan }

// Marks lists the tokens that a server can be given, each called by its colour.
func Marks() []Token {
	return []Token{MarkRed, MarkGreen, MarkYellow, MarkBlue, MarkMagenta, MarkCyan}
}

// MarkNamed finds the mark of a colour.
func MarkNamed(color string) (Token, bool) {
	for _, t := range Marks() {
		if t.String() == "mark-"+color {
			return t, true
		}
	}
	return Plain, false
}
