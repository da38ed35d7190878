"""Data APIs of both kinds, and a running server that gives them tokens and revokes them."""

import asyncio
import os
import time
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from hashlib import sha256
from typing import Any
from uuid import uuid4

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from latchkey_verify import AsyncVerifier, Requirement, Verifier, asgi, wsgi

ORIGIN = "https://data.example"
Get = Callable[[str, dict[str, str]], Awaitable[httpx.Response]]

pytestmark = pytest.mark.skipif("LATCHKEY_TEST_ISSUER" not in os.environ, reason="without a running server")


def setting(name: str) -> str:
    return os.environ[f"LATCHKEY_TEST_{name}"]


def options() -> dict[str, str]:
    return {
        "issuer": setting("ISSUER"),
        "audience": setting("TOKEN_AUDIENCE"),
        "resource_server_id": setting("RESOURCE_SERVER_ID"),
        "resource_server_secret": setting("RESOURCE_SERVER_SECRET"),
    }


def requirement(path: str) -> Requirement:
    organization, workspace, permission = path.strip("/").split("/")
    return Requirement(interface="current", organization=organization, workspace=workspace, permissions=[permission])


async def asgi_app(scope: Any, _receive: Any, send: Any) -> None:
    access = asgi.access_from(scope)
    assert access is not None
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": access.client_id.encode()})


def wsgi_app(environ: Any, start_response: Any) -> list[bytes]:
    access = wsgi.access_from(environ)
    assert access is not None
    start_response("200 OK", [])
    return [access.client_id.encode()]


async def asynchronous(stack: AsyncExitStack, **more: Any) -> Get:
    verifier = await stack.enter_async_context(AsyncVerifier(**options(), **more))
    app: Any = asgi.LatchkeyMiddleware(
        asgi_app, verifier, requires=lambda scope: requirement(scope["path"]), public_url=ORIGIN
    )
    client = await stack.enter_async_context(httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN))
    return lambda path, headers: client.get(path, headers=headers)


async def blocking(stack: AsyncExitStack) -> Get:
    verifier = stack.enter_context(Verifier(**options()))
    app: Any = wsgi.LatchkeyMiddleware(
        wsgi_app, verifier, requires=lambda environ: requirement(environ["PATH_INFO"]), public_url=ORIGIN
    )
    client = stack.enter_context(httpx.Client(transport=httpx.WSGITransport(app), base_url=ORIGIN))
    return lambda path, headers: asyncio.to_thread(client.get, path, headers=headers)


class Holder:
    """A client with a key (RFC 9449 §4)."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        public: Any = jwt.get_algorithm_by_name("ES256").to_jwk(self._key.public_key(), as_dict=True)
        self._header = {"typ": "dpop+jwt", "jwk": public}

    def prove(self, method: str, url: str, token: str | None = None) -> str:
        claims: dict[str, Any] = {"jti": str(uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
        if token is not None:
            claims["ath"] = urlsafe_b64encode(sha256(token.encode()).digest()).rstrip(b"=").decode()
        return jwt.encode(claims, self._key, algorithm="ES256", headers=self._header)


async def check_refusals(get: Get) -> None:
    bearer = {"authorization": f"Bearer {setting('TOKEN')}"}
    forged = {"authorization": f"Bearer {setting('TOKEN')}A"}
    organization, workspace = setting("ORGANIZATION"), setting("WORKSPACE")
    place = f"/{organization}/{workspace}"
    for what, path, headers, status, challenge in [
        ("its workspace", f"{place}/records:create", bearer, 200, ""),
        ("no token", f"{place}/records:create", {}, 401, "Bearer"),
        ("another token", f"{place}/records:create", forged, 401, 'error="invalid_token"'),
        ("another permission", f"{place}/table:modify", bearer, 403, 'scope="table:modify"'),
        ("another organization", f"/other/{workspace}/records:create", bearer, 403, 'error="insufficient_scope"'),
        ("another workspace", f"/{organization}/wksother/records:create", bearer, 403, 'error="insufficient_scope"'),
    ]:
        response = await get(path, headers)
        assert response.status_code == status, what
        assert challenge in response.headers.get("www-authenticate", ""), what


async def check_proofs(get: Get, place: str, server: httpx.AsyncClient) -> None:
    holder = Holder()
    url = f"{setting('ISSUER')}/api/oauth/token"
    form = {
        "grant_type": "client_credentials",
        "organization_id": setting("ORGANIZATION"),
        "client_id": setting("CLIENT_ID"),
        "client_secret": setting("CLIENT_SECRET"),
    }
    answer = (await server.post(url, data=form, headers={"dpop": holder.prove("POST", url)})).json()
    assert answer["token_type"] == "DPoP"
    token = answer["access_token"]
    proof = {"authorization": f"DPoP {token}", "dpop": holder.prove("GET", ORIGIN + place, token)}
    assert (await get(place, proof)).status_code == 200
    replayed = await get(place, proof)
    assert replayed.status_code == 401
    assert replayed.headers["www-authenticate"].startswith('DPoP error="invalid_dpop_proof"')
    assert (await get(place, {"authorization": f"Bearer {token}"})).status_code == 401
    thief = {"authorization": f"DPoP {token}", "dpop": Holder().prove("GET", ORIGIN + place, token)}
    assert (await get(place, thief)).status_code == 401


async def uninstall(server: httpx.AsyncClient) -> None:
    operator = {"authorization": f"Bearer {setting('OPERATOR_TOKEN')}"}
    (await server.delete(setting("INSTALL"), headers=operator)).raise_for_status()


async def check_revocation(get: Get, place: str, began: float) -> None:
    while (await get(place, {"authorization": f"Bearer {setting('TOKEN')}"})).status_code != 401:
        assert time.monotonic() - began < 2, "the token of the uninstalled app was accepted for 2 seconds"
        await asyncio.sleep(0.02)


def test_data_apis_of_a_running_server() -> None:
    async def run() -> None:
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(httpx.AsyncClient())
            apis = [
                await asynchronous(stack),
                await blocking(stack),
                await asynchronous(stack, mode="introspect"),
            ]
            place = f"/{setting('ORGANIZATION')}/{setting('WORKSPACE')}/records:create"
            for get in apis:
                await check_refusals(get)
                await check_proofs(get, place, server)
            await uninstall(server)
            began = time.monotonic()
            await asyncio.gather(*(check_revocation(get, place, began) for get in apis))

    asyncio.run(run())
