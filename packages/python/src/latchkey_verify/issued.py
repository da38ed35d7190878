"""Tokens that the server has signed."""

import re
from dataclasses import replace
from functools import partial

from .access import Access, access_of
from .claims import Claims, read_claims
from .compact import CompactJws, decode_part
from .errors import TokenFault, TokenInvalid
from .introspection import Introspection, OpenReach, read_issued
from .keys import Keys
from .recent import Recent
from .revocations import Revocations
from .settings import Settings
from .signature import VerifyingKey
from .status import Problems
from .steps import Work
from .strict_json import JsonObject
from .usage import Usage

# RFC 9068 §2.1: prevents the use of another JWT of the issuer as an access token.
_ACCESS_TOKEN_TYPE = re.compile(r"(?:application/)?at\+jwt", re.IGNORECASE | re.ASCII)
# Limits the memory for tokens whose workspaces the server returned: their lists have up to 100 bytes an entry.
_MOST_WORKSPACES = 1_000_000


class _Verified:
    """A token with a valid signature and valid claims, and the verdict for a version of the revocations."""

    __slots__ = ("claims", "deadline", "key", "token", "verdict")

    def __init__(self, token: str, claims: Claims, key: VerifyingKey, deadline: float) -> None:
        self.token = token
        self.claims = claims
        self.key = key
        self.deadline = deadline
        """Seconds since 1970, tolerance included."""
        self.verdict: tuple[int, Access | TokenFault] = (-1, "inactive")


def _weigh(one: _Verified) -> int:
    return 1 + len(one.claims.workspace_ids or ())


def check_key(claims: Claims, jkt: str | None) -> None:
    """RFC 9449 §7.2: a bound token must not be used as a bearer token, and a proof does not bind an unbound one."""
    if claims.jkt != jkt:
        raise TokenInvalid("bound_to_key" if jkt is None else "key_mismatch")


class IssuedTokens:
    """Verifies them locally. In the mode `introspect`, the server confirms each token instead."""

    def __init__(
        self,
        settings: Settings,
        keys: Keys,
        revocations: Revocations,
        introspection: Introspection,
        problems: Problems,
        usage: Usage,
    ) -> None:
        self._settings = settings
        self._keys = keys
        self._revocations = revocations
        self._introspection = introspection
        self._problems = problems
        self._usage = usage
        self._open_reach = OpenReach(settings, introspection)
        self._verified: Recent[_Verified] = Recent(settings.cache_size)
        self._asked: Recent[_Verified] = Recent(_MOST_WORKSPACES, _weigh)

    def recall(self, token: str, jkt: str | None) -> Access | None:
        """The verdict about a known token, updated with all known revocations; None when the token is new.

        Raises TokenInvalid.
        """
        signature = token[token.rfind(".") + 1 :]
        known = self._verified.get(signature) or self._asked.get(signature)
        # The key may have been withdrawn.
        if known is None or known.token != token or self._keys.get(known.key.kid) is not known.key:
            return None
        if known.deadline <= self._settings.now():
            raise TokenInvalid("expired")
        check_key(known.claims, jkt)
        return self._judge(known)

    def verify(self, token: str, jws: CompactJws, jkt: str | None) -> Work[Access]:
        """Raises TokenInvalid, VerificationUnavailable."""
        key = yield from self._key_for(jws)
        if not key.verify(jws.input, jws.signature):
            raise TokenInvalid("signature")
        claims = self._read(jws, is_signed=True)
        deadline = (claims.expires_at or 0) + self._settings.clock_tolerance
        cache = self._verified
        if claims.is_open:
            cache = self._asked
            # The server is not asked about a revoked token, nor for a sender without the key.
            self.judge(claims, jkt)
            workspace_ids = yield from self._open_reach.workspaces_of(token, claims)
            claims = replace(claims, workspace_ids=workspace_ids, is_open=False)
        one = _Verified(token, claims, key, deadline)
        cache.set(jws.signature, one)
        check_key(claims, jkt)
        return self._judge(one)

    def confirm(self, token: str, jws: CompactJws, jkt: str | None) -> Work[Access]:
        """Has the server confirm a token. One that cannot be valid is not worth a request.

        Raises TokenInvalid, VerificationUnavailable.
        """
        self._check_header(jws)
        claims = self._read(jws, is_signed=False)
        self.judge(claims, jkt)
        confirmed = yield from self._introspection.claims_of(token, partial(read_issued, claims=claims))
        self._problems.token_accepted()
        return self.judge(confirmed, jkt)

    def judge(self, claims: Claims, jkt: str | None) -> Access:
        check_key(claims, jkt)
        _, rest = self._revocations.judge(claims)
        if isinstance(rest, str):
            raise TokenInvalid(rest)
        return access_of(rest, self._usage)

    def _judge(self, one: _Verified) -> Access:
        """A signature is verified once. Revocations are checked again only after a change."""
        version, verdict = one.verdict
        if version != self._revocations.version:
            version, rest = self._revocations.judge(one.claims)
            verdict = rest if isinstance(rest, str) else access_of(rest, self._usage)
            one.verdict = (version, verdict)
        if isinstance(verdict, str):
            raise TokenInvalid(verdict)
        return verdict

    def _check_header(self, jws: CompactJws) -> str:
        kid = jws.header.kid
        if kid is None or not _ACCESS_TOKEN_TYPE.fullmatch(jws.header.typ or ""):
            raise TokenInvalid("header")
        return kid

    def _key_for(self, jws: CompactJws) -> Work[VerifyingKey]:
        kid = self._check_header(jws)
        key = self._keys.get(kid)
        if key is None:
            key = yield from self._keys.find(kid)
        if key is None:
            raise TokenInvalid("key_unknown")
        if key.alg != jws.header.alg:
            raise TokenInvalid("algorithm")
        return key

    def _read(self, jws: CompactJws, *, is_signed: bool) -> Claims:
        payload: JsonObject | None = decode_part(jws.payload)
        if payload is None:
            raise TokenInvalid("malformed")
        try:
            claims = read_claims(payload, self._settings, self._settings.now())
        except TokenInvalid as refusal:
            self._problems.token_refused(refusal, payload)
            raise
        if is_signed:
            self._problems.token_accepted()
        return claims
