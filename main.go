// Command leasetop watches work queues kept in SQL Server tables. All that it does
// is in internal/cli.
package main

import (
	"context"
	"os"

	"github.com/leasetop/leasetop/internal/cli"
)

func main() { os.Exit(cli.Run(context.Background(), cli.Process(), os.Args[1:])) }
