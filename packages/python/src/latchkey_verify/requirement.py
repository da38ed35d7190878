"""The requirement of a request, and its check."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias

from .access import Access
from .core import Core
from .credentials import Credential
from .errors import InsufficientScope, TokenInvalid
from .steps import Call, Work
from .strict_json import is_text

IdOf: TypeAlias = str | Callable[[Access], str | Awaitable[str]]
"""An id, or a function that finds it after the token was verified. With a blocking verifier it must not be asynchronous."""


class _Nothing(Enum):
    """Distinguishes a workspace that was left out from one that a mistake emptied."""

    ABSENT = 0


ABSENT: Final = _Nothing.ABSENT
Absent: TypeAlias = Literal[_Nothing.ABSENT]


def own_organization(access: Access) -> str:
    """For data that is looked up in the token's own organization only."""
    return access.organization_id


def _is_id_of(value: object) -> bool:
    return is_text(value) or callable(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """The requirement of a request. Raises TypeError when it is incomplete: a member that a mistake emptied would skip a
    check.
    """

    interface: Literal["legacy", "current"]
    """Tokens of the other interface are refused."""
    organization: IdOf
    """The organization that owns the requested data."""
    permissions: Sequence[str] = ()
    """Required permissions, all of them."""
    workspace: IdOf | Absent = ABSENT
    """The workspace of the requested data; leave it out when the data is in none."""

    def __post_init__(self) -> None:
        permissions = self.permissions
        is_list = isinstance(permissions, Sequence) and not isinstance(permissions, str)
        if self.interface not in ("legacy", "current") or not is_list or not all(map(is_text, permissions)):
            raise TypeError("`interface` must be 'legacy' or 'current', and `permissions` a list of permissions")
        if not _is_id_of(self.organization) or not (self.workspace is ABSENT or _is_id_of(self.workspace)):
            raise TypeError("`organization` and `workspace` must be ids or functions that find them")


def _find_id(name: str, id_of: IdOf, access: Access) -> Work[str]:
    found = (yield Call(id_of, (access,))) if callable(id_of) else id_of
    if not is_text(found):
        raise TypeError(f"the function `{name}` must return a non-empty string")
    return found


def authorization(core: Core, credential: Credential | None, needed: Requirement) -> Work[Access]:
    """Verifies a credential (None when the request has none) and checks it against the requirement.

    Raises TokenInvalid, ProofInvalid, InsufficientScope, VerificationUnavailable; TypeError when a function finds no id.
    """
    if credential is None:
        raise TokenInvalid("missing")
    access = yield from core.verify(credential)
    if access.interface != needed.interface:
        raise TokenInvalid("interface")
    if not all(map(access.can, needed.permissions)):
        raise InsufficientScope("permission", tuple(needed.permissions))
    owner = yield from _find_id("organization", needed.organization, access)
    if owner != access.organization_id:
        raise InsufficientScope("organization")
    if needed.workspace is ABSENT:
        return access
    if not access.reaches(owner, (yield from _find_id("workspace", needed.workspace, access))):
        raise InsufficientScope("workspace")
    return access
