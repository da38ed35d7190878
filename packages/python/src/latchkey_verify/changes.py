"""The answers of the revocation feed. Each change has the current state of its subject."""

from dataclasses import dataclass
from typing import Any

from .strict_json import JsonObject, is_seconds, is_text, is_text_list

_PLAIN = ("grant", "token", "organization", "key_set")
_WITH_USER = ("member", "workspace_member", "install_member")
CHANGE_TYPES = (*_PLAIN, *_WITH_USER, "workspace", "install", "app", "user", "connection")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The current state of a subject. `until` (seconds since 1970) is the expiry of the last token that the change can
    affect. The other members have a meaning for some types only.
    """

    type: str
    id: str
    active: bool
    until: int
    since: int = 0
    """Of a workspace whose id is used again: tokens issued before (seconds since 1970) do not reach it."""
    epoch: int = 0
    permissions: tuple[str, ...] = ()
    workspace_ids: tuple[str, ...] | None = None
    user_id: str = ""
    client_id: str = ""


@dataclass(frozen=True, slots=True)
class FeedAnswer:
    cursor: str
    reset: bool
    """All earlier changes must be dropped."""
    more: bool
    """More changes are available at once."""
    changes: tuple[Change, ...]
    organization_ids: frozenset[str] | None
    """The organizations that the changes are about. Tokens of others must be refused. None: all."""


def _malformed(what: str) -> ValueError:
    return ValueError(f"revocation feed: {what}")


def _list_in(change: JsonObject, name: str) -> tuple[str, ...]:
    # An inactive subject has no rights, so the list may be absent.
    if name not in change and change.get("active") is False:
        return ()
    value = change.get(name)
    if not is_text_list(value):
        raise _malformed(f"{change['type']}.{name}")
    return tuple(value)


def _text_in(change: JsonObject, name: str) -> str:
    value = change.get(name)
    if not is_text(value):
        raise _malformed(f"{change['type']}.{name}")
    return value


def _count_in(change: JsonObject, name: str) -> int:
    value = change.get(name)
    if not is_seconds(value):
        raise _malformed(f"{change['type']}.{name}")
    return value


def _members_of(change: JsonObject) -> dict[str, Any]:
    """What the type of the change has beside the common members."""
    match change["type"]:
        case "workspace":
            return {"since": _count_in(change, "since") if "since" in change else 0}
        case "install":
            is_all = "workspace_ids" in change and change["workspace_ids"] is None
            return {
                "permissions": _list_in(change, "permissions"),
                "workspace_ids": None if is_all else _list_in(change, "workspace_ids"),
            }
        case "app":
            return {"permissions": _list_in(change, "permissions"), "epoch": _count_in(change, "epoch")}
        case "user":
            return {"epoch": _count_in(change, "epoch")}
        case "member" | "workspace_member" | "install_member":
            return {"user_id": _text_in(change, "user_id")}
        case "connection":
            return {
                "user_id": _text_in(change, "user_id"),
                "client_id": _text_in(change, "client_id"),
                "epoch": _count_in(change, "epoch"),
            }
        case _:
            return {}


def _read_change(change: object) -> Change | None:
    """None for a type of a later version. Raises ValueError."""
    if not isinstance(change, dict) or not is_text(change.get("type")):
        raise _malformed("change")
    if change["type"] not in CHANGE_TYPES:
        return None
    active = change.get("active")
    if not isinstance(active, bool):
        raise _malformed(f"{change['type']}.active")
    return Change(
        type=change["type"],
        id=_text_in(change, "id"),
        active=active,
        until=_count_in(change, "until"),
        **_members_of(change),
    )


def read_feed_answer(body: JsonObject) -> FeedAnswer:
    """Reads an answer as a whole, because skipping an unreadable part could skip a revocation.

    Raises ValueError that names the fault.
    """
    cursor, reset, more = body.get("cursor"), body.get("reset"), body.get("more")
    changes, organization_ids = body.get("changes"), body.get("organization_ids")
    if not is_text(cursor):
        raise _malformed("cursor")
    if not isinstance(reset, bool) or not isinstance(more, bool):
        raise _malformed("reset or more")
    if not isinstance(changes, list):
        raise _malformed("changes")
    if organization_ids is not None and not is_text_list(organization_ids):
        raise _malformed("organization_ids")
    read = [_read_change(one) for one in changes]
    return FeedAnswer(
        cursor,
        reset,
        more,
        tuple(one for one in read if one is not None),
        None if organization_ids is None else frozenset(organization_ids),
    )
