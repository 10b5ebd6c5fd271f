package report

// Purge is what a purge removed, as `purge --json` prints it.
type Purge struct {
	Queue   string    `json:"queue"`
	Whole   bool      `json:"whole" jsonschema:"false: it was stopped before its end"`
	Removed []Removed `json:"removed"`
}

// Removed is how many rows of one kind went.
type Removed struct {
	What string `json:"what" jsonschema:"purge-done, purge-failed, purge-history or purge-keys"`
	N    int64  `json:"n"`
}
