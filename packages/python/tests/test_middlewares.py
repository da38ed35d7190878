"""The middlewares of ASGI and WSGI and the dependency of FastAPI answer alike."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import httpx
import pytest
from fastapi import Depends, FastAPI
from vectors import answers_of, options_of, vector

from latchkey_verify import Access, AsyncVerifier, Requirement, Verifier, own_organization
from latchkey_verify import asgi as for_asgi
from latchkey_verify import wsgi as for_wsgi
from latchkey_verify.fastapi import TokenGuard

PLAIN = vector("a user token of the current interface")
PROVEN = vector("a token with its proof")
ORGANIZATION = PLAIN["expect"]["access"]["organizationId"]
WORKSPACE = PLAIN["expect"]["access"]["workspaceIds"][0]
PERMISSION = PLAIN["expect"]["access"]["permissions"][0]
ORIGIN = "https://data.example.com"


def requirement(path: str) -> Requirement | Any:
    """`/organization/workspace/permission`, `/own`, `/public`, or a mistake."""
    parts = path.strip("/").split("/")
    if parts == ["public"]:
        return for_asgi.PUBLIC
    if parts == ["mistake"]:
        return None
    if len(parts) < 3:
        return Requirement(interface="current", organization=own_organization)
    organization, workspace, permission = parts
    return Requirement(interface="current", organization=organization, workspace=workspace, permissions=[permission])


def verifier_of(one: dict[str, Any], kind: type[Any], client: type[Any]) -> Any:
    options = options_of(one, {"now": one["now"]})
    return kind(**options, http_client=lambda: client(transport=answers_of(one)))


async def in_asgi(one: dict[str, Any], options: dict[str, Any], **request: Any) -> httpx.Response:
    async def app(scope: Any, _receive: Any, send: Any) -> None:
        access = for_asgi.access_from(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": (access.client_id if access else "public").encode()})

    verifier = verifier_of(one, AsyncVerifier, httpx.AsyncClient)
    requires = lambda scope: requirement(scope["path"])  # noqa: E731
    guarded: Any = for_asgi.LatchkeyMiddleware(app, verifier, requires=requires, **options)
    async with verifier, httpx.AsyncClient(transport=httpx.ASGITransport(guarded), base_url="http://inner") as client:
        return await client.request(**request)


async def in_wsgi(one: dict[str, Any], options: dict[str, Any], **request: Any) -> httpx.Response:
    def app(environ: Any, start_response: Any) -> list[bytes]:
        access = for_wsgi.access_from(environ)
        start_response("200 OK", [])
        return [(access.client_id if access else "public").encode()]

    requires = lambda environ: requirement(environ["PATH_INFO"])  # noqa: E731
    with verifier_of(one, Verifier, httpx.Client) as verifier:
        guarded: Any = for_wsgi.LatchkeyMiddleware(app, verifier, requires=requires, **options)
        with httpx.Client(transport=httpx.WSGITransport(guarded), base_url="http://inner") as client:
            return client.request(**request)


async def in_fastapi(one: dict[str, Any], options: dict[str, Any], **request: Any) -> httpx.Response:
    verifier = verifier_of(one, AsyncVerifier, httpx.AsyncClient)
    guard = TokenGuard(verifier, **options)
    app = FastAPI()
    in_path = guard.require(
        organization=lambda request, _: request.path_params["organization"],
        workspace=lambda request, _: request.path_params.get("workspace"),
        permissions=[PERMISSION],
    )
    own = guard.require(organization=lambda _, access: access.organization_id)
    wrong: Any = lambda *_: 7  # noqa: E731
    number = guard.require(organization=wrong)

    @app.api_route("/own", methods=["GET", "POST"])
    @app.post("/graphql")
    async def read(access: Annotated[Access, Depends(own)]) -> str:
        return access.client_id

    @app.get("/number")
    async def never(access: Annotated[Access, Depends(number)]) -> str:
        return access.client_id

    @app.get("/{organization}/{workspace}/{permission}")
    @app.get("/{organization}")
    async def create(access: Annotated[Access, Depends(in_path)]) -> str:
        return access.client_id

    async with verifier, httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://inner") as client:
        return await client.request(**request)


@pytest.fixture(params=[in_asgi, in_wsgi, in_fastapi], ids=["asgi", "wsgi", "fastapi"])
def send(request: pytest.FixtureRequest) -> Iterator[Callable[..., httpx.Response]]:
    def run(one: dict[str, Any], options: dict[str, Any] | None = None, **sent: Any) -> httpx.Response:
        return asyncio.run(request.param(one, options or {}, **sent))

    yield run


BEARER = {"authorization": f"Bearer {PLAIN['credential']}"}
PLACE = f"/{ORGANIZATION}/{WORKSPACE}/{PERMISSION}"


def test_a_token_is_accepted(send: Callable[..., httpx.Response]) -> None:
    response = send(PLAIN, method="GET", url=PLACE, headers=BEARER)
    assert response.status_code == 200
    assert PLAIN["expect"]["access"]["clientId"] in response.text


REFUSED = [
    ("no token", PLACE, {}, 401, 'Bearer realm="data"'),
    ("another scheme", PLACE, {"authorization": "Basic abc"}, 401, 'Bearer realm="data"'),
    ("a forged token", PLACE, {"authorization": BEARER["authorization"][:-4] + "AAAA"}, 401, 'error="invalid_token"'),
    ("another organization", f"/other/{WORKSPACE}/{PERMISSION}", BEARER, 403, 'error="insufficient_scope"'),
    ("another workspace", f"/{ORGANIZATION}/other/{PERMISSION}", BEARER, 403, 'error="insufficient_scope"'),
]


@pytest.mark.parametrize(("what", "url", "headers", "status", "challenge"), REFUSED, ids=lambda one: str(one)[:20])
def test_a_challenge(
    send: Callable[..., httpx.Response], what: str, url: str, headers: dict[str, str], status: int, challenge: str
) -> None:
    refusals: list[str] = []
    options = {"realm": "data", "on_refused": lambda _, error: refusals.append(error.code)}
    response = send(PLAIN, options, method="GET", url=url, headers=headers)
    assert response.status_code == status, what
    assert challenge in response.headers["www-authenticate"], what
    assert refusals == ["token-invalid" if status == 401 else "insufficient_scope"]


def test_two_tokens_are_no_credential() -> None:
    twice = [("authorization", BEARER["authorization"])] * 2
    for app in (in_asgi, in_fastapi):
        assert asyncio.run(app(PLAIN, {}, method="GET", url=PLACE, headers=twice)).status_code == 401
    # Servers of WSGI join repeated headers.
    joined = {"authorization": f"{BEARER['authorization']},{BEARER['authorization']}"}
    assert asyncio.run(in_wsgi(PLAIN, {}, method="GET", url=PLACE, headers=joined)).status_code == 401


def test_a_missing_permission_is_named() -> None:
    for app in (in_asgi, in_wsgi):
        url = f"/{ORGANIZATION}/{WORKSPACE}/never:granted"
        response = asyncio.run(app(PLAIN, {}, method="GET", url=url, headers=BEARER))
        assert response.status_code == 403
        assert 'scope="never:granted"' in response.headers["www-authenticate"]


def test_an_unreachable_server_is_a_503(send: Callable[..., httpx.Response]) -> None:
    silent = {**PLAIN, "status": {"jwks": 500, "feed": 500, "introspection": 500}}
    response = send(silent, method="GET", url=PLACE, headers=BEARER)
    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    assert "www-authenticate" not in response.headers


def proven(scheme: str = "DPoP", one: dict[str, Any] = PROVEN) -> dict[str, str]:
    return {"authorization": f"{scheme} {one['credential']['token']}", "dpop": one["credential"]["proof"]}


def test_a_proof_is_for_the_public_address(send: Callable[..., httpx.Response]) -> None:
    sent = {"method": "POST", "url": "/graphql?x=1", "headers": proven()}
    assert send(PROVEN, {"public_url": ORIGIN}, **sent).status_code == 200
    refused = send(PROVEN, {"public_url": "https://other.example"}, **sent)
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith('DPoP error="invalid_dpop_proof"')
    assert 'algs="ES256' in refused.headers["www-authenticate"]


def test_the_public_address_may_be_a_function(send: Callable[..., httpx.Response]) -> None:
    options = {"public_url": lambda _: f"{ORIGIN}/graphql"}
    assert send(PROVEN, options, method="POST", url="/graphql", headers=proven()).status_code == 200


def test_a_wrong_clock_gets_a_nonce(send: Callable[..., httpx.Response]) -> None:
    stale = vector("a proof of 61 seconds ago")
    sent = {"method": "POST", "url": "/graphql?x=1", "headers": proven(one=stale)}
    response = send(stale, {"public_url": ORIGIN}, **sent)
    assert response.status_code == 401
    assert 'error="use_dpop_nonce"' in response.headers["www-authenticate"]
    assert response.headers["dpop-nonce"]


def test_a_bound_token_without_its_proof_is_refused(send: Callable[..., httpx.Response]) -> None:
    for options in ({}, {"public_url": ORIGIN}):
        sent = {"method": "POST", "url": "/graphql?x=1", "headers": proven("Bearer")}
        assert send(PROVEN, options, **sent).status_code == 401


def test_public_is_explicit() -> None:
    for app in (in_asgi, in_wsgi):
        assert asyncio.run(app(PLAIN, {}, method="GET", url="/public")).text == "public"
        with pytest.raises(TypeError, match="Requirement or PUBLIC"):
            asyncio.run(app(PLAIN, {}, method="GET", url="/mistake", headers=BEARER))


def test_a_route_that_finds_no_id_refuses() -> None:
    response = asyncio.run(in_fastapi(PLAIN, {}, method="GET", url=f"/{ORGANIZATION}", headers=BEARER))
    assert response.status_code == 403


def test_a_route_that_finds_no_text_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="must return a non-empty string"):
        asyncio.run(in_fastapi(PLAIN, {}, method="GET", url="/number", headers=BEARER))


def test_an_incomplete_requirement_fails_when_the_route_is_defined() -> None:
    verifier = verifier_of(PLAIN, AsyncVerifier, httpx.AsyncClient)
    for wrong in ({"organization": ""}, {"organization": None}, {"organization": "org", "workspace": None}):
        with pytest.raises(TypeError):
            TokenGuard(verifier).require(**wrong)


def test_each_middleware_wants_its_verifier() -> None:
    blocking, asynchronous = (
        verifier_of(PLAIN, Verifier, httpx.Client),
        verifier_of(PLAIN, AsyncVerifier, httpx.AsyncClient),
    )
    with pytest.raises(TypeError):
        for_asgi.LatchkeyMiddleware(lambda *_: None, blocking, requires=requirement)
    with pytest.raises(TypeError):
        for_wsgi.LatchkeyMiddleware(lambda *_: None, asynchronous, requires=requirement)
    with pytest.raises(TypeError):
        TokenGuard(blocking)
    with pytest.raises(ValueError, match="public_url"):
        TokenGuard(asynchronous, public_url="api.example.com")


def test_a_websocket_without_a_token_is_closed() -> None:
    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        raise AssertionError("not protected")

    async def run() -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send_one(message: Any) -> None:
            sent.append(message)

        async with verifier_of(PLAIN, AsyncVerifier, httpx.AsyncClient) as verifier:
            guarded = for_asgi.LatchkeyMiddleware(app, verifier, requires=lambda _: requirement(PLACE))
            for extensions in ({}, {"websocket.http.response": {}}):
                scope = {"type": "websocket", "path": PLACE, "headers": [], "extensions": extensions}
                await guarded(scope, receive, send_one)
        return sent

    closed, start, _body = asyncio.run(run())
    assert closed == {"type": "websocket.close", "code": 1008, "reason": "invalid_token"}
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 401)
