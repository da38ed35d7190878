package latchkey

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

const longestURL = 2048

var (
	schemeShape     = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*):`)
	escapeShape     = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	numberShape     = regexp.MustCompile(`^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$`)
	hostShape       = regexp.MustCompile(`^[a-z0-9!$&'()*+,;=_~.\-{}"` + "`" + `]+$`)
	unreservedShape = regexp.MustCompile(`^[A-Za-z0-9\-._~]$`)
	lineEnds        = strings.NewReplacer("\t", "", "\n", "", "\r", "")
)

func unescape(text string) string {
	return escapeShape.ReplaceAllStringFunc(text, func(escaped string) string {
		code, _ := strconv.ParseUint(escaped[1:], 16, 8)
		return string([]byte{byte(code)})
	})
}

// ipv4Of reads the spellings of an address that browsers accept, such as `0x7f.1`.
func ipv4Of(host string) (string, bool) {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(parts) > 4 {
		return "", false
	}
	var sum uint64
	for i, part := range parts {
		base := 10
		switch {
		case strings.HasPrefix(part, "0x"):
			part, base = "0"+part[2:], 16
		case len(part) > 1 && part[0] == '0':
			base = 8
		}
		number, err := strconv.ParseUint(part, base, 32)
		isLast := i == len(parts)-1
		switch {
		case err != nil || (!isLast && number > 255) || (isLast && number >= 1<<(8*(5-len(parts)))):
			return "", false
		case isLast:
			sum += number
		default:
			sum += number << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}).String(), true
}

// normalHost returns false for a host that is none. Names must be ASCII: write others in Punycode.
func normalHost(host string) (string, bool) {
	if inner, isOpen := strings.CutPrefix(host, "["); isOpen {
		inner, isClosed := strings.CutSuffix(inner, "]")
		address, err := netip.ParseAddr(inner)
		return "[" + address.String() + "]", isClosed && err == nil && address.Is6() && address.Zone() == ""
	}
	host = strings.ToLower(unescape(host))
	if !hostShape.MatchString(host) {
		return "", false
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	if numberShape.MatchString(labels[len(labels)-1]) {
		return ipv4Of(host)
	}
	return host, true
}

func normalPort(port, scheme string) (string, bool) {
	if port == "" {
		return "", true
	}
	number, err := strconv.ParseUint(port, 10, 16)
	switch {
	case err != nil || strings.Trim(port, "0123456789") != "":
		return "", false
	case (scheme == "https" && number == 443) || (scheme == "http" && number == 80):
		return "", true
	}
	return ":" + strconv.FormatUint(number, 10), true
}

// withoutDots resolves dot segments (RFC 3986 §5.2.4).
func withoutDots(path string) string {
	segments := strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")
	var kept []string
	for i, segment := range segments[1:] {
		isLast := i == len(segments)-2
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".":
			if isLast {
				kept = append(kept, "")
			}
		case "..":
			kept = kept[:max(0, len(kept)-1)]
			if isLast {
				kept = append(kept, "")
			}
		default:
			kept = append(kept, segment)
		}
	}
	return "/" + strings.Join(kept, "/")
}

// normalPath: `%7e` and `~` are one, and so are `%2f` and `%2F` (RFC 3986 §6.2.2).
func normalPath(path string) string {
	var escaped strings.Builder
	for _, one := range []byte(withoutDots(path)) {
		if one <= ' ' || one >= 0x7f || strings.IndexByte("\"<>^`{}", one) >= 0 {
			escaped.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(one)+0x100, 16)[1:]))
		} else {
			escaped.WriteByte(one)
		}
	}
	return escapeShape.ReplaceAllStringFunc(escaped.String(), func(escape string) string {
		if character := unescape(escape); unreservedShape.MatchString(character) {
			return character
		}
		return strings.ToUpper(escape)
	})
}

// normalURL normalises a URL as proofs are compared (RFC 9449 §4.3): without query and fragment (RFC 3986 §6.2.2,
// §6.2.3). It returns false when it is not an HTTP URL.
func normalURL(text string) (string, bool) {
	if isLonger(text, longestURL) {
		return "", false
	}
	text = lineEnds.Replace(strings.TrimFunc(text, func(one rune) bool { return one <= ' ' }))
	found := schemeShape.FindStringSubmatch(text)
	if found == nil {
		return "", false
	}
	scheme := strings.ToLower(found[1])
	if scheme != "https" && scheme != "http" {
		return "", false
	}
	rest, _, _ := strings.Cut(text[len(found[0]):], "#")
	rest, _, _ = strings.Cut(rest, "?")
	if strings.Trim(rest, `/\`) == rest {
		return "", false // relative: there is no authority
	}
	rest = strings.TrimLeft(rest, `/\`)
	authority, path := rest, "/"
	if end := strings.IndexAny(rest, `/\`); end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		if strings.Trim(authority[:at], ":") != "" {
			return "", false
		}
		authority = authority[at+1:]
	}
	host, port := authority, ""
	if colon := strings.LastIndex(authority, ":"); colon > strings.LastIndex(authority, "]") {
		host, port = authority[:colon], authority[colon+1:]
	}
	host, isHost := normalHost(host)
	port, isPort := normalPort(port, scheme)
	return scheme + "://" + host + port + normalPath(path), isHost && isPort
}
