"""Nonces for senders whose clock is wrong (RFC 9449 §9)."""

import hmac
import re
from base64 import urlsafe_b64encode

from .compact import decode_base64url, is_canonical_base64url

_SHAPE = re.compile(r"([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _base36(number: int) -> str:
    text = ""
    while number or not text:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return text


class Nonces:
    """A nonce is the time with a MAC that only this data API can create. All processes with the secret of the resource
    server accept each other's nonces, and none stores any.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def at(self, time: float) -> str:
        """`time` is in seconds since 1970."""
        seconds = _base36(max(0, int(time)))
        return f"{seconds}.{urlsafe_b64encode(self._mac(seconds)).rstrip(b'=').decode()}"

    def time_of(self, nonce: str) -> int | None:
        """The time of issue in seconds since 1970; None when the nonce is not ours."""
        found = _SHAPE.fullmatch(nonce)
        if found is None or not is_canonical_base64url(found.group(2)):
            return None
        is_ours = hmac.compare_digest(decode_base64url(found.group(2)), self._mac(found.group(1)))
        return int(found.group(1), 36) if is_ours else None

    def _mac(self, seconds: str) -> bytes:
        return hmac.digest(self._secret, f"latchkey dpop nonce {seconds}".encode(), "sha256")
