package themes

// The sixteen colours are the terminal's own, and few of them can be read wherever
// they are: on dark grounds the bright ones without blue, on light ones red, blue,
// magenta and grey. What stands back is the terminal's own colour there, because the
// grey of some is the ground of others.

// dark is for dark grounds: one blue accent, greys that stand back.
func dark() Palette {
	return Palette{
		Strong:      {Bold: true},
		Dim:         {Fore: Shade{"#99a2b3", 248, 0}},
		Accent:      {Fore: Shade{"#7aa2f7", 111, 14}},
		Warn:        {Fore: Shade{"#e0af68", 179, 11}},
		Bad:         {Fore: Shade{"#ff7a93", 210, 9}, Bold: true},
		Border:      {Fore: Shade{"#6a7490", 243, 0}},
		Off:         {Fore: Shade{"#767f95", 245, 8}},
		Code:        {Fore: Shade{"#c0caf5", 252, 0}},
		LineA:       {Fore: Shade{"#7aa2f7", 111, 14}},
		LineB:       {Fore: Shade{"#a3adbf", 249, 7}},
		Training:    {Fore: Shade{"#bb9af7", 177, 13}, Bold: true},
		Production:  {Fore: Shade{"#ff9e64", 215, 3}},
		Frozen:      {Fore: Shade{"#7dcfff", 117, 14}, Bold: true},
		Past:        {Fore: Shade{"#9ece6a", 149, 10}, Bold: true},
		Selected:    {Ground: Shade{"#283457", 237, 0}, Bold: true},
		MarkRed:     {Fore: Shade{"#ffd3d3", 224, 15}, Ground: Shade{"#6b2b33", 52, 1}},
		MarkGreen:   {Fore: Shade{"#cdf0c4", 194, black}, Ground: Shade{"#265230", 22, 2}},
		MarkYellow:  {Fore: Shade{"#f4e6b4", 230, black}, Ground: Shade{"#5c4c14", 58, 3}},
		MarkBlue:    {Fore: Shade{"#dbe7ff", 189, 15}, Ground: Shade{"#2a5298", 18, 4}},
		MarkMagenta: {Fore: Shade{"#f6d6f9", 225, 15}, Ground: Shade{"#66306f", 53, 5}},
		MarkCyan:    {Fore: Shade{"#c6f0f1", 195, black}, Ground: Shade{"#15595a", 23, 6}},
	}
}

// light is for light grounds.
func light() Palette {
	return Palette{
		Strong:      {Bold: true},
		Dim:         {Fore: Shade{"#5d6470", 240, 0}},
		Accent:      {Fore: Shade{"#1f5fbf", 25, 4}},
		Warn:        {Fore: Shade{"#8a5a00", 58, 5}, Bold: true},
		Bad:         {Fore: Shade{"#b8142c", 124, 1}, Bold: true},
		Border:      {Fore: Shade{"#7f8692", 245, 8}},
		Off:         {Fore: Shade{"#767c87", 243, 8}},
		Code:        {Fore: Shade{"#30384a", 236, 0}},
		LineA:       {Fore: Shade{"#1f5fbf", 25, 4}},
		LineB:       {Fore: Shade{"#626975", 241, 0}},
		Training:    {Fore: Shade{"#7c3aad", 91, 5}, Bold: true},
		Production:  {Fore: Shade{"#a84200", 94, 1}},
		Frozen:      {Fore: Shade{"#006a8e", 24, 4}, Bold: true},
		Past:        {Fore: Shade{"#33691e", 22, 0}, Bold: true},
		Selected:    {Ground: Shade{"#d6e2fa", 189, 0}, Bold: true},
		MarkRed:     {Fore: Shade{"#7a0f20", 88, 15}, Ground: Shade{"#f8d0d3", 224, 1}},
		MarkGreen:   {Fore: Shade{"#1b5220", 22, black}, Ground: Shade{"#cdeccd", 194, 2}},
		MarkYellow:  {Fore: Shade{"#574400", 58, black}, Ground: Shade{"#f3e6b0", 229, 3}},
		MarkBlue:    {Fore: Shade{"#153a7a", 18, 15}, Ground: Shade{"#b9d3f7", 153, 4}},
		MarkMagenta: {Fore: Shade{"#6d176d", 53, 15}, Ground: Shade{"#efc8f3", 225, 5}},
		MarkCyan:    {Fore: Shade{"#00505a", 23, black}, Ground: Shade{"#bfe9ec", 159, 6}},
	}
}

// contrastDark is for eyes or rooms in which greys are not seen.
func contrastDark() Palette {
	p := dark()
	p[Plain] = Ink{Fore: Shade{"#ffffff", 0, 15}}
	p[Strong] = Ink{Fore: Shade{"#ffffff", 0, 15}, Bold: true}
	p[Dim] = Ink{Fore: Shade{"#d8d8d8", 252, 7}}
	p[Accent] = Ink{Fore: Shade{"#5fffff", 0, 14}, Bold: true}
	p[Warn] = Ink{Fore: Shade{"#ffff5f", 0, 11}, Bold: true}
	p[Bad] = Ink{Fore: Shade{"#ffa3a3", 217, 9}, Bold: true, Underline: true}
	p[Border] = Ink{Fore: Shade{"#ffffff", 0, 15}}
	p[Off] = Ink{Fore: Shade{"#b8b8b8", 250, 7}}
	p[Code] = Ink{Fore: Shade{"#ffffff", 0, 15}}
	p[LineA] = Ink{Fore: Shade{"#5fffff", 0, 14}, Bold: true}
	p[LineB] = Ink{Fore: Shade{"#ffffff", 0, 15}}
	p[Training] = Ink{Fore: Shade{"#ff9dff", 219, 13}, Bold: true}
	p[Production] = Ink{Fore: Shade{"#ffaf5f", 0, 3}, Bold: true}
	p[Frozen] = Ink{Fore: Shade{"#87d7ff", 0, 14}, Bold: true}
	p[Past] = Ink{Fore: Shade{"#87ff87", 0, 10}, Bold: true}
	p[Selected] = Ink{Fore: Shade{"#000000", 16, 0}, Ground: Shade{"#ffffff", 231, 0}, Bold: true}
	for _, t := range Marks() {
		p[t].Fore.Hex, p[t].Fore.Index, p[t].Bold = "#ffffff", 231, true
	}
	return p
}

// contrastLight is contrastDark's counterpart on a light ground.
func contrastLight() Palette {
	p := light()
	p[Plain] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[Strong] = Ink{Fore: Shade{"#000000", 0, 0}, Bold: true}
	p[Dim] = Ink{Fore: Shade{"#333333", 236, 0}}
	p[Accent] = Ink{Fore: Shade{"#00408f", 18, 4}, Bold: true}
	p[Warn] = Ink{Fore: Shade{"#6a4300", 58, 5}, Bold: true, Underline: true}
	p[Bad] = Ink{Fore: Shade{"#9a0018", 88, 1}, Bold: true, Underline: true}
	p[Border] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[Off] = Ink{Fore: Shade{"#505050", 239, 8}}
	p[Code] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[LineA] = Ink{Fore: Shade{"#00408f", 18, 4}, Bold: true}
	p[LineB] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[Training] = Ink{Fore: Shade{"#5f1a8f", 54, 5}, Bold: true}
	p[Production] = Ink{Fore: Shade{"#8a3500", 94, 1}, Bold: true}
	p[Frozen] = Ink{Fore: Shade{"#004f6b", 23, 4}, Bold: true}
	p[Past] = Ink{Fore: Shade{"#1b4d0e", 22, 12}, Bold: true}
	p[Selected] = Ink{Fore: Shade{"#ffffff", 231, 0}, Ground: Shade{"#000000", 16, 0}, Bold: true}
	for _, t := range Marks() {
		p[t].Fore.Hex, p[t].Fore.Index, p[t].Bold = "#000000", 16, true
	}
	return p
}

// none uses attributes only: NO_COLOR and terminals without colours.
func none() Palette {
	return Palette{
		Strong:      {Bold: true},
		Dim:         {},
		Accent:      {Bold: true},
		Warn:        {Bold: true},
		Bad:         {Bold: true, Underline: true},
		Border:      {Faint: true},
		Off:         {Faint: true},
		Code:        {},
		LineA:       {Bold: true},
		LineB:       {},
		Training:    {Bold: true},
		Production:  {Bold: true},
		Frozen:      {Reverse: true},
		Past:        {Reverse: true},
		Selected:    {Reverse: true},
		MarkRed:     {Bold: true},
		MarkGreen:   {Bold: true},
		MarkYellow:  {Bold: true},
		MarkBlue:    {Bold: true},
		MarkMagenta: {Bold: true},
		MarkCyan:    {Bold: true},
	}
}
