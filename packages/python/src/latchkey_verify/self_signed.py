"""Tokens that the owner of a key set may have signed. Only the server can verify them."""

import re

from .compact import CompactJws, decode_part
from .settings import Settings
from .strict_json import is_numeric_date

_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
# RFC 7518 §3.2: 32 bytes, in base64url.
_SIGNATURE_LENGTH = 43


def is_plausible(jws: CompactJws, settings: Settings, at: float) -> bool:
    """False for a token that cannot be valid, so that it is not worth a request. `at` is in seconds since 1970."""
    # Libraries often omit `typ`, which is optional (RFC 7519 §5.1). Any other type is another kind of token.
    if jws.header.typ not in (None, "JWT") or len(jws.signature) != _SIGNATURE_LENGTH:
        return False
    payload = decode_part(jws.payload) or {}
    issuer = payload.get("iss")
    # Only the server may use its own name, and it does not sign with a shared secret.
    if not isinstance(issuer, str) or not _ID.fullmatch(issuer) or issuer == settings.issuer:
        return False
    if not is_numeric_date(payload.get("iat")):
        return False
    if "exp" not in payload:
        return True
    exp = payload["exp"]
    return is_numeric_date(exp) and exp + settings.clock_tolerance > at
