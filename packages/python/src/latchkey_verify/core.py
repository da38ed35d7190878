"""The rules of a verifier, without threads, tasks and sockets."""

import re
from collections.abc import Callable
from functools import partial

from .access import Access
from .changes import FeedAnswer
from .compact import CompactJws, decode_part, parse_compact
from .credentials import Credential, ProvenToken
from .errors import TokenInvalid, VerificationUnavailable
from .feed import Feed
from .introspection import Introspection, read_key_set
from .issued import IssuedTokens
from .keys import Keys
from .proofs import Proofs
from .revocations import Revocations
from .self_signed import is_plausible
from .server import AuthorizationServer
from .settings import Settings
from .signature import ISSUED_ALGORITHMS
from .status import Problems, Status
from .steps import AwaitStart, Work
from .usage import Usage

# The form of a key set's secret, which only the server can verify. No other text that is not a JWT is worth a request.
_SECRET = re.compile(r"lkks_[\x21-\x7e]+|(?!eyJ|lk[a-z]{2}_)[\x21-\x7e]{16,256}")


class Core:
    """The state of a verifier in one process. `on_ready` is called after the first state is read, perhaps repeatedly."""

    def __init__(self, settings: Settings, on_ready: Callable[[], None]) -> None:
        self._settings = settings
        self._on_ready = on_ready
        self._is_stopped = False
        self._has_keys = settings.mode == "introspect"
        self._has_news = False
        server = AuthorizationServer(settings)
        self.leave = server.leave
        """The last request of this process."""
        self._problems = Problems(settings, lambda: self._is_stopped)
        self._revocations = Revocations(settings.clock_tolerance, settings.ticks)
        self._introspection = Introspection(settings, server, self._problems)
        self._keys = Keys(settings, server, self._problems, self._keys_read)
        self.usage = Usage(settings, server)
        self._issued = IssuedTokens(
            settings, self._keys, self._revocations, self._introspection, self._problems, self.usage
        )
        self._feed = Feed(settings, server, self._problems, self._apply, self._news_read)
        self._proofs = Proofs(settings)

    def stop(self) -> None:
        """Later verifications are refused."""
        self._is_stopped = True

    def now(self) -> float:
        """Seconds since 1970."""
        return self._settings.now()

    def status(self) -> Status:
        age = self._settings.ticks() - self._feed.heard_at
        return Status(self._has_keys and self._has_news, age if self._has_news else None, self._problems.all())

    def background(self) -> list[Work[None]]:
        """Works that must run until the verifier is closed."""
        usage = [self.usage.run()] if self._settings.usage else []
        return [self._feed.run(), *usage, *([self._keys.run()] if self._settings.mode == "local" else [])]

    def verify(self, credential: Credential) -> Work[Access]:
        """Raises TokenInvalid, ProofInvalid, VerificationUnavailable."""
        if not isinstance(credential, ProvenToken):
            return (yield from self._verify_token(credential, None))
        proof = self._proofs.read(credential)
        access = yield from self._verify_token(credential.token, proof.jkt)
        # A proof is consumed only when all other checks have passed.
        yield from self._proofs.use(proof)
        return access

    def recall(self, token: str, jkt: str | None) -> Access | None:
        """Verifies a known token without waiting and without a request; None when it is new."""
        known = self._issued.recall(token, jkt)
        if known is not None:
            self._check_news()
        return known

    def _keys_read(self) -> None:
        self._has_keys = True
        self._notify()

    def _news_read(self) -> None:
        self._has_news = True
        self._notify()

    def _notify(self) -> None:
        if self._has_keys and self._has_news:
            self._on_ready()

    def _apply(self, answer: FeedAnswer) -> tuple[bool, bool]:
        if answer.reset:
            self._introspection.clear()
        for change in answer.changes:
            if change.type == "key_set":
                self._introspection.drop(change.id)
        is_complete = self._revocations.apply(answer, self._settings.now())
        return is_complete, self._revocations.is_doubtful

    def _check_open(self) -> None:
        if self._is_stopped:
            raise VerificationUnavailable("closed")

    def _check_news(self) -> None:
        """Raises VerificationUnavailable when revocations may have been missed."""
        self._check_open()
        if self._settings.ticks() - self._feed.heard_at > self._settings.max_revocation_age:
            raise VerificationUnavailable("stale")

    def _verify_token(self, token: str, jkt: str | None) -> Work[Access]:
        if not isinstance(token, str) or token == "":
            raise TokenInvalid("missing")
        known = self.recall(token, jkt)
        if known is not None:
            return known
        if len(token) > self._settings.max_token_length:
            raise TokenInvalid("too_long")
        jws = parse_compact(token)
        if jws is None:
            if not _SECRET.fullmatch(token):
                raise TokenInvalid("malformed")
        elif jws.header.alg in ISSUED_ALGORITHMS:
            return (yield from self._verify_issued(token, jws, jkt))
        elif jws.header.alg != "HS256":
            raise TokenInvalid("algorithm")
        return (yield from self._verify_key_set(token, jws, jkt))

    def _verify_issued(self, token: str, jws: CompactJws, jkt: str | None) -> Work[Access]:
        self._check_open()
        yield AwaitStart()
        self._check_news()
        if self._settings.mode == "introspect":
            return (yield from self._issued.confirm(token, jws, jkt))
        return (yield from self._issued.verify(token, jws, jkt))

    def _verify_key_set(self, token: str, jws: CompactJws | None, jkt: str | None) -> Work[Access]:
        """A self-signed token, or without jws a secret."""
        self._check_open()
        if jkt is not None:
            raise TokenInvalid("key_mismatch")  # no key set binds its tokens
        kind, named = "key_set", None
        if jws is not None:
            if not is_plausible(jws, self._settings, self._settings.now()):
                raise TokenInvalid("claims")
            kind, named = "self_signed", (decode_part(jws.payload) or {})["iss"]
        read = partial(read_key_set, kind=kind, client_id=named)
        claims = yield from self._introspection.claims_of(token, read)
        return self._issued.judge(claims, None)
