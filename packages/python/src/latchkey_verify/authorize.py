"""Verifies a token and checks it against the requirement of the request."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from .access import Access
from .errors import InsufficientScope, TokenInvalid
from .strict_json import is_text
from .verifier import Verifier

IdOf: TypeAlias = str | Callable[[Access], str]


def _is_id_of(value: object) -> bool:
    return is_text(value) or callable(value)


def _find_id(name: str, id_of: IdOf, access: Access) -> str:
    found = id_of(access) if callable(id_of) else id_of
    if not is_text(found):
        raise TypeError(f"the function `{name}` must return a non-empty string")
    return found


def authorize(
    verifier: Verifier,
    token: str | None,
    *,
    interface: Literal["legacy", "current"],
    organization: IdOf,
    permissions: Sequence[str] = (),
    **workspace: IdOf,
) -> Access:
    """Verifies a token (None when the request has none) and checks interface, permissions, organization and workspace.

    `organization` is the owner of the requested data: an id, or a function of the access that finds it. `workspace` is
    the same; leave it out when the data is in none. Raises TypeError when the requirement is incomplete: a member that
    a mistake emptied would skip a check. Raises TokenInvalid, InsufficientScope and VerificationUnavailable.
    """
    is_list = isinstance(permissions, Sequence) and not isinstance(permissions, str)
    if interface not in ("legacy", "current") or not is_list or not all(map(is_text, permissions)):
        raise TypeError("`interface` must be 'legacy' or 'current', and `permissions` a list of permissions")
    if not set(workspace) <= {"workspace"}:
        raise TypeError("a requirement has interface, organization, permissions and workspace only")
    if not all(map(_is_id_of, (organization, *workspace.values()))):
        raise TypeError("`organization` and `workspace` must be ids or functions that find them")
    if token is None:
        raise TokenInvalid("missing")
    access = verifier.verify(token)
    if access.interface != interface:
        raise TokenInvalid("interface")
    if not all(map(access.can, permissions)):
        raise InsufficientScope("permission", tuple(permissions))
    owner = _find_id("organization", organization, access)
    if owner != access.organization_id:
        raise InsufficientScope("organization")
    if workspace and not access.reaches(owner, _find_id("workspace", workspace["workspace"], access)):
        raise InsufficientScope("workspace")
    return access
