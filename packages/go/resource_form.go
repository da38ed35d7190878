package latchkey

import (
	"regexp"
	"strings"
)

var (
	visible       = regexp.MustCompile(`^[!-~]+$`)
	withAuthority = regexp.MustCompile(`(?i)^([a-z][a-z0-9+.-]*)://([^/?#]*@)?([^/?#]*?)(?::([0-9]*))?([/?#].*)?$`)
	schemeOnly    = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:`)
	triplet       = regexp.MustCompile(`(?i)%[0-9a-f]{2}`)
	defaultPorts  = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}
)

func authorityForm(parts []string) string {
	scheme, port, path := strings.ToLower(parts[1]), parts[4], parts[5]
	form := scheme + "://" + parts[2] + strings.ToLower(parts[3])
	if port != "" && port != defaultPorts[scheme] {
		form += ":" + port
	}
	if !strings.HasPrefix(path, "/") {
		form += "/"
	}
	return form + path
}

// resourceForm returns the form in which resources (RFC 8707) and audiences are compared: the case of scheme, host and
// percent-encoding (RFC 3986 §6.2.2.1), the default port and the empty path (§6.2.3) mean nothing. Everything else does,
// as the final slash of a path. Only visible ASCII is a URI; anything else is compared as it stands.
func resourceForm(uri string) string {
	if !visible.MatchString(uri) {
		return uri
	}
	form := schemeOnly.ReplaceAllStringFunc(uri, strings.ToLower)
	if parts := withAuthority.FindStringSubmatch(uri); parts != nil {
		form = authorityForm(parts)
	}
	return triplet.ReplaceAllStringFunc(form, strings.ToUpper)
}

// isSameResource tells whether two URIs name one resource.
func isSameResource(one, other string) bool {
	return one == other || resourceForm(one) == resourceForm(other)
}
