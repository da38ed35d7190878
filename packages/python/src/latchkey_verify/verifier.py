"""Verifies the tokens of requests to a data API."""

import os
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from math import inf

import httpx

from .access import Access, access_of
from .changes import FeedAnswer, read_feed_answer
from .claims import Claims, read_claims
from .compact import CompactJws, decode_part, parse_compact
from .errors import TokenInvalid, VerificationUnavailable
from .keys import ISSUED_ALGORITHMS, VerifyingKey, read_keys
from .recent import Recent
from .revocations import Revocations
from .self_signed import is_plausible
from .server import AuthorizationServer, UnexpectedStatus
from .settings import OnProblem, Settings
from .strict_json import JsonObject, is_seconds, is_text, is_text_list

_SECRET = re.compile(r"lkks_[\x21-\x7e]+")
_ACCESS_TOKEN_TYPE = re.compile(r"(?:application/)?at\+jwt", re.IGNORECASE | re.ASCII)
_REFRESH_KEYS_EVERY = 300
_SHORTEST_TURN = 0.5
_MOST_UNDER_WAY = 64
_INTERFACES = {"self_signed": "current", "key_set": "legacy"}


def _bad_answer() -> VerificationUnavailable:
    return VerificationUnavailable("bad_answer", ValueError("introspection: not as agreed"))


def read_introspection(body: JsonObject, client_id: str | None) -> Claims | None:
    """The claims of a key set's token; None when it is inactive or of another kind.

    `client_id` is the key set that a self-signed token names. Raises VerificationUnavailable.
    """
    active, kind, permissions = body.get("active"), body.get("kind"), body.get("permissions")
    if active is False:
        return None
    if active is not True or not is_text(kind):
        raise _bad_answer()
    if kind not in _INTERFACES:
        return None
    named, organization, ids, exp = (body.get(one) for one in ("client_id", "organization_id", "workspace_ids", "exp"))
    if not is_text(named) or not is_text(organization) or not is_text_list(permissions) or "workspace_ids" not in body:
        raise _bad_answer()
    if (ids is not None and not is_text_list(ids)) or body.get("interface") != _INTERFACES[kind]:
        raise _bad_answer()
    if ("exp" in body and not is_seconds(exp)) or (client_id is not None and named != client_id):
        raise _bad_answer()
    return Claims(
        kind="self_signed" if kind == "self_signed" else "key_set",
        interface="current" if kind == "self_signed" else "legacy",
        organization_id=organization,
        client_id=named,
        permissions=tuple(permissions),
        workspace_ids=None if ids is None else tuple(ids),
        expires_at=exp,
    )


class Verifier:
    """Reads keys and revocations in two daemon threads, and verifies tokens from then on. Safe for several threads.

    The threads start with the first verification, in the process that verifies: a verifier may be created before a
    server forks its workers. Raises ValueError that names every faulty option.
    """

    def __init__(
        self,
        *,
        issuer: str,
        audience: str,
        resource_server_id: str,
        resource_server_secret: str,
        server: str | None = None,
        clock_tolerance: float = 30,
        max_revocation_age: float | None = None,
        timeout: float = 2,
        on_problem: OnProblem | None = None,
        http_client: Callable[[], httpx.Client] = httpx.Client,
        now: Callable[[], float] | None = None,
    ) -> None:
        self._settings = Settings.read(
            issuer=issuer,
            audience=audience,
            resource_server_id=resource_server_id,
            resource_server_secret=resource_server_secret,
            server=server,
            clock_tolerance=clock_tolerance,
            max_revocation_age=max_revocation_age,
            timeout=timeout,
            on_problem=on_problem,
            now=now,
        )
        self._http_client = http_client
        self._lock = threading.Lock()
        self._work: _Work | None = None
        self._is_closed = False

    def verify(self, token: str) -> Access:
        """Returns the actor of a request and its rights. Raises TokenInvalid or VerificationUnavailable."""
        return self._started().verify(token)

    def close(self) -> None:
        """Stops all requests to the server. Later verifications are refused."""
        self._is_closed = True
        if self._work is not None:
            self._work.stop()

    def _started(self) -> "_Work":
        if self._is_closed:
            raise VerificationUnavailable("closed")
        work = self._work
        # Threads do not survive a fork, and without them no revocation would arrive.
        if work is None or work.process != os.getpid():
            if work is not None:
                self._lock = threading.Lock()
            with self._lock:
                work = self._work
                if work is None or work.process != os.getpid():
                    work = self._work = _Work(self._settings, self._http_client)
                    work.start()
        return work


class _Work:
    """The state of a verifier in one process."""

    def __init__(self, settings: Settings, http_client: Callable[[], httpx.Client]) -> None:
        self.process = os.getpid()
        self._settings = settings
        self._server = AuthorizationServer(settings, http_client)
        self._revocations = Revocations(settings.clock_tolerance, settings.ticks)
        self._keys: dict[str, VerifyingKey] = {}
        self._keys_problem: VerificationUnavailable | None = None
        self._keys_lock = threading.Lock()
        self._keys_tried = -inf
        self._verified: Recent[tuple[str, Claims]] = Recent(settings.cache_size)
        self._answers: Recent[tuple[float, Claims | None]] = Recent(settings.cache_size)
        self._drops = 0
        self._under_way = threading.BoundedSemaphore(_MOST_UNDER_WAY)
        self._heard_at = -inf
        self._have_keys, self._have_news, self._stopped = (threading.Event() for _ in range(3))

    def start(self) -> None:
        for run in (self._run_keys, self._run_feed):
            threading.Thread(target=run, daemon=True, name="latchkey-verify").start()

    def stop(self) -> None:
        self._stopped.set()
        self._server.close()

    def verify(self, token: str) -> Access:
        if not isinstance(token, str) or token == "":
            raise TokenInvalid("missing")
        if len(token) > self._settings.max_token_length:
            raise TokenInvalid("too_long")
        known = self._verified.get(token[token.rfind(".") + 1 :])
        if known is not None and known[0] == token:
            return self._judge(known[1])
        jws = parse_compact(token)
        if jws is None:
            if not _SECRET.fullmatch(token):
                raise TokenInvalid("malformed")
            return self._judge(self._ask(token, "key_set", None))
        if jws.header.alg in ISSUED_ALGORITHMS:
            return self._verify_issued(token, jws)
        if jws.header.alg != "HS256":
            raise TokenInvalid("algorithm")
        if not is_plausible(jws, self._settings, self._settings.now()):
            raise TokenInvalid("claims")
        return self._judge(self._ask(token, "self_signed", (decode_part(jws.payload) or {})["iss"]))

    def _judge(self, claims: Claims) -> Access:
        settings = self._settings
        if self._stopped.is_set():
            raise VerificationUnavailable("closed")
        if claims.kind in ("user", "install"):
            if (claims.expires_at or 0) + settings.clock_tolerance <= settings.now():
                raise TokenInvalid("expired")
            if claims.jkt is not None:
                raise TokenInvalid("bound_to_key")
            self._check_news()
        _, rest = self._revocations.judge(claims)
        if isinstance(rest, str):
            raise TokenInvalid(rest)
        return access_of(rest)

    def _check_news(self) -> None:
        if self._settings.ticks() - self._heard_at > self._settings.max_revocation_age:
            raise VerificationUnavailable("stale")

    def _verify_issued(self, token: str, jws: CompactJws) -> Access:
        deadline = time.monotonic() + self._settings.timeout
        for event in (self._have_keys, self._have_news):
            if not event.wait(max(0, deadline - time.monotonic())):
                raise VerificationUnavailable("starting")
        self._check_news()
        key = self._key_for(jws)
        if not key.verify(jws.input, jws.signature):
            raise TokenInvalid("signature")
        payload = decode_part(jws.payload)
        if payload is None:
            raise TokenInvalid("malformed")
        claims = read_claims(payload, self._settings, self._settings.now())
        if claims.is_open:
            self._judge(claims)  # the server is not asked about a revoked token
            claims = self._with_workspaces(token, claims)
        access = self._judge(claims)
        # The key may have been withdrawn meanwhile. Then this result is not cached.
        if self._keys.get(key.kid) is key:
            self._verified.set(jws.signature, (token, claims))
        return access

    def _key_for(self, jws: CompactJws) -> VerifyingKey:
        header = jws.header
        if header.kid is None or not _ACCESS_TOKEN_TYPE.fullmatch(header.typ or ""):
            raise TokenInvalid("header")
        key = self._keys.get(header.kid)
        if key is None:
            with self._keys_lock:
                if self._settings.ticks() - self._keys_tried >= self._settings.keys_interval:
                    self._read_keys()
            key = self._keys.get(header.kid)
            if key is None and self._keys_problem is not None:
                raise VerificationUnavailable(self._keys_problem.reason, self._keys_problem)
        if key is None:
            raise TokenInvalid("key_unknown")
        if key.alg != header.alg:
            raise TokenInvalid("algorithm")
        return key

    def _introspect(self, token: str) -> JsonObject:
        if not self._under_way.acquire(blocking=False):
            raise VerificationUnavailable("overloaded")
        try:
            return self._server.introspect(token)
        finally:
            self._under_way.release()

    def _with_workspaces(self, token: str, claims: Claims) -> Claims:
        body = self._introspect(token)
        if body.get("active") is False:
            raise TokenInvalid("inactive")
        ids = body.get("workspace_ids")
        about = (body.get("active"), body.get("kind"), body.get("client_id"), body.get("organization_id"))
        if about != (True, claims.kind, claims.client_id, claims.organization_id) or not is_text_list(ids):
            raise _bad_answer()
        return replace(claims, workspace_ids=tuple(ids), is_open=False)

    def _ask(self, token: str, kind: str, client_id: str | None) -> Claims:
        if self._stopped.is_set():
            raise VerificationUnavailable("closed")
        settings, digest = self._settings, sha256(token.encode()).hexdigest()
        known = self._answers.get(digest)
        if known is not None and known[0] > settings.ticks():
            claims = known[1]
        else:
            before = self._drops
            claims = read_introspection(self._introspect(token), client_id)
            life = settings.active_for if claims else settings.inactive_for
            if claims is not None and claims.expires_at is not None:
                life = min(life, claims.expires_at - settings.now())
            # An answer from before a change may arrive after the change.
            if self._drops == before:
                self._answers.set(digest, (settings.ticks() + life, claims))
        if claims is None or claims.kind != kind:
            raise TokenInvalid("inactive")
        return claims

    def _read_keys(self) -> None:
        self._keys_tried = self._settings.ticks()
        try:
            read = read_keys(self._server.keys())
        except VerificationUnavailable as problem:
            self._keys_problem = problem
        except ValueError as cause:
            self._keys_problem = VerificationUnavailable("bad_answer", cause)
        else:
            known = self._keys
            kept = {kid: key for kid, key in known.items() if kid in read and read[kid].material == key.material}
            self._keys, self._keys_problem = {**read, **kept}, None
            if len(kept) < len(known):
                self._verified.clear()
            self._have_keys.set()
        if self._keys_problem is not None:
            self._report(self._keys_problem)

    def _run_keys(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            with self._keys_lock:
                self._read_keys()
            failures = 0 if self._keys_problem is None else failures + 1
            self._stopped.wait(_backoff(failures) if failures else _REFRESH_KEYS_EVERY)

    def _apply(self, answer: FeedAnswer) -> None:
        if answer.reset or any(one.type == "key_set" for one in answer.changes):
            self._drops += 1
            self._answers.clear()
        if self._revocations.apply(answer, self._settings.now()):
            self._heard_at = self._settings.ticks()
            self._have_news.set()

    def _run_feed(self) -> None:
        cursor: str | None = None
        wait, failures = 0, 0
        longest = max(1, int(min(20, self._settings.max_revocation_age / 2)))
        while not self._stopped.is_set():
            began = time.monotonic()
            try:
                answer = read_feed_answer(self._server.revocations(cursor, wait))
                # Without a cursor the answer is a complete new state, whatever it says.
                self._apply(replace(answer, reset=answer.reset or cursor is None))
            except Exception as error:
                problem = error if isinstance(error, VerificationUnavailable) else _fault(error)
                cause = problem.__cause__
                # The server does not know the cursor, for example after its database was restored.
                if isinstance(cause, UnexpectedStatus) and cause.status in (400, 404, 410, 422):
                    cursor = None
                failures, wait = failures + 1, 0
                self._report(problem)
                self._stopped.wait(_backoff(failures))
                continue
            is_idle = wait > 0 and not answer.more and not answer.changes
            cursor = None if self._revocations.is_doubtful else answer.cursor
            failures, wait = 0, 0 if answer.more or cursor is None else longest
            if is_idle and time.monotonic() - began < _SHORTEST_TURN:
                self._stopped.wait(_SHORTEST_TURN)

    def _report(self, problem: VerificationUnavailable) -> None:
        if self._settings.on_problem is None or self._stopped.is_set():
            return
        try:
            self._settings.on_problem(problem)
        except Exception:
            pass  # a failing callback must not stop the feed


def _fault(error: Exception) -> VerificationUnavailable:
    return VerificationUnavailable("bad_answer", error)


def _backoff(failures: int) -> float:
    """Seconds to wait after this many consecutive failures, from 0.2 s to 5 s, randomized."""
    return min(0.2 * 2.0 ** min(failures - 1, 10), 5) * random.uniform(0.5, 1)
