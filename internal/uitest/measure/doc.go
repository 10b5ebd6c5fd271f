// Package measure holds what can only be measured on the real program in a real
// pseudo-terminal: time from key to screen, the first screen, processor time,
// memory. It prints each figure beside its limit:
//
//	go test -tags soak -v -run Budget ./internal/uitest/measure
//
// .ci/budgets runs it beside the benchmarks that have a limit.
package measure
