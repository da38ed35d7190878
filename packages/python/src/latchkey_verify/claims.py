"""The claims of an issued token (RFC 9068 §4)."""

from dataclasses import dataclass
from typing import Literal

from .actors import ActorClaims, read_actors
from .errors import TokenInvalid
from .resource_form import is_same_resource
from .settings import Settings
from .strict_json import JsonObject, is_seconds, is_text, is_text_list


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The claims of a token, read from it or from the server. Times are seconds since 1970."""

    kind: Literal["user", "install", "self_signed", "key_set"]
    interface: Literal["legacy", "current"]
    organization_id: str
    client_id: str
    permissions: tuple[str, ...]
    workspace_ids: tuple[str, ...] | None
    """None: all workspaces of the organization."""
    user_id: str | None = None
    is_open: bool = False
    """The token does not list its workspaces: the server must be asked, and until then it reaches none."""
    expires_at: int | None = None
    issued_at: int | None = None
    token_id: str | None = None
    grant_id: str | None = None
    install_id: str | None = None
    app_epoch: int = 0
    """Number of times that all tokens of the app had been revoked before this one was issued."""
    user_epoch: int = 0
    connection_epoch: int = 0
    """Number of times that the user had disconnected the app in this organization."""
    jkt: str | None = None
    """Thumbprint of the key that the token is bound to; None for a bearer token."""
    auth_time: int | None = None
    """When the user had signed in (RFC 9470 §6); None when unknown."""
    acr: str | None = None
    """The context class of that sign-in."""
    actors: tuple[ActorClaims, ...] = ()
    """The apps that act with the authorization of another one, the current one first; usually empty."""


def _is_for(audience: object, wanted: str) -> bool:
    """RFC 7519 §4.1.3: the audience is one value or several. A client may have written its URI in another way."""
    named = [audience] if is_text(audience) else audience
    return is_text_list(named) and any(is_same_resource(one, wanted) for one in named)


def _check_times(payload: JsonObject, tolerance: float, at: float) -> None:
    """RFC 7519 §4.1.4 to §4.1.6."""
    exp, iat, nbf = payload.get("exp"), payload.get("iat"), payload.get("nbf", 0)
    if not is_seconds(exp) or not is_seconds(iat) or not is_seconds(nbf):
        raise TokenInvalid("claims")
    if exp + tolerance <= at:
        raise TokenInvalid("expired")
    if max(iat, nbf) - tolerance > at:
        raise TokenInvalid("not_yet_valid")


def _reach_of(interface: str, payload: JsonObject) -> tuple[tuple[str, ...] | None, bool]:
    """Tokens of the current interface list their workspaces or say that the server knows them, and those of the legacy
    interface do neither. So a missing list must not be read as "all" where a list is required.
    """
    has_list, ids = "workspace_ids" in payload, payload.get("workspace_ids")
    if "workspaces" not in payload:
        if interface == "legacy" and not has_list:
            return None, False
        if interface == "current" and is_text_list(ids):
            return tuple(ids), False
    elif interface == "current" and payload["workspaces"] == "introspect" and not has_list:
        return (), True
    raise TokenInvalid("claims")


def _epoch_in(payload: JsonObject, name: str) -> int:
    """Tokens issued before epochs were introduced have no epoch, which counts as 0."""
    value = payload.get(name, 0)
    if not is_seconds(value):
        raise TokenInvalid("claims")
    return value


def _id_in(payload: JsonObject, name: str) -> str | None:
    if name not in payload:
        return None
    value = payload[name]
    if not is_text(value):
        raise TokenInvalid("claims")
    return value


def _key_in(payload: JsonObject) -> str | None:
    """RFC 7800 §3.1: a token with an unsupported confirmation is refused."""
    if "cnf" not in payload:
        return None
    members = payload["cnf"]
    if not isinstance(members, dict) or set(members) != {"jkt"} or not is_text(members["jkt"]):
        raise TokenInvalid("claims")
    return members["jkt"]


def _time_in(payload: JsonObject, name: str) -> int | None:
    if name not in payload:
        return None
    value = payload[name]
    if not is_seconds(value):
        raise TokenInvalid("claims")
    return value


def _party_of(payload: JsonObject, client_id: str) -> tuple[Literal["user", "install"], str | None]:
    """A user token names its user and its grant. An install token names its app (RFC 9068 §2.2) and its install."""
    kind, sub = payload.get("kind"), payload.get("sub")
    if kind == "user" and is_text(sub) and is_text(payload.get("grant_id")):
        return "user", sub
    if kind == "install" and sub == client_id and is_text(payload.get("install_id")):
        return "install", None
    raise TokenInvalid("claims")


def read_claims(payload: JsonObject, settings: Settings, at: float) -> Claims:
    """Reads the claims after the signature was verified. `at` is in seconds since 1970. Raises TokenInvalid."""
    if payload.get("iss") != settings.issuer:
        raise TokenInvalid("issuer")
    if not _is_for(payload.get("aud"), settings.audience):
        raise TokenInvalid("audience")
    _check_times(payload, settings.clock_tolerance, at)
    client_id, organization_id = payload.get("client_id"), payload.get("organization_id")
    permissions, token_id = payload.get("permissions"), payload.get("jti")
    if not is_text(client_id) or not is_text(organization_id) or not is_text(token_id):
        raise TokenInvalid("claims")
    interface = payload.get("interface")
    if not is_text_list(permissions) or (interface != "legacy" and interface != "current"):
        raise TokenInvalid("claims")
    kind, user_id = _party_of(payload, client_id)
    workspace_ids, is_open = _reach_of(interface, payload)
    actors = read_actors(payload)
    # An app must not pass for another one.
    if actors is None:
        raise TokenInvalid("claims")
    return Claims(
        kind=kind,
        interface=interface,
        organization_id=organization_id,
        client_id=client_id,
        permissions=tuple(permissions),
        workspace_ids=workspace_ids,
        user_id=user_id,
        is_open=is_open,
        expires_at=payload["exp"],
        issued_at=payload["iat"],
        token_id=token_id,
        grant_id=_id_in(payload, "grant_id"),
        install_id=_id_in(payload, "install_id"),
        app_epoch=_epoch_in(payload, "app_epoch"),
        user_epoch=_epoch_in(payload, "user_epoch"),
        connection_epoch=_epoch_in(payload, "connection_epoch"),
        jkt=_key_in(payload),
        auth_time=_time_in(payload, "auth_time"),
        acr=_id_in(payload, "acr"),
        actors=actors,
    )
