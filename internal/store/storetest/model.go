package storetest

func modelCases() []testCase { return nil }
