package model

import "errors"

// MarshalBinary is the key exactly, for recordings.
func (k Key) MarshalBinary() ([]byte, error) { return []byte(k.packed), nil }

// UnmarshalBinary reads what MarshalBinary wrote and refuses anything else.
func (k *Key) UnmarshalBinary(b []byte) (err error) {
	k.packed, err = packed(b)
	return err
}

// MarshalBinary is the token exactly, for recordings.
func (t Token) MarshalBinary() ([]byte, error) { return []byte(t.packed), nil }

// UnmarshalBinary reads what MarshalBinary wrote and refuses anything else.
func (t *Token) UnmarshalBinary(b []byte) (err error) {
	t.packed, err = packed(b)
	return err
}

// packed makes sure that bytes are packed values.
func packed(b []byte) (string, error) {
	s := string(b)
	for _, v := range unpack(s) {
		if int(v.Type) >= len(typeNames) {
			return "", errors.New("a value of no known type")
		}
	}
	if pack(unpack(s)) != s {
		return "", errors.New("not the packed values of a key or a token")
	}
	return s, nil
}
