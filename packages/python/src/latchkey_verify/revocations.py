"""Revocations and narrowed rights since tokens were issued, from the feed."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from threading import Lock
from typing import TypeAlias

from .actors import ActorClaims
from .changes import CHANGE_TYPES, Change, FeedAnswer
from .claims import Claims
from .errors import TokenFault

# A clock that is set back by more than this many seconds had been ahead. Smaller steps are its precision.
_SET_BACK = 1
# Seconds between two removals of entries that can no longer affect a token.
_PRUNE_EVERY = 60

_Key: TypeAlias = tuple[str, str, str]
_Table: TypeAlias = dict[str, dict[_Key, Change]]


def _empty_table() -> _Table:
    return {name: {} for name in CHANGE_TYPES}


def _key_of(change: Change) -> _Key:
    return (change.id, change.user_id, change.client_id)


def _is_out(changes: dict[_Key, Change], subject: str | None, user_id: str = "") -> bool:
    if subject is None:
        return False
    known = changes.get((subject, user_id, ""))
    return known is not None and not known.active


def _parties(claims: Claims) -> tuple[Claims | ActorClaims, ...]:
    """The app of the authorization, and the apps that act with it."""
    return (claims, *claims.actors)


def _is_app_out(table: _Table, client_id: str, epoch: int) -> bool:
    app = table["app"].get((client_id, "", ""))
    return app is not None and (not app.active or epoch < app.epoch)


def _refusal_in(table: _Table, claims: Claims) -> TokenFault | None:
    """The reason to refuse a token after the known changes."""
    organization, user = claims.organization_id, claims.user_id
    if _is_out(table["organization"], organization):
        return "organization_inactive"
    tokens = (claims.token_id, *(one.subject_token_id for one in claims.actors))
    if any(_is_out(table["token"], one) for one in tokens):
        return "token_revoked"
    if _is_out(table["grant"], claims.grant_id):
        return "grant_revoked"
    if any(_is_out(table["install"], one.install_id) for one in _parties(claims)):
        return "install_inactive"
    if any(_is_app_out(table, one.client_id, one.app_epoch) for one in _parties(claims)):
        return "app_inactive"
    if user is None:
        return None
    known_user = table["user"].get((user, "", ""))
    if known_user is not None and (not known_user.active or claims.user_epoch < known_user.epoch):
        return "user_inactive"
    if _is_out(table["member"], organization, user):
        return "not_a_member"
    if any(_is_out(table["install_member"], one.install_id, user) for one in _parties(claims)):
        return "not_in_audience"
    ended = table["connection"].get((organization, user, claims.client_id))
    return "grant_revoked" if ended is not None and claims.connection_epoch < ended.epoch else None


def _permissions_in(table: _Table, claims: Claims) -> tuple[str, ...]:
    """An exchanged token stays within what each of its apps may do."""
    limits: list[Change | None] = []
    for party in _parties(claims):
        limits.append(table["app"].get((party.client_id, "", "")))
        if party.install_id is not None:
            limits.append(table["install"].get((party.install_id, "", "")))
    allowed = [frozenset(one.permissions) for one in limits if one is not None]
    if not allowed:
        return claims.permissions
    return tuple(one for one in claims.permissions if all(one in names for names in allowed))


def _is_gone(workspace: Change, issued_at: int | None) -> bool:
    """Was it deleted, or is it another one with its id? A token without a time of issue was verified by the server."""
    return not workspace.active or (issued_at is not None and issued_at < workspace.since)


def _lost_by(table: _Table, claims: Claims) -> Callable[[str], bool] | None:
    """Tells whether a workspace was deleted, or its member removed. A long list is not searched one by one."""
    workspaces, members, user = table["workspace"], table["workspace_member"], claims.user_id
    if len(claims.workspace_ids or ()) < len(workspaces) + len(members):

        def is_lost(workspace_id: str) -> bool:
            known = workspaces.get((workspace_id, "", ""))
            if known is not None and _is_gone(known, claims.issued_at):
                return True
            return user is not None and _is_out(members, workspace_id, user)

        return is_lost
    lost = {one.id for one in workspaces.values() if _is_gone(one, claims.issued_at)}
    lost.update(one.id for one in members.values() if not one.active and one.user_id == user)
    return lost.__contains__ if lost else None


def _workspaces_in(table: _Table, claims: Claims) -> tuple[str, ...] | None:
    if claims.workspace_ids is None:
        return None
    installs = [table["install"].get((one.install_id or "", "", "")) for one in _parties(claims)]
    limits = [frozenset(one.workspace_ids) for one in installs if one is not None and one.workspace_ids is not None]
    is_lost = _lost_by(table, claims)
    if not limits and is_lost is None:
        return claims.workspace_ids
    return tuple(
        one
        for one in claims.workspace_ids
        if all(one in limit for limit in limits) and not (is_lost is not None and is_lost(one))
    )


class Revocations:
    """The known state. `keep_for` is the seconds for which an entry is kept after its `until`, because tokens are
    accepted for the clock tolerance after their expiry. `ticks` are seconds of a monotonic clock.
    """

    def __init__(self, keep_for: float, ticks: Callable[[], float]) -> None:
        self._keep_for = keep_for
        self._ticks = ticks
        self._lock = Lock()
        self._known = _empty_table()
        # A new state that arrives in several answers is used only when it is complete. Until then the old one applies.
        self._staged: _Table | None = None
        self._served: frozenset[str] | None = None
        self._pruned_at = 0.0
        # The smallest difference in seconds between the time and the ticks.
        self._lead = inf
        self.version = 0
        """Increases with every change, so that a verdict is valid while the version is the same."""
        self.is_doubtful = False
        """True when relevant entries may have been dropped. Then the whole state must be read again."""

    def _surely(self, at: float) -> float:
        """The time, corrected for a clock that is temporarily ahead."""
        passed = self._ticks()
        # The clock was ahead, so too many entries may have been dropped.
        if self._lead < inf and self._lead - (at - passed) > _SET_BACK:
            self.is_doubtful = True
        self._lead = min(self._lead, at - passed)
        return passed + self._lead

    def _prune(self, at: float) -> None:
        if abs(at - self._pruned_at) < _PRUNE_EVERY:
            return
        self._pruned_at = at
        for changes in self._known.values():
            for key in [key for key, one in changes.items() if one.until + self._keep_for < at]:
                del changes[key]

    def apply(self, answer: FeedAnswer, at: float) -> bool:
        """Applies one answer. `at` is in seconds since 1970. Returns True when the state is complete."""
        with self._lock:
            self._prune(self._surely(at))
            if answer.reset:
                self._staged = _empty_table()
                self.is_doubtful = False
            table = self._known if self._staged is None else self._staged
            for change in answer.changes:
                table[change.type][_key_of(change)] = change
            if self._staged is not None and not answer.more:
                self._known, self._staged, self._served = self._staged, None, answer.organization_ids
                self.version += 1
            elif self._staged is None and answer.changes:
                self.version += 1
            return not answer.more

    def judge(self, claims: Claims) -> tuple[int, Claims | TokenFault]:
        """Applies all changes to a token. Returns the version of the state, and the narrowed claims or the reason for a
        refusal.
        """
        with self._lock:
            # Revocations of other organizations are not in the feed.
            if self._served is not None and claims.organization_id not in self._served:
                return self.version, "organization_not_served"
            refusal = _refusal_in(self._known, claims)
            if refusal is not None:
                return self.version, refusal
            permissions = _permissions_in(self._known, claims)
            workspace_ids = _workspaces_in(self._known, claims)
            if permissions == claims.permissions and workspace_ids == claims.workspace_ids:
                return self.version, claims
            return self.version, replace(claims, permissions=permissions, workspace_ids=workspace_ids)
