package text

import (
	"math"
	"strconv"

	"github.com/leasetop/leasetop/model"
)

// Unknown is how a figure that nobody knows is written; never as 0.
const Unknown = "–"

// trusted adds to a figure's text how far to trust it.
func trusted(t model.Trust, s string) string {
	switch t {
	case model.Exact:
		return s
	case model.AtLeast:
		return "≥ " + s
	case model.Capped:
		return s + "+"
	case model.Estimated:
		return "~" + s
	case model.Unknown:
	}
	return Unknown
}

// Count is a number of rows with how far to trust it: "1,284", "≥ 12", "10k+",
// "~48.2k", "–". What is known exactly is written in full.
func Count(c model.Count) string {
	s := Grouped(c.N)
	switch {
	case c.Trust == model.Capped && c.N >= 1000 && c.N%1000 == 0 && c.N < 1_000_000:
		s = strconv.FormatInt(c.N/1000, 10) + "k"
	case c.Trust == model.Estimated && c.N >= 10_000:
		s = scaled(float64(c.N))
	}
	return trusted(c.Trust, s)
}

// Rate is a number of rows a second with how far to trust it: "11.2", "0.0",
// "<0.1", "1,204", "12.3k", "–".
func Rate(r model.Rate) string {
	if math.IsNaN(r.PerSec) || math.IsInf(r.PerSec, 0) {
		return Unknown
	}
	return trusted(r.Trust, perSecond(r.PerSec))
}

func perSecond(f float64) string {
	sign := ""
	if f < 0 {
		sign, f = "−", -f
	}
	switch {
	case f == 0:
		return "0.0"
	case f < 0.05 && sign != "":
		return ">−0.1"
	case f < 0.05:
		return "<0.1"
	case f < 99.95:
		return sign + strconv.FormatFloat(f, 'f', 1, 64)
	case f < 9999.5:
		return sign + Grouped(int64(math.Round(f)))
	}
	return sign + scaled(f)
}

// scaled writes a number from a thousand up with three or four digits and a
// letter: "48.2k", "1.3M".
func scaled(f float64) string {
	letters := []string{"k", "M", "G", "T", "P", "E"}
	i := 0
	for f /= 1000; f >= 999.95 && i < len(letters)-1; i++ {
		f /= 1000
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + letters[i]
}

// Grouped is a whole number with a comma at every third digit.
func Grouped(n int64) string {
	s, sign := strconv.FormatInt(n, 10), ""
	if n < 0 {
		s, sign = s[1:], "−"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Bytes is a size in decimal units: "512 B", "2.0 kB", "14.9 MB".
func Bytes(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	s := scaled(float64(n))
	return s[:len(s)-1] + " " + s[len(s)-1:] + "B"
}

// Plural is a number with its noun: "1 row", "1,284 rows".
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}
