"""Public keys (RFC 7517) and their signatures. The key decides the algorithm, never the token (RFC 8725 §3.1)."""

import json
import re
import warnings
from dataclasses import dataclass
from typing import Any

import jwt
from .compact import decode_base64url
from .strict_json import JsonObject, is_text

ISSUED_ALGORITHMS = frozenset(["ES256", "EdDSA", "Ed25519", "RS256"])
_OKP = ({"kty": "OKP", "crv": "Ed25519"}, ("x",), "EdDSA", 64)
# Fixed members, variable members, PyJWT's name, bytes of a signature (RFC 7518 §3.4, RFC 8037 §3.1).
_ALGORITHMS: dict[str, tuple[dict[str, str], tuple[str, ...], str, int | None]] = {
    "ES256": ({"kty": "EC", "crv": "P-256"}, ("x", "y"), "ES256", 64),
    "ES384": ({"kty": "EC", "crv": "P-384"}, ("x", "y"), "ES384", 96),
    "EdDSA": _OKP,
    "Ed25519": _OKP,
    "RS256": ({"kty": "RSA"}, ("n", "e"), "RS256", None),
    "PS256": ({"kty": "RSA"}, ("n", "e"), "PS256", None),
}
_MOST_KEYS = 100
# Characters of a modulus of 2048 bits (RFC 7518 §3.3) to one of 4096, and of an exponent of 32: the work of a verification
# grows with both. The first bit is set, so the modulus has its full size.
_MODULUS = re.compile(r"[g-z0-9_-][A-Za-z0-9_-]{341,682}")
_LONGEST_EXPONENT = 6


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    kid: str
    alg: str
    material: str
    """Distinguishes keys with the same id."""
    _checker: Any
    _key: Any
    _length: int | None

    def is_same(self, other: "VerifyingKey") -> bool:
        return self.alg == other.alg and self.material == other.material

    def verify(self, text: str, signature: str) -> bool:
        """True for a valid signature, which is given in base64url."""
        sent = decode_base64url(signature)
        if self._length is not None and len(sent) != self._length:
            return False
        return bool(self._checker.verify(text.encode(), self._key, sent))


def _algorithm_of(jwk: JsonObject) -> str | None:
    """A P-256 key may omit its algorithm."""
    if "alg" not in jwk and jwk.get("kty") == "EC" and jwk.get("crv") == "P-256":
        return "ES256"
    alg = jwk.get("alg")
    return alg if isinstance(alg, str) and alg in ISSUED_ALGORITHMS else None


def _is_for_verifying(jwk: JsonObject) -> bool:
    operations = jwk.get("key_ops", ["verify"])
    return jwk.get("use", "sig") == "sig" and isinstance(operations, list) and "verify" in operations and "d" not in jwk


def material_of(jwk: JsonObject, alg: str) -> dict[str, str] | None:
    """The key material without other members; None when a member is wrong."""
    fixed, variable, _, _ = _ALGORITHMS[alg]
    if any(jwk.get(one) != value for one, value in fixed.items()) or not all(is_text(jwk.get(one)) for one in variable):
        return None
    if fixed["kty"] == "RSA" and not (_MODULUS.fullmatch(jwk["n"]) and len(jwk["e"]) <= _LONGEST_EXPONENT):
        return None
    return {**fixed, **{one: jwk[one] for one in variable}}


def key_of(kid: str, alg: str, material: dict[str, str]) -> VerifyingKey | None:
    """None when the material is no key."""
    _, _, name, length = _ALGORITHMS[alg]
    text = json.dumps(material)
    try:
        checker: Any = jwt.get_algorithm_by_name(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            key = checker.from_jwk(text)
    except Exception:  # not on the curve, or not a number
        return None
    return VerifyingKey(kid, alg, text, checker, key, length)


def read_key(jwk: object) -> VerifyingKey | None:
    """Reads one key of a key set; None for an unusable key."""
    if not isinstance(jwk, dict) or not is_text(jwk.get("kid")) or not _is_for_verifying(jwk):
        return None
    alg = _algorithm_of(jwk)
    material = None if alg is None else material_of(jwk, alg)
    return None if alg is None or material is None else key_of(jwk["kid"], alg, material)


def read_keys(document: JsonObject) -> dict[str, VerifyingKey]:
    """The usable keys by id; for a repeated id, the first key. Raises ValueError when there is none: an empty set would
    invalidate every token, so it is treated as a fault.
    """
    listed = document.get("keys")
    read = [read_key(one) for one in listed[:_MOST_KEYS]] if isinstance(listed, list) else []
    keys = {key.kid: key for key in reversed(read) if key is not None}
    if not keys:
        raise ValueError("no usable key in the key set")
    return keys
