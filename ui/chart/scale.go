package chart

import (
	"math"
	"strconv"
	"time"
)

// Scale says which ceilings an axis may have and how a value is written on it.
type Scale struct {
	// Label writes a value in at most LabelWidth cells.
	Label func(v float64) string
	// above is the least nice ceiling that is not below v.
	above func(v float64) float64
}

// calm is how far below the ceiling the curve must stay before the axis shrinks:
// growing is at once, because a curve must not be cut; a smaller axis can wait.
const calm = 0.4

// ceiling is the axis' upper end for a greatest value, given the one before.
func (s Scale) ceiling(most, before float64) float64 {
	need := s.above(most)
	if need < before && most > before*calm {
		return before
	}
	return need
}

// Seconds is the scale of ages, in seconds. Every ceiling has a plain half.
func Seconds() Scale {
	steps := []time.Duration{
		4 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 6 * time.Minute,
		10 * time.Minute, 20 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 12 * time.Hour,
		24 * time.Hour, 48 * time.Hour, 96 * time.Hour, 240 * time.Hour, 480 * time.Hour,
	}
	return Scale{
		Label: ageLabel,
		above: func(v float64) float64 {
			for _, s := range steps {
				if v <= s.Seconds() {
					return s.Seconds()
				}
			}
			return 86400 * decimal(v/86400)
		},
	}
}

// PerSecond is the scale of rates.
func PerSecond() Scale {
	return Scale{Label: rateLabel, above: func(v float64) float64 { return max(1, decimal(v)) }}
}

// decimal is the least of 1, 2, 4 times a power of ten that is not below v.
func decimal(v float64) float64 {
	if v <= 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 4, 10} {
		if v <= n*p*(1+1e-12) {
			return n * p
		}
	}
	return 10 * p
}

func ageLabel(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}} {
		if v >= u.size && math.Mod(v, u.size) == 0 {
			return short(v/u.size) + u.name
		}
	}
	return short(v) + "s"
}

func rateLabel(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= u.size {
			return short(v/u.size) + u.name
		}
	}
	return short(v)
}

// short writes a number in at most three cells.
func short(v float64) string {
	if v >= 1000 {
		return "1k+"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
