// Package main must not compile: it passes a runtime string as SQL.
package main

import (
	"os"

	"github.com/leasetop/leasetop/internal/store/sqltext"
)

func main() {
	sqltext.Raw(os.Args[1])
}
