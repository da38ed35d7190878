"""Problems are named once, in the log and in `status()`; the verifier fails closed; and the mode `introspect`."""

import asyncio
import os
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import httpx
import pytest
from vectors import answers_of, options_of, vector

from latchkey_verify import AsyncVerifier, TokenInvalid, VerificationError, VerificationUnavailable, Verifier

PLAIN = vector("a user token of the current interface")
ACCESS = PLAIN["expect"]["access"]


def open_verifier(one: dict[str, Any], **options: Any) -> Verifier:
    transport = options.pop("transport", None) or answers_of(one)
    all_options = options_of(one, {"now": one["now"]}) | options
    return Verifier(**all_options, http_client=lambda: httpx.Client(transport=transport))


def refusal_of(verifier: Verifier, token: Any) -> str:
    with pytest.raises(VerificationError) as caught:
        verifier.verify(token)
    return caught.value.reason


def eventually(is_true: Callable[[], object]) -> None:
    for _ in range(1000):
        if is_true():
            return
        time.sleep(0.01)
    raise AssertionError("not within ten seconds")


def problems_of(verifier: Verifier) -> set[tuple[str, str]]:
    return {(one.part, one.reason) for one in verifier.status().problems}


def test_a_good_verifier_has_no_problems(caplog: pytest.LogCaptureFixture) -> None:
    with open_verifier(PLAIN) as verifier:
        verifier.verify(PLAIN["credential"])
        status = verifier.status()
        assert status.ready and status.feed_age == 0 and status.problems == ()
    assert caplog.records == []
    assert verifier.status().ready is False


def test_wrong_credentials_are_named_once(caplog: pytest.LogCaptureFixture) -> None:
    one = {**PLAIN, "status": {"feed": 401}}
    failures: list[int] = []
    scripted = answers_of(one)

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/oauth/revocations":
            failures.append(1)
            return httpx.Response(401, text="{}")
        return scripted.handler(request)  # type: ignore[return-value]

    with open_verifier(one, transport=httpx.MockTransport(answer)) as verifier:
        assert refusal_of(verifier, PLAIN["credential"]) == "starting"
        eventually(lambda: len(failures) >= 3)
        assert problems_of(verifier) == {("feed", "refused")}
        assert "resource_server_secret" in verifier.status().problems[0].message
    named = [record.getMessage() for record in caplog.records]
    assert len(named) == 1 and "status 401" in named[0]
    assert "the secret of the resource server" not in named[0]


def test_on_problem_replaces_the_log_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []

    def fail(problem: VerificationUnavailable) -> None:
        seen.append(problem.reason)
        raise RuntimeError("a mistake in the callback")

    with open_verifier({**PLAIN, "status": {"jwks": 500}}, on_problem=fail) as verifier:
        eventually(lambda: len(seen) >= 2)
        assert problems_of(verifier) == {("keys", "bad_answer")}
    assert {record.getMessage() for record in caplog.records} == {"on_problem has failed"}


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("issuer", PLAIN["issuer"] + "/", "slash"),
        ("audience", "https://other.example", "check the option audience"),
    ],
)
def test_options_that_fit_no_token_are_named_once(
    caplog: pytest.LogCaptureFixture, option: str, value: str, hint: str
) -> None:
    with open_verifier(PLAIN, **{option: value}) as verifier:
        for _ in range(3):
            assert refusal_of(verifier, PLAIN["credential"]) == option
        assert problems_of(verifier) == {("tokens", option)}
        assert hint in verifier.status().problems[0].message
    # A thread of the test before may still be at its end.
    assert sum("(tokens, " in one.getMessage() for one in caplog.records) == 1


def test_after_an_accepted_token_refused_ones_fill_no_log(caplog: pytest.LogCaptureFixture) -> None:
    other = vector("another audience")
    with open_verifier(PLAIN) as verifier:
        verifier.verify(PLAIN["credential"])
        assert refusal_of(verifier, other["credential"]) == "audience"
        assert verifier.status().problems == ()
    assert caplog.records == []


def test_a_forged_token_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    with open_verifier(PLAIN, audience="https://other.example") as verifier:
        assert refusal_of(verifier, PLAIN["credential"][:-4] + "AAAA") == "signature"
        assert verifier.status().problems == ()
    assert caplog.records == []


def test_a_clock_that_is_off_is_named(caplog: pytest.LogCaptureFixture) -> None:
    scripted = answers_of(PLAIN)

    def answer(request: httpx.Request) -> httpx.Response:
        response: Any = scripted.handler(request)
        response.headers["date"] = formatdate(PLAIN["now"] + 300, usegmt=True)
        return response  # type: ignore[no-any-return]

    with open_verifier(PLAIN, transport=httpx.MockTransport(answer)) as verifier:
        eventually(lambda: problems_of(verifier) == {("clock", "clock")})
        assert "300 seconds behind" in verifier.status().problems[0].message
        eventually(lambda: caplog.records)  # written after the problem can be read
    assert len(caplog.records) == 1


def test_silence_of_the_feed_refuses_with_a_maximum_age() -> None:
    clock = {"now": PLAIN["now"]}
    scripted = answers_of(PLAIN)

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.params.get("cursor"):
            raise httpx.ConnectError("down")
        return scripted.handler(request)  # type: ignore[return-value]

    transport = httpx.MockTransport(answer)
    options = {"now": lambda: clock["now"], "transport": transport}
    for age, expected in ((None, None), (10, "stale")):
        scripted = answers_of(PLAIN)
        clock["now"] = PLAIN["now"]
        with open_verifier(PLAIN, **options, max_revocation_age=age) as verifier:
            verifier.verify(PLAIN["credential"])
            clock["now"] += 11
            if expected is None:
                verifier.verify(PLAIN["credential"])
            else:
                assert refusal_of(verifier, PLAIN["credential"]) == expected


def test_a_closed_verifier_refuses() -> None:
    verifier = open_verifier(PLAIN)
    verifier.verify(PLAIN["credential"])
    verifier.close()
    assert refusal_of(verifier, PLAIN["credential"]) == "closed"


def test_every_faulty_option_is_named() -> None:
    with pytest.raises(ValueError, match="issuer, server, resource_server_secret, mode, timeout"):
        AsyncVerifier(
            issuer="auth.example",
            audience="api",
            resource_server_id="rsv",
            resource_server_secret="",
            mode="simple",  # type: ignore[arg-type]
            timeout=0,
        )


def test_an_async_verifier_starts_again_in_a_new_loop() -> None:
    def http_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=answers_of(PLAIN))

    verifier = AsyncVerifier(**options_of(PLAIN, {"now": PLAIN["now"]}), http_client=http_client)
    for _ in range(2):
        assert asyncio.run(verifier.verify(PLAIN["credential"])).client_id == ACCESS["clientId"]
    asyncio.run(verifier.close())


def answer_about(**members: Any) -> dict[str, Any]:
    return {
        "active": True,
        "kind": ACCESS["kind"],
        "interface": "current",
        "client_id": ACCESS["clientId"],
        "organization_id": ACCESS["organizationId"],
        "sub": ACCESS.get("userId"),
        "permissions": ACCESS["permissions"],
        "workspace_ids": ACCESS["workspaceIds"],
        **members,
    }


def introspecting(introspection: Any, **more: Any) -> dict[str, Any]:
    return {**PLAIN, "jwks": "no keys are read", "introspection": introspection, **more}


def test_introspect_asks_the_server_about_each_new_token() -> None:
    one = introspecting(answer_about(permissions=[], workspace_ids=[ACCESS["workspaceIds"][0]]))
    asked: list[str] = []
    scripted = answers_of(one)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return scripted.handler(request)  # type: ignore[return-value]

    with open_verifier(one, mode="introspect", transport=httpx.MockTransport(answer)) as verifier:
        for _ in range(3):
            access = verifier.verify(PLAIN["credential"])
        assert access.permissions == () and access.workspace_ids == (ACCESS["workspaceIds"][0],)
        assert access.user_id == ACCESS.get("userId")
        assert asked.count("/api/oauth/introspect") == 1
        assert "/.well-known/jwks.json" not in asked


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"active": False}, "inactive"),
        (answer_about(client_id="another"), "bad_answer"),
        (answer_about(organization_id="another"), "bad_answer"),
        (answer_about(kind="self_signed"), "bad_answer"),
        (answer_about(workspace_ids=None), "bad_answer"),
        (answer_about(permissions="records:create"), "bad_answer"),
    ],
)
def test_introspect_refuses(answer: Any, reason: str) -> None:
    with open_verifier(introspecting(answer), mode="introspect") as verifier:
        assert refusal_of(verifier, PLAIN["credential"]) == reason


def test_introspect_asks_about_no_token_that_cannot_be_valid() -> None:
    one = introspecting("the server must not be asked")
    with open_verifier(one, mode="introspect", audience="https://other.example") as verifier:
        assert refusal_of(verifier, PLAIN["credential"]) == "audience"
    expired = introspecting("the server must not be asked", now=PLAIN["now"] + 100_000)
    with open_verifier(expired, mode="introspect") as verifier:
        assert refusal_of(verifier, PLAIN["credential"]) == "expired"


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("issuer", PLAIN["issuer"] + "/", "slash"),
        ("audience", "https://other.example", "check the option audience"),
    ],
)
def test_introspect_names_options_that_fit_no_token(
    caplog: pytest.LogCaptureFixture, option: str, value: str, hint: str
) -> None:
    one = introspecting("the server must not be asked")
    with open_verifier(one, mode="introspect", **{option: value}) as verifier:
        for _ in range(3):
            assert refusal_of(verifier, PLAIN["credential"]) == option
        assert problems_of(verifier) == {("tokens", option)}
        message = verifier.status().problems[0].message
        assert hint in message and value in message and "another one" in message
        # No signature was checked, so the value may be the sender's.
        assert repr(PLAIN[option]) not in message
    assert len(caplog.records) == 1


def test_introspect_forgets_a_misfit_when_the_server_confirms_a_token() -> None:
    other = vector("another audience")
    with open_verifier(introspecting(answer_about()), mode="introspect") as verifier:
        assert refusal_of(verifier, other["credential"]) == "audience"
        assert problems_of(verifier) == {("tokens", "audience")}
        verifier.verify(PLAIN["credential"])
        assert verifier.status().problems == ()
        assert refusal_of(verifier, other["credential"]) == "audience"
        assert verifier.status().problems == ()


def test_introspect_is_under_the_feed() -> None:
    change = {"type": "organization", "id": ACCESS["organizationId"], "active": False, "until": PLAIN["now"] + 9999}
    feed = {"cursor": "1", "reset": True, "more": False, "changes": [change]}
    with open_verifier(introspecting(answer_about(), feed=feed), mode="introspect") as verifier:
        assert refusal_of(verifier, PLAIN["credential"]) == "organization_inactive"


def test_introspect_is_under_the_audience() -> None:
    one = vector("a user outside the audience of the install")
    asked = {"jwks": "no keys are read", "introspection": "the server must not be asked"}
    with open_verifier({**one, **asked}, mode="introspect") as verifier:
        assert refusal_of(verifier, one["credential"]) == "not_in_audience"


def test_introspect_refuses_a_bound_token_without_its_proof() -> None:
    one = vector("a bound token as a bearer token")
    with open_verifier({**one, "introspection": answer_about()}, mode="introspect") as verifier:
        with pytest.raises(TokenInvalid) as caught:
            verifier.verify(one["credential"])
        assert caught.value.reason == "bound_to_key"


def test_an_async_verifier_starts_again_after_its_tasks_were_cancelled() -> None:
    async def run() -> None:
        http_client = lambda: httpx.AsyncClient(transport=answers_of(PLAIN))  # noqa: E731
        verifier = AsyncVerifier(**options_of(PLAIN, {"now": PLAIN["now"]}), http_client=http_client)
        await verifier.verify(PLAIN["credential"])
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others)
        assert (await verifier.verify(PLAIN["credential"])).client_id == ACCESS["clientId"]
        await verifier.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_a_verifier_works_after_a_fork() -> None:
    def http_client() -> httpx.Client:
        return httpx.Client(transport=answers_of(PLAIN))

    with Verifier(**options_of(PLAIN, {"now": PLAIN["now"]}), http_client=http_client) as verifier:
        verifier.verify(PLAIN["credential"])
        child = os.fork()
        if child == 0:
            try:
                verifier.verify(PLAIN["credential"])
                os._exit(0 if verifier.status().ready else 1)
            except BaseException:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
