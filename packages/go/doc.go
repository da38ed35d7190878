// Package latchkey verifies the tokens that a Latchkey server issues, in a data API: signatures locally, secrets by
// introspection (RFC 7662), and revocations within seconds. It refuses what it cannot verify.
package latchkey
