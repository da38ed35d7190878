"""The requirement of a request, and its check."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias

from .access import Access
from .core import Core
from .credentials import Credential
from .errors import InsufficientAuthentication, InsufficientScope, TokenInvalid
from .steps import Call, Work
from .strict_json import is_seconds, is_text

IdOf: TypeAlias = str | Callable[[Access], str | Awaitable[str]]
"""An id, or a function that finds it after the token was verified. With a blocking verifier it must not be asynchronous."""


Classes: TypeAlias = str | Sequence[str]


class _Nothing(Enum):
    """Distinguishes a workspace that was left out from one that a mistake emptied."""

    ABSENT = 0


ABSENT: Final = _Nothing.ABSENT
Absent: TypeAlias = Literal[_Nothing.ABSENT]


def own_organization(access: Access) -> str:
    """For data that is looked up in the token's own organization only."""
    return access.organization_id


def _are_classes(value: object) -> bool:
    if isinstance(value, str):
        return value != ""
    return isinstance(value, Sequence) and len(value) > 0 and all(map(is_text, value))


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
    acr: Classes | Absent = ABSENT
    """The accepted context classes of the user's sign-in, the preferred one first. Only user tokens have one."""
    max_age: int | Absent = ABSENT
    """The most seconds since that sign-in."""

    def __post_init__(self) -> None:
        permissions = self.permissions
        is_list = isinstance(permissions, Sequence) and not isinstance(permissions, str)
        if self.interface not in ("legacy", "current") or not is_list or not all(map(is_text, permissions)):
            raise TypeError("`interface` must be 'legacy' or 'current', and `permissions` a list of permissions")
        if not _is_id_of(self.organization) or not (self.workspace is ABSENT or _is_id_of(self.workspace)):
            raise TypeError("`organization` and `workspace` must be ids or functions that find them")
        if self.acr is not ABSENT and not _are_classes(self.acr):
            raise TypeError("`acr` must be a context class, or a list of them")
        if self.max_age is not ABSENT and (not is_seconds(self.max_age) or self.max_age == 0):
            raise TypeError("`max_age` must be a positive number of seconds")


def _find_id(name: str, id_of: IdOf, access: Access) -> Work[str]:
    found = (yield Call(id_of, (access,))) if callable(id_of) else id_of
    if not is_text(found):
        raise TypeError(f"the function `{name}` must return a non-empty string")
    return found


def _check_authentication(access: Access, needed: Requirement, now: float) -> None:
    """Checks the sign-in that the token depends on (RFC 9470 §5). Tokens without a user have none."""
    if needed.acr is ABSENT and needed.max_age is ABSENT:
        return
    acr = () if needed.acr is ABSENT else (needed.acr,) if isinstance(needed.acr, str) else tuple(needed.acr)
    max_age = None if needed.max_age is ABSENT else needed.max_age
    if access.kind != "user":
        raise InsufficientAuthentication("no_user", acr, max_age)
    if acr and access.acr not in acr:
        raise InsufficientAuthentication("acr", acr, max_age)
    if max_age is not None and (access.auth_time is None or now - access.auth_time > max_age):
        raise InsufficientAuthentication("max_age", acr, max_age)


def authorization(core: Core, credential: Credential | None, needed: Requirement) -> Work[Access]:
    """Verifies a credential (None when the request has none) and checks it against the requirement.

    Raises TokenInvalid, ProofInvalid, InsufficientScope, InsufficientAuthentication, VerificationUnavailable; TypeError when
    a function finds no id.
    """
    if credential is None:
        raise TokenInvalid("missing")
    access = yield from core.verify(credential)
    if access.interface != needed.interface:
        raise TokenInvalid("interface")
    if not all(map(access.can, needed.permissions)):
        raise InsufficientScope("permission", tuple(needed.permissions))
    if not needed.permissions and needed.interface == "current":
        access.count("read")
    owner = yield from _find_id("organization", needed.organization, access)
    if owner != access.organization_id:
        raise InsufficientScope("organization")
    if needed.workspace is not ABSENT:
        workspace = yield from _find_id("workspace", needed.workspace, access)
        if not access.reaches(owner, workspace):
            raise InsufficientScope("workspace")
    # Last: a user must not sign in again for what is out of reach anyway.
    _check_authentication(access, needed, core.now())
    return access
