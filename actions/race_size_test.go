//go:build !soak

package actions_test

// raceActions is how many acts the suite races; a soak races the design's number.
const raceActions = 600
