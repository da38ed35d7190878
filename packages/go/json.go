package latchkey

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

type object = map[string]any

const mostSeconds = 1<<53 - 1

// reader reads JSON and notes whether an object repeats a name: parsers differ in which value they use (RFC 8725 §2.4).
type reader struct {
	decoder  *json.Decoder
	hasTwins bool
}

func (r *reader) value() any {
	token, err := r.decoder.Token()
	if err != nil {
		return nil
	}
	switch one := token.(type) {
	case json.Delim:
		if one == '[' {
			return r.list()
		}
		return r.object()
	case json.Number:
		// Too large a number is infinite, as in other languages.
		number, _ := strconv.ParseFloat(one.String(), 64)
		return number
	default:
		return token
	}
}

func (r *reader) list() []any {
	list := []any{}
	for r.decoder.More() {
		list = append(list, r.value())
	}
	_, _ = r.decoder.Token()
	return list
}

func (r *reader) object() object {
	members := object{}
	for r.decoder.More() {
		token, _ := r.decoder.Token()
		name, _ := token.(string)
		if _, isKnown := members[name]; isKnown {
			r.hasTwins = true
		}
		members[name] = r.value()
	}
	_, _ = r.decoder.Token()
	return members
}

// parseObject reads a JSON object; nil for anything else. Strict: also nil when an object repeats a name.
func parseObject(text []byte, strict bool) object {
	if !json.Valid(text) || (strict && !utf8.Valid(text)) {
		return nil
	}
	read := reader{decoder: json.NewDecoder(bytes.NewReader(text))}
	read.decoder.UseNumber()
	value, isObject := read.value().(object)
	if !isObject || (strict && read.hasTwins) {
		return nil
	}
	return value
}

func textOf(value any) (string, bool) {
	text, isString := value.(string)
	return text, isString && text != ""
}

func textListOf(value any) ([]string, bool) {
	list, isList := value.([]any)
	if !isList {
		return nil, false
	}
	texts := make([]string, 0, len(list))
	for _, one := range list {
		text, isString := one.(string)
		if !isString {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// secondsOf reads a NumericDate as Latchkey writes it: whole seconds since 1970.
func secondsOf(value any) (float64, bool) {
	number, isNumber := value.(float64)
	return number, isNumber && number >= 0 && number <= mostSeconds && number == math.Trunc(number)
}

// isNumericDate is true for seconds since 1970, perhaps with a fraction (RFC 7519 §2).
func isNumericDate(value any) bool {
	number, isNumber := value.(float64)
	return isNumber && number >= 0 && number <= mostSeconds
}
