// Package model says what a queue is: its mapping, the states of a job, the key
// and the token that identify a claim, figures that say how far to trust them,
// the snapshots that are drawn and the plans and receipts of an operator's acts.
//
// Everything here is a pure value: no clock, no database, no terminal. The
// package imports no other package of leasetop, and every zero value means
// "unknown" rather than "zero" or "success".
package model
