"""JWS in compact serialization (RFC 7515 §7.1), split and not verified."""

import os
import re
from base64 import urlsafe_b64decode
from dataclasses import dataclass

from .errors import TokenInvalid
from .recent import Recent
from .strict_json import JsonObject, is_text, parse_strict_object

_COMPACT = re.compile(r"([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]*)")
# Every JOSE header starts with `{"` in base64url. JSON serialization starts with a plain `{`.
_LOOKS_LIKE_JWS = re.compile(r"eyJ|\{")
# Valid last characters by length modulo 4: those whose unused bits are zero (RFC 4648 §3.5).
_LAST_ONES = ("", "", "AQgw", "AEIMQUYcgkosw048")
# Header parameters that change the interpretation of the token or bring a key with it (RFC 8725 §3.9 and §3.10).
_REFUSED_NAMES = frozenset(["crit", "b64", "zip", "enc", "cty", "jku", "jwk", "x5u", "x5c"])


@dataclass(frozen=True, slots=True)
class JoseHeader:
    alg: str
    typ: str | None
    kid: str | None


@dataclass(frozen=True, slots=True)
class CompactJws:
    header: JoseHeader
    input: str
    """The signed text."""
    payload: str
    signature: str


def is_canonical_base64url(text: str) -> bool:
    """True for the canonical spelling. With other spellings one signature would have several texts."""
    over = len(text) % 4
    return over == 0 or text[-1] in _LAST_ONES[over]


def decode_base64url(text: str) -> bytes:
    """Decodes base64url without padding. The alphabet must have been checked."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def parts_of(token: str) -> tuple[str, str, str] | None:
    """Header, payload and signature; None when the token is not a JWS."""
    found = _COMPACT.fullmatch(token)
    if found is None:
        return None
    header, payload, signature = found.groups()
    if not all(map(is_canonical_base64url, (header, payload, signature))):
        return None
    return header, payload, signature


def decode_part(text: str) -> JsonObject | None:
    """The JSON object in one part of a JWS; None when it contains none."""
    return parse_strict_object(decode_base64url(text))


_headers: Recent[JoseHeader] = Recent(100)


def _renew_headers() -> None:
    """Another thread may have held the lock of the cache during a fork."""
    global _headers
    _headers = Recent(100)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_headers)


def _parse_header(text: str) -> JoseHeader:
    header = decode_part(text)
    if header is None:
        raise TokenInvalid("malformed")
    if not _REFUSED_NAMES.isdisjoint(header):
        raise TokenInvalid("header")
    alg, typ, kid = header.get("alg"), header.get("typ"), header.get("kid")
    if not is_text(alg):
        raise TokenInvalid("algorithm")
    if not (typ is None or is_text(typ)) or not (kid is None or is_text(kid)):
        raise TokenInvalid("header")
    return JoseHeader(alg, typ, kid)


def _header_of(text: str) -> JoseHeader:
    """Tokens of one key have identical headers, so parsed headers are cached."""
    known = _headers.get(text)
    if known is None:
        known = _parse_header(text)
        _headers.set(text, known)
    return known


def parse_compact(token: str) -> CompactJws | None:
    """Splits a token into its parts; None when it is not a JWS at all.

    Raises TokenInvalid for a damaged token or an unsupported header.
    """
    parts = parts_of(token)
    if parts is None:
        if _LOOKS_LIKE_JWS.match(token):
            raise TokenInvalid("malformed")
        return None
    header, payload, signature = parts
    return CompactJws(_header_of(header), f"{header}.{payload}", payload, signature)
