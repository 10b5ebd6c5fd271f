// Package uitest runs a whole terminal program in a virtual terminal on virtual
// time, so that a test reads like a user at work: keys in, screens out, bytes
// counted.
//
//	uitest.Run(t, uitest.Options{Model: newApp}, func(s *uitest.Session) {
//		s.Press("down", "r")
//		s.Expect("Reclaim job 10421?")
//		s.Wait(10 * time.Second)
//		s.Golden("renewed meanwhile")
//		s.Press("esc", "q")
//	})
//
// After every step the terminal's screen is compared, cell by cell, with the view
// that the program drew last; every line must fit, and nothing but styles and
// links may be in it. A goroutine that outlives the program fails the test.
package uitest
