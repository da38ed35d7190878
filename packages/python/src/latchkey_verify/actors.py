"""The apps that act with the authorization of another app (RFC 8693 §4.1)."""

from dataclasses import dataclass

from .strict_json import JsonObject, is_seconds, is_text

# The server never issues a longer chain.
_LONGEST_CHAIN = 3


@dataclass(frozen=True, slots=True)
class Actor:
    """The app that sends the token, when it acts with the authorization of another app."""

    client_id: str
    actor: "Actor | None" = None
    """The app that acted before it, and whose token it got; None: the app of the authorization."""


@dataclass(frozen=True, slots=True)
class ActorClaims:
    """One app that acts with a token, and what ends its part."""

    client_id: str
    install_id: str
    app_epoch: int
    subject_token_id: str
    """Id of the token that was exchanged."""


def client_ids_in(act: object) -> list[str] | None:
    """The client ids in `act`, the current actor first; None when it is malformed."""
    ids: list[str] = []
    while True:
        if not isinstance(act, dict) or len(ids) == _LONGEST_CHAIN:
            return None
        client_id = act.get("client_id")
        if not is_text(client_id):
            return None
        ids.append(client_id)
        if "act" not in act:
            return ids
        act = act["act"]


def read_actors(payload: JsonObject) -> tuple[ActorClaims, ...] | None:
    """The actors in the claims of a signed token, the current one first; None when they are malformed."""
    if "act" not in payload and "delegation" not in payload:
        return ()
    ids, delegation = client_ids_in(payload.get("act")), payload.get("delegation")
    if ids is None or not isinstance(delegation, list) or len(delegation) != len(ids):
        return None
    actors: list[ActorClaims] = []
    for client_id, one in zip(ids, delegation, strict=True):
        members = one if isinstance(one, dict) else {}
        install, epoch, subject = (members.get(name) for name in ("install_id", "app_epoch", "subject_jti"))
        if not is_text(install) or not is_seconds(epoch) or not is_text(subject):
            return None
        actors.append(ActorClaims(client_id, install, epoch, subject))
    return tuple(actors)


def actor_of(actors: tuple[ActorClaims, ...]) -> Actor | None:
    """None for the token of a single app."""
    actor: Actor | None = None
    for one in reversed(actors):
        actor = Actor(one.client_id, actor)
    return actor
