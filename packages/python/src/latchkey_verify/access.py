"""The actor of a request and its rights."""

from dataclasses import dataclass, field
from typing import Literal

from .actors import Actor, actor_of
from .claims import Claims
from .strict_json import is_text
from .usage import Usage

Interface = Literal["legacy", "current"]
Kind = Literal["user", "install", "self_signed", "key_set"]


def _entries_of(names: tuple[str, ...]) -> frozenset[str] | tuple[str, ...]:
    """A long list becomes a set, so that many questions cost no product of lengths."""
    return names if len(names) <= 16 else frozenset(names)


@dataclass(frozen=True, slots=True)
class Access:
    """The actor of a request and its rights. `kind` distinguishes the cases:

    `user`: an app acts for a user. `install`: an app acts for itself in an organization that has installed it.
    `self_signed`: the organization itself acts, with a token that it signed with a key set's secret. `key_set`: the
    organization itself acts, with a legacy key set's secret.
    """

    kind: Kind
    interface: Interface
    organization_id: str
    client_id: str
    permissions: tuple[str, ...]
    """The permissions. Reading needs no permission on the current interface."""
    workspace_ids: tuple[str, ...] | None
    """The reachable workspaces; None means all workspaces of `organization_id` and of no other, including future ones."""
    user_id: str | None = None
    """Only set for the kind `user`."""
    expires_at: int | None = None
    """Seconds since 1970; None when the credential has no expiry."""
    auth_time: int | None = None
    """When the user had signed in: seconds since 1970; None when unknown, or for another kind."""
    acr: str | None = None
    """The context class of that sign-in (OpenID Connect Core §2)."""
    actor: Actor | None = None
    """The app that sends the token, when it acts through `client_id`; None: `client_id` itself."""
    _usage: Usage | None = field(default=None, repr=False, compare=False)
    _listed: frozenset[str] | tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_listed", _entries_of(self.workspace_ids or ()))

    def can(self, permission: str) -> bool:
        """True when the token has the permission."""
        is_granted = permission in self.permissions
        if is_granted:
            self.count(permission)
        return is_granted

    def count(self, permission: str) -> None:
        """Counts a use of the permission; `read` is reading on the current interface, which needs none."""
        if self._usage is not None:
            self._usage.add(self.client_id, self.organization_id, permission)

    def reaches(self, organization_id: str, workspace_id: str) -> bool:
        """True when the token reaches this workspace of this organization.

        `organization_id` is the owner of the workspace as the data API has stored it, never taken from this access.
        Raises TypeError unless both are non-empty strings: a token that reaches all workspaces contains no list of
        them, so an id of any organization would pass without the first argument.
        """
        if not is_text(organization_id) or not is_text(workspace_id):
            raise TypeError(
                "write access.reaches(organization_id, workspace_id) with two non-empty strings: "
                "the organization that owns the workspace, and the workspace"
            )
        if organization_id != self.organization_id:
            return False
        return self.workspace_ids is None or workspace_id in self._listed


def access_of(claims: Claims, usage: Usage) -> Access:
    return Access(
        kind=claims.kind,
        interface=claims.interface,
        organization_id=claims.organization_id,
        client_id=claims.client_id,
        permissions=claims.permissions,
        workspace_ids=claims.workspace_ids,
        user_id=claims.user_id,
        expires_at=claims.expires_at,
        auth_time=claims.auth_time,
        acr=claims.acr,
        actor=actor_of(claims.actors),
        _usage=usage.counts(claims),
    )
