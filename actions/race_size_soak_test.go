//go:build soak

package actions_test

const raceActions = 10_000
