package tdstest

import "errors"

// What a request says that begins or ends a transaction in the protocol's own way,
// without a statement: the text of the Request.
const (
	Begin    = "BEGIN TRANSACTION"
	Commit   = "COMMIT TRANSACTION"
	Rollback = "ROLLBACK TRANSACTION"
)

// transaction is a kind of such a request, and how the answer tells that it was
// carried out.
type transaction struct {
	kind uint16
	text string
	told byte
}

func transactions() []transaction {
	return []transaction{{5, Begin, 8}, {7, Commit, 9}, {8, Rollback, 10}}
}

// parseTransaction reads a request to the transaction manager.
func parseTransaction(b []byte) (Request, error) {
	r := reader{b: b}
	r.headers()
	kind := r.u16()
	for _, t := range transactions() {
		if t.kind == kind {
			return Request{Text: t.text}, r.err
		}
	}
	return Request{}, errors.New("tdstest: only begin, commit and rollback are known")
}

// transaction tells that a transaction began or ended; every other text says nothing
// of one.
func (w *writer) transaction(text string) {
	id := []byte{8, 1, 0, 0, 0, 0, 0, 0, 1}
	for _, t := range transactions() {
		if t.text != text {
			continue
		}
		w.u8(tokenEnvChange)
		w.sized(func(in *writer) {
			in.u8(t.told)
			if text == Begin {
				in.b = append(append(in.b, id...), 0)
				return
			}
			in.b = append(append(in.b, 0), id...)
		})
	}
}
