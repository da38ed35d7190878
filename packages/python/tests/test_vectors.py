"""The vectors that all implementations of the verification pass, except those with proofs of possession."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from latchkey_verify import VerificationError, Verifier, authorize, bearer_token, legacy_credential

FOLDER = Path(__file__).parents[2] / "vectors"
FILES = [one for one in sorted(FOLDER.glob("*.json")) if one.name != "proofs.json"]
IDLE = {"cursor": "end", "reset": False, "more": False, "changes": []}


def needs_proof(one: dict[str, Any]) -> bool:
    credential = one["credential"]
    return isinstance(credential, dict) and ("proof" in credential or "dpop" in credential.get("headers", {}))


VECTORS = [
    one
    for file in FILES
    for one in json.loads(file.read_text())
    if not any(map(needs_proof, (one, *one.get("earlier", ()))))
]


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
            return answer(status.get("introspection", 200), vector.get("introspection", {"active": False}))
        if pages:
            return answer(status.get("feed", 200), pages.pop(0))
        if "cursor" not in request.url.params:
            raise httpx.ReadTimeout("unanswered")  # a feed that was refused is not replaced by an empty one
        return answer(200, IDLE)

    return httpx.MockTransport(handle)


def token_in(credential: Any) -> Any:
    if not isinstance(credential, dict):
        return credential
    if "variables" in credential:
        return legacy_credential(credential["variables"])
    return bearer_token(credential["headers"].get("authorization"))


def outcome_of(verifier: Verifier, one: dict[str, Any]) -> dict[str, Any]:
    requires = one.get("request", {}).get("requires")
    try:
        token = token_in(one["credential"])
        if requires is not None:
            access = authorize(verifier, token, **requires)
        else:
            access = verifier.verify("" if token is None else token)
    except VerificationError as error:
        return {"ok": False, "code": error.code, "reason": error.reason}
    members = {
        "kind": access.kind,
        "interface": access.interface,
        "organizationId": access.organization_id,
        "clientId": access.client_id,
        "permissions": list(access.permissions),
        "workspaceIds": None if access.workspace_ids is None else list(access.workspace_ids),
        "userId": access.user_id,
        "expiresAt": access.expires_at,
    }
    optional = ("userId", "expiresAt")
    return {"ok": True, "access": {k: v for k, v in members.items() if v is not None or k not in optional}}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one["name"])
def test_vector(vector: dict[str, Any]) -> None:
    clock = {"now": vector["now"]}
    verifier = Verifier(
        issuer=vector["issuer"],
        audience=vector["audience"],
        resource_server_id="rsv_vectors",
        resource_server_secret="the secret of the resource server in all vectors",
        timeout=0.5,
        now=lambda: clock["now"],
        http_client=lambda: httpx.Client(transport=answers_of(vector)),
    )
    try:
        for one in (*vector.get("earlier", ()), vector):
            clock["now"] = one.get("now", vector["now"])
            assert outcome_of(verifier, one) == one["expect"]
    finally:
        verifier.close()
