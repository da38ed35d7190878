"""Rules of DPoP proofs (RFC 9449 §4.2, §4.3). Each function raises ProofInvalid."""

import re
from dataclasses import dataclass
from math import isfinite
from typing import Any

from .compact import is_canonical_base64url
from .errors import ProofInvalid
from .place import normal_url
from .signature import VerifyingKey, key_of, material_of
from .strict_json import JsonObject, is_number, is_text

PROOF_ALGORITHMS = ("ES256", "ES384", "EdDSA", "Ed25519", "RS256", "PS256")
"""Signature algorithms of proofs: asymmetric ones only. For `dpop_signing_alg_values_supported` (RFC 9728)."""
PROOF_FRESHNESS = 60
"""Maximum difference in seconds between a proof's time and now; also the lifetime of our nonces."""
LONGEST_PROOF = 4096
"""Characters; a proof with a key of 4096 bits has about 2,300."""
_LONGEST_JTI = 256
# RFC 7518 §6.2.2, §6.3.2, §6.4.1: these members disclose the private key.
_PRIVATE = frozenset(["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")
# Characters of a coordinate.
_COORDINATE = {"ES256": 43, "ES384": 64, "EdDSA": 43, "Ed25519": 43}


@dataclass(frozen=True, slots=True)
class ProofTimes:
    """The claims that decide whether a proof is fresh and new."""

    jti: str
    iat: float
    """Seconds since 1970."""
    nonce: str | None


def _is_number(text: str, length: int | None) -> bool:
    """Is this a number in base64url? `length` is in characters."""
    is_long_enough = length is None or len(text) == length
    return is_long_enough and _BASE64URL.fullmatch(text) is not None and is_canonical_base64url(text)


def _is_sound(material: dict[str, str], alg: str) -> bool:
    if material["kty"] == "RSA":
        return material["e"] == "AQAB" and _is_number(material["n"], None)
    return all(_is_number(material[one], _COORDINATE[alg]) for one in ("x", "y") if one in material)


def read_proof_key(header: JsonObject) -> tuple[VerifyingKey, dict[str, str]]:
    """The key in the header of a proof (§4.3, 4 to 7), and the members that define it."""
    # RFC 7515 §4.1.11: no critical extension is supported.
    if header.get("typ") != "dpop+jwt" or "crit" in header:
        raise ProofInvalid("proof_malformed")
    alg, jwk = header.get("alg"), header.get("jwk")
    if not isinstance(alg, str) or alg not in PROOF_ALGORITHMS:
        raise ProofInvalid("proof_algorithm")
    if not isinstance(jwk, dict) or not _PRIVATE.isdisjoint(jwk):
        raise ProofInvalid("proof_key")
    material = material_of(jwk, alg)
    key = key_of("", alg, material) if material is not None and _is_sound(material, alg) else None
    if material is None or key is None:
        raise ProofInvalid("proof_key")
    return key, material


def _is_time(value: Any) -> bool:
    try:
        return is_number(value) and isfinite(value)
    except OverflowError:
        return False


def read_proof_claims(payload: JsonObject, method: str, url: str, token_hash: str) -> ProofTimes:
    """Reads the claims of a proof (§4.3, 3 and 8 to 12). The caller judges the times. `url` is normalised."""
    jti, iat, htu = payload.get("jti"), payload.get("iat"), payload.get("htu")
    nonce = payload.get("nonce")
    if not is_text(jti) or len(jti) > _LONGEST_JTI or not _is_time(iat):
        raise ProofInvalid("proof_malformed")
    if "nonce" in payload and not isinstance(nonce, str):
        raise ProofInvalid("proof_malformed")
    if payload.get("htm") != method:
        raise ProofInvalid("proof_method")
    if not isinstance(htu, str) or normal_url(htu) != url:
        raise ProofInvalid("proof_url")
    if payload.get("ath") != token_hash:
        raise ProofInvalid("proof_token")
    return ProofTimes(jti, float(iat or 0), nonce)
