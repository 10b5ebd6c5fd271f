package themes

// dark is for dark grounds: one blue accent, greys that stand back.
func dark() Palette {
	return Palette{
		Strong:     {Bold: true},
		Dim:        {Fore: Shade{"#8f98a8", 246, 0}},
		Accent:     {Fore: Shade{"#7aa2f7", 111, 14}},
		Warn:       {Fore: Shade{"#e0af68", 179, 11}},
		Bad:        {Fore: Shade{"#ff7a93", 204, 9}, Bold: true},
		Border:     {Fore: Shade{"#5c6580", 240, 8}},
		Off:        {Fore: Shade{"#6b7388", 243, 8}},
		Code:       {Fore: Shade{"#c0caf5", 252, 0}},
		LineA:      {Fore: Shade{"#7aa2f7", 111, 14}},
		LineB:      {Fore: Shade{"#9aa5b8", 248, 7}},
		Training:   {Fore: Shade{"#bb9af7", 141, 13}, Bold: true},
		Production: {Fore: Shade{"#ff9e64", 215, 3}},
		Frozen:     {Fore: Shade{"#7dcfff", 117, 12}, Bold: true},
		Selected:   {Ground: Shade{"#283457", 237, 0}, Bold: true},
	}
}

// light is for light grounds.
func light() Palette {
	return Palette{
		Strong:     {Bold: true},
		Dim:        {Fore: Shade{"#5d6470", 241, 0}},
		Accent:     {Fore: Shade{"#1f5fbf", 25, 4}},
		Warn:       {Fore: Shade{"#8a5a00", 94, 3}, Bold: true},
		Bad:        {Fore: Shade{"#b8142c", 124, 1}, Bold: true},
		Border:     {Fore: Shade{"#868d99", 246, 7}},
		Off:        {Fore: Shade{"#7b818c", 245, 7}},
		Code:       {Fore: Shade{"#30384a", 236, 0}},
		LineA:      {Fore: Shade{"#1f5fbf", 25, 4}},
		LineB:      {Fore: Shade{"#6d7480", 243, 8}},
		Training:   {Fore: Shade{"#7c3aad", 91, 5}, Bold: true},
		Production: {Fore: Shade{"#b34700", 130, 1}},
		Frozen:     {Fore: Shade{"#006a8e", 24, 6}, Bold: true},
		Selected:   {Ground: Shade{"#d6e2fa", 189, 0}, Bold: true},
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
	p[Bad] = Ink{Fore: Shade{"#ff8787", 0, 9}, Bold: true, Underline: true}
	p[Border] = Ink{Fore: Shade{"#ffffff", 0, 15}}
	p[Off] = Ink{Fore: Shade{"#b8b8b8", 250, 7}}
	p[Code] = Ink{Fore: Shade{"#ffffff", 0, 15}}
	p[LineA] = Ink{Fore: Shade{"#5fffff", 0, 14}, Bold: true}
	p[LineB] = Ink{Fore: Shade{"#ffffff", 0, 15}}
	p[Training] = Ink{Fore: Shade{"#ff87ff", 0, 13}, Bold: true}
	p[Production] = Ink{Fore: Shade{"#ffaf5f", 0, 3}, Bold: true}
	p[Frozen] = Ink{Fore: Shade{"#87d7ff", 0, 12}, Bold: true}
	p[Selected] = Ink{Reverse: true, Bold: true}
	return p
}

// contrastLight is contrastDark's counterpart on a light ground.
func contrastLight() Palette {
	p := light()
	p[Plain] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[Strong] = Ink{Fore: Shade{"#000000", 0, 0}, Bold: true}
	p[Dim] = Ink{Fore: Shade{"#333333", 236, 0}}
	p[Accent] = Ink{Fore: Shade{"#00408f", 18, 4}, Bold: true}
	p[Warn] = Ink{Fore: Shade{"#6a4300", 58, 3}, Bold: true, Underline: true}
	p[Bad] = Ink{Fore: Shade{"#9a0018", 88, 1}, Bold: true, Underline: true}
	p[Border] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[Off] = Ink{Fore: Shade{"#555555", 240, 8}}
	p[Code] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[LineA] = Ink{Fore: Shade{"#00408f", 18, 4}, Bold: true}
	p[LineB] = Ink{Fore: Shade{"#000000", 0, 0}}
	p[Training] = Ink{Fore: Shade{"#5f1a8f", 54, 5}, Bold: true}
	p[Production] = Ink{Fore: Shade{"#8a3500", 94, 1}, Bold: true}
	p[Frozen] = Ink{Fore: Shade{"#004f6b", 23, 6}, Bold: true}
	p[Selected] = Ink{Reverse: true, Bold: true}
	return p
}

// none uses attributes only: NO_COLOR and terminals without colours.
func none() Palette {
	return Palette{
		Strong:     {Bold: true},
		Dim:        {},
		Accent:     {Bold: true},
		Warn:       {Bold: true},
		Bad:        {Bold: true, Underline: true},
		Border:     {Faint: true},
		Off:        {Faint: true},
		Code:       {},
		LineA:      {Bold: true},
		LineB:      {},
		Training:   {Bold: true},
		Production: {Bold: true},
		Frozen:     {Reverse: true},
		Selected:   {Reverse: true},
	}
}
