"""The vectors, the answers of a server in them, and what their credentials are."""

import json
from pathlib import Path
from typing import Any

import httpx

from latchkey_verify import Access, Actor, Credential, ProvenToken, bearer_token, credential_in, legacy_credential

FOLDER = Path(__file__).parents[2] / "vectors"
IDLE = {"cursor": "end", "reset": False, "more": False, "changes": []}
VECTORS: list[dict[str, Any]] = [one for file in sorted(FOLDER.glob("*.json")) for one in json.loads(file.read_text())]


def vector(name: str) -> dict[str, Any]:
    return next(one for one in VECTORS if one["name"] == name)


def answers_of(vector: dict[str, Any]) -> httpx.MockTransport:
    feed = vector.get("feed", {"cursor": "1", "reset": True, "more": False, "changes": []})
    pages = list(feed) if isinstance(feed, list) else [feed]
    status = vector.get("status", {})

    def answer(code: int, body: Any) -> httpx.Response:
        return httpx.Response(code, text=body if isinstance(body, str) else json.dumps(body))

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/.well-known/jwks.json":
            return answer(status.get("jwks", 200), vector["jwks"])
        if request.url.path == "/api/oauth/introspect":
            default = 200 if "introspection" in vector else 500
            return answer(status.get("introspection", default), vector.get("introspection", {}))
        if pages:
            return answer(status.get("feed", 200), pages.pop(0))
        if "cursor" not in request.url.params:
            raise httpx.ReadTimeout("unanswered")  # a feed that was refused is not replaced by an empty one
        return answer(200, IDLE)

    return httpx.MockTransport(handle)


def options_of(vector: dict[str, Any], clock: dict[str, float]) -> dict[str, Any]:
    """The timeout is short where the result is to wait for it, and elsewhere long enough for a busy machine."""
    is_unavailable = vector["expect"].get("code") == "temporarily_unavailable" or "status" in vector
    return {
        "issuer": vector["issuer"],
        "audience": vector["audience"],
        "resource_server_id": "rsv_vectors",
        "resource_server_secret": "the secret of the resource server in all vectors",
        "timeout": 0.5 if is_unavailable else 30,
        "now": lambda: clock["now"],
    }


def credential_of(one: dict[str, Any]) -> Credential | None:
    credential, request = one["credential"], one.get("request", {})
    if not isinstance(credential, dict):
        return credential
    if "variables" in credential:
        return legacy_credential(credential["variables"])
    method, url = request.get("method", "GET"), request.get("url", "")
    if "headers" in credential:
        headers = credential["headers"]
        if method == "GET" and url == "":
            return bearer_token(headers.get("authorization"))
        return credential_in(headers.get("authorization"), headers.get("dpop"), method=method, url=url)
    return ProvenToken(credential["token"], credential["proof"], method, url)


def actor_of(actor: Actor) -> dict[str, Any]:
    before = {} if actor.actor is None else {"actor": actor_of(actor.actor)}
    return {"clientId": actor.client_id, **before}


def members_of(access: Access) -> dict[str, Any]:
    members = {
        "kind": access.kind,
        "interface": access.interface,
        "organizationId": access.organization_id,
        "clientId": access.client_id,
        "permissions": list(access.permissions),
        "workspaceIds": None if access.workspace_ids is None else list(access.workspace_ids),
        "userId": access.user_id,
        "expiresAt": access.expires_at,
        "authTime": access.auth_time,
        "acr": access.acr,
        "actor": None if access.actor is None else actor_of(access.actor),
    }
    optional = ("userId", "expiresAt", "authTime", "acr", "actor")
    return {"ok": True, "access": {k: v for k, v in members.items() if v is not None or k not in optional}}
