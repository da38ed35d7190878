"""Proofs that the sender of a request holds a key (RFC 9449)."""

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from inspect import isawaitable, iscoroutine
from math import ceil
from threading import Lock
from weakref import WeakKeyDictionary

from .compact import decode_part, parts_of
from .credentials import ProvenToken
from .errors import ProofInvalid, TokenInvalid, VerificationUnavailable
from .nonces import Nonces
from .place import has_scheme, normal_url
from .proof_rules import LONGEST_PROOF, PROOF_FRESHNESS, ProofTimes, read_proof_claims, read_proof_key
from .recent import Recent
from .replays import Replays
from .settings import Settings
from .signature import VerifyingKey
from .steps import Call, Share, Work


@dataclass(slots=True, eq=False)
class Proof:
    """A verified proof."""

    jkt: str
    """The key's thumbprint (RFC 7638)."""
    id: str
    until: int
    """Seconds since 1970, after which it cannot be replayed."""
    is_used: bool = False


def _hash_of(text: str) -> str:
    return urlsafe_b64encode(sha256(text.encode("utf-8", "replace")).digest()).rstrip(b"=").decode()


def _place_of(url: str) -> str:
    """The URL of the request in the form in which proofs are compared. Raises TypeError for a relative URL, ProofInvalid
    for one that no proof can cover.
    """
    # The query is not compared. It can be long.
    place = normal_url(url.split("?", 1)[0].split("#", 1)[0])
    if place is not None:
        return place
    if has_scheme(url):
        raise ProofInvalid("proof_url")
    raise TypeError("the URL of the request must be absolute")


class Proofs:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._nonces = Nonces(settings.resource_server_secret)
        self._replays = Replays(settings.max_proofs)
        # Proofs of one key have identical headers, so parsed keys are cached.
        self._keys: Recent[tuple[VerifyingKey, str]] = Recent(1000)
        self._lock = Lock()
        self._requests: WeakKeyDictionary[ProvenToken, Proof] = WeakKeyDictionary()

    def read(self, credential: ProvenToken) -> Proof:
        """Checks the proof of a request (§4.3), except for replay. Raises TokenInvalid, ProofInvalid."""
        with self._lock:
            known = self._requests.get(credential)
        if known is not None:
            return known
        proof = self._check(credential)
        with self._lock:
            return self._requests.setdefault(credential, proof)

    def use(self, proof: Proof) -> Work[None]:
        """Consumes the proof: each is valid for one request (§11.1). Raises ProofInvalid, VerificationUnavailable."""
        if not proof.is_used:
            yield Share("proof", proof, self._use(proof))

    def _use(self, proof: Proof) -> Work[None]:
        if proof.is_used:
            return
        remember, at = self._settings.remember_proof, self._settings.now()
        if remember is None:
            is_new = self._replays.is_new(proof.id, proof.until, at)
        else:
            try:
                is_new = yield Call(remember, (proof.id, ceil(proof.until - at)))
            except Exception as cause:
                raise VerificationUnavailable("unreachable", cause) from cause
            if isawaitable(is_new):  # it would count as true
                if iscoroutine(is_new):
                    is_new.close()
                raise TypeError("remember_proof of a blocking verifier must not be asynchronous")
        if not is_new:
            raise ProofInvalid("proof_replayed")
        proof.is_used = True

    def _check(self, credential: ProvenToken) -> Proof:
        token, proof = credential.token, credential.proof
        if not isinstance(token, str) or token == "":
            raise TokenInvalid("missing")
        if len(token) > self._settings.max_token_length:
            raise TokenInvalid("too_long")
        parts = parts_of(proof) if isinstance(proof, str) and len(proof) <= LONGEST_PROOF else None
        payload = None if parts is None else decode_part(parts[1])
        if parts is None or payload is None:
            raise ProofInvalid("proof_malformed")
        place = _place_of(credential.url)
        key, jkt = self._key_of(parts[0])
        times = read_proof_claims(payload, credential.method, place, _hash_of(token))
        time = self._time_of(times)
        if not key.verify(f"{parts[0]}.{parts[1]}", parts[2]):
            raise ProofInvalid("proof_signature")
        return Proof(jkt, _hash_of(f"{jkt} {times.jti}"), ceil(time + PROOF_FRESHNESS))

    def _key_of(self, text: str) -> tuple[VerifyingKey, str]:
        known = self._keys.get(text)
        if known is not None:
            return known
        header = decode_part(text)
        if header is None:
            raise ProofInvalid("proof_malformed")
        key, material = read_proof_key(header)
        # RFC 7638 §3.3.
        read = (key, _hash_of(json.dumps(material, sort_keys=True, separators=(",", ":"))))
        self._keys.set(text, read)
        return read

    def _time_of(self, times: ProofTimes) -> float:
        """The creation time of the proof: by the sender's clock or, when that is wrong, by our nonce (§4.3, 11)."""
        time = times.iat if times.nonce is None else self._nonces.time_of(times.nonce)
        at = self._settings.now()
        if time is None or abs(at - time) > PROOF_FRESHNESS:
            raise ProofInvalid("proof_stale", self._nonces.at(at))
        return time
