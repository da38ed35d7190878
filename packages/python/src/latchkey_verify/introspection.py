"""Asks the server about tokens (RFC 7662), and caches its answers briefly."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import Literal

from .actors import client_ids_in
from .claims import Claims
from .errors import TokenInvalid, VerificationUnavailable
from .recent import Recent
from .server import Answer, AuthorizationServer
from .settings import Settings
from .status import Problems
from .steps import Fetch, Share, Work
from .strict_json import JsonObject, is_seconds, is_text, is_text_list

# Limits the load that an attacker who tries secrets can put on the server.
_MOST_UNDER_WAY = 256
_INTERFACES: dict[str, Literal["legacy", "current"]] = {"self_signed": "current", "key_set": "legacy"}


def bad_answer() -> VerificationUnavailable:
    return VerificationUnavailable("bad_answer", ValueError("introspection: not as agreed"))


def read_key_set(body: JsonObject, kind: str, client_id: str | None) -> Claims | None:
    """The claims of a key set's token of this kind; None when it is inactive or of another kind.

    `client_id` is the key set that a self-signed token names. Raises VerificationUnavailable.
    """
    active, got = body.get("active"), body.get("kind")
    if active is False:
        return None
    if active is not True or not is_text(got):
        raise bad_answer()
    # The server also knows refresh tokens and issued tokens, but only secrets may be verified this way.
    if got not in _INTERFACES:
        return None
    named, organization, permissions = (body.get(one) for one in ("client_id", "organization_id", "permissions"))
    ids, exp = body.get("workspace_ids", False), body.get("exp")
    if not is_text(named) or not is_text(organization) or not is_text_list(permissions):
        raise bad_answer()
    if (ids is not None and not is_text_list(ids)) or body.get("interface") != _INTERFACES[got]:
        raise bad_answer()
    # A cache on the way may have mixed up two answers.
    if ("exp" in body and not is_seconds(exp)) or (client_id is not None and named != client_id):
        raise bad_answer()
    if got != kind:
        return None
    return Claims(
        kind="self_signed" if got == "self_signed" else "key_set",
        interface=_INTERFACES[got],
        organization_id=organization,
        client_id=named,
        permissions=tuple(permissions),
        workspace_ids=None if ids is None else tuple(ids),
        expires_at=exp,
    )


def _check_subject(body: JsonObject, claims: Claims) -> None:
    """Raises VerificationUnavailable for an answer about another token."""
    about = tuple(body.get(one) for one in ("active", "kind", "client_id", "organization_id"))
    if about != (True, claims.kind, claims.client_id, claims.organization_id):
        raise bad_answer()
    told = client_ids_in(body["act"]) if "act" in body else []
    if told != [one.client_id for one in claims.actors]:
        raise bad_answer()


def read_issued(body: JsonObject, claims: Claims) -> Claims | None:
    """The claims of an issued token with the current rights of the answer; None when it is inactive.

    `claims` are those in the token. The server has confirmed its whole text. Raises VerificationUnavailable.
    """
    if body.get("active") is False:
        return None
    _check_subject(body, claims)
    permissions, ids = body.get("permissions"), body.get("workspace_ids", False)
    if not is_text_list(permissions) or (ids is not None and not is_text_list(ids)):
        raise bad_answer()
    if claims.workspace_ids is not None and ids is None:
        raise bad_answer()
    workspace_ids = None if claims.workspace_ids is None or ids is None else tuple(ids)
    return replace(claims, permissions=tuple(permissions), workspace_ids=workspace_ids, is_open=False)


def read_reach(body: JsonObject, claims: Claims) -> tuple[str, ...] | None:
    """The workspaces of a verified token; None when it is inactive. Raises VerificationUnavailable."""
    if body.get("active") is False:
        return None
    _check_subject(body, claims)
    ids = body.get("workspace_ids")
    if not is_text_list(ids):
        raise bad_answer()
    return tuple(ids)


@dataclass(frozen=True, slots=True)
class _Remembered:
    claims: Claims | None
    """None: not active."""
    until: float
    """In ticks."""


class Introspection:
    """Concurrent requests with the same token share one question."""

    def __init__(self, settings: Settings, server: AuthorizationServer, problems: Problems) -> None:
        self._settings = settings
        self._server = server
        self._problems = problems
        # Separate caches, so that wrong secrets do not evict correct ones.
        self._active: Recent[_Remembered] = Recent(settings.cache_size)
        self._inactive: Recent[_Remembered] = Recent(settings.cache_size)
        self._lock = Lock()
        self._drops = 0

    def claims_of(self, token: str, read: Callable[[JsonObject], Claims | None]) -> Work[Claims]:
        """`read` reads an answer about this token. Raises TokenInvalid, VerificationUnavailable."""
        digest = sha256(token.encode()).hexdigest()
        found = self._active.get(digest) or self._inactive.get(digest)
        if found is not None and found.until > self._settings.ticks():
            claims = found.claims
        else:
            # After a drop, a question from before it is not shared any more.
            before = self._drops
            asking = self._ask(token, digest, read, before)
            claims = yield Share("introspection", (before, digest), asking, _MOST_UNDER_WAY)
        if claims is None:
            raise TokenInvalid("inactive")
        return claims

    def drop(self, client_id: str) -> None:
        """Drops the answers about a changed key set."""
        self._forget(lambda one: one.claims is not None and one.claims.client_id == client_id)

    def clear(self) -> None:
        self._forget(lambda _: True)

    def fetch(self, token: str) -> Work[JsonObject]:
        """The answer about a token, and a report of its failure."""
        try:
            answer: Answer = yield Fetch(self._server.introspection(token))
        except VerificationUnavailable as problem:
            self._problems.report("introspection", problem)
            raise
        self._problems.report("introspection", None)
        return answer.body

    def _ask(
        self, token: str, digest: str, read: Callable[[JsonObject], Claims | None], before: int
    ) -> Work[Claims | None]:
        claims = read((yield from self.fetch(token)))
        with self._lock:
            # An answer from before a change may arrive after the change.
            if self._drops == before:
                self._remember(digest, claims)
        return claims

    def _remember(self, digest: str, claims: Claims | None) -> None:
        settings = self._settings
        life = settings.inactive_for if claims is None else settings.active_for
        if claims is not None and claims.expires_at is not None:
            life = min(life, claims.expires_at - settings.now())
        cache = self._inactive if claims is None else self._active
        cache.set(digest, _Remembered(claims, settings.ticks() + life))

    def _forget(self, is_out: Callable[[_Remembered], bool]) -> None:
        with self._lock:
            self._drops += 1
            self._active.delete_where(is_out)
            self._inactive.clear()


class OpenReach:
    """Asks for the workspaces of verified tokens that have too many to list them."""

    def __init__(self, settings: Settings, introspection: Introspection) -> None:
        self._settings = settings
        self._introspection = introspection
        # Until when an inactive token is not asked about again, in ticks.
        self._inactive: Recent[float] = Recent(settings.cache_size)

    def workspaces_of(self, token: str, claims: Claims) -> Work[tuple[str, ...]]:
        """Raises TokenInvalid, VerificationUnavailable."""
        token_id = claims.token_id or ""
        until = self._inactive.get(token_id)
        if until is not None and until > self._settings.ticks():
            raise TokenInvalid("inactive")
        ids: tuple[str, ...] | None = yield Share("reach", token_id, self._ask(token, claims), _MOST_UNDER_WAY)
        if ids is None:
            raise TokenInvalid("inactive")
        return ids

    def _ask(self, token: str, claims: Claims) -> Work[tuple[str, ...] | None]:
        ids = read_reach((yield from self._introspection.fetch(token)), claims)
        if ids is None:
            self._inactive.set(claims.token_id or "", self._settings.ticks() + self._settings.inactive_for)
        return ids
