package job

import "github.com/leasetop/leasetop/ui/kit"

// Chosen implements kit.Chooser.
func (s *Screen) Chosen(*kit.Env) kit.Chosen { return s.chosen() }
