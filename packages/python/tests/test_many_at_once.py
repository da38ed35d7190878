"""Many requests at once, in threads and in tasks."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from vectors import answers_of, credential_of, options_of, vector

from latchkey_verify import AsyncVerifier, VerificationError, VerificationUnavailable, Verifier
from latchkey_verify.replays import Replays

PROVEN = vector("a token with its proof")
MANY = 50


def reason_of(error: BaseException | Any) -> str:
    return error.reason if isinstance(error, VerificationError) else "accepted"


def outcome_of(verifier: Verifier, credential: Any) -> str:
    try:
        verifier.verify(credential)
    except VerificationError as error:
        return error.reason
    return "accepted"


def blocking(one: dict[str, Any], answer: Callable[[httpx.Request], httpx.Response] | None = None) -> Verifier:
    transport = answers_of(one) if answer is None else httpx.MockTransport(answer)
    options = options_of(one, {"now": one["now"]})
    return Verifier(**options, http_client=lambda: httpx.Client(transport=transport))


def test_one_proof_in_many_threads_is_accepted_once() -> None:
    with blocking(PROVEN) as verifier, ThreadPoolExecutor(MANY) as threads:
        gate = threading.Barrier(MANY)

        def send(_: int) -> str:
            credential = credential_of(PROVEN)
            gate.wait()
            return outcome_of(verifier, credential)

        assert Counter(threads.map(send, range(MANY))) == {"accepted": 1, "proof_replayed": MANY - 1}


def test_one_proof_in_many_tasks_is_accepted_once() -> None:
    async def run() -> None:
        options = options_of(PROVEN, {"now": PROVEN["now"]})
        http_client = lambda: httpx.AsyncClient(transport=answers_of(PROVEN))  # noqa: E731
        async with AsyncVerifier(**options, http_client=http_client) as verifier:
            sent = [verifier.verify(credential_of(PROVEN)) for _ in range(MANY)]
            got = await asyncio.gather(*sent, return_exceptions=True)
        assert Counter(map(reason_of, got)) == {"accepted": 1, "proof_replayed": MANY - 1}

    asyncio.run(run())


def test_a_shared_memory_of_proofs_that_awaits_accepts_one() -> None:
    known: set[str] = set()

    async def remember(proof_id: str, seconds: int) -> bool:
        assert 0 < seconds <= 120
        await asyncio.sleep(0)
        is_new = proof_id not in known
        known.add(proof_id)
        return is_new

    async def run() -> None:
        options = options_of(PROVEN, {"now": PROVEN["now"]}) | {"remember_proof": remember}
        http_client = lambda: httpx.AsyncClient(transport=answers_of(PROVEN))  # noqa: E731
        async with AsyncVerifier(**options, http_client=http_client) as verifier:
            sent = [verifier.verify(credential_of(PROVEN)) for _ in range(MANY)]
            got = await asyncio.gather(*sent, return_exceptions=True)
        assert Counter(map(reason_of, got)) == {"accepted": 1, "proof_replayed": MANY - 1}

    asyncio.run(run())


def test_an_asynchronous_memory_of_proofs_is_refused_by_the_blocking_verifier() -> None:
    async def remember(_id: str, _seconds: int) -> bool:
        return True

    options = options_of(PROVEN, {"now": PROVEN["now"]}) | {"remember_proof": remember}
    with Verifier(**options, http_client=lambda: httpx.Client(transport=answers_of(PROVEN))) as verifier:
        with pytest.raises(TypeError, match="remember_proof"):
            verifier.verify(credential_of(PROVEN))


def test_the_same_credential_may_be_verified_again_in_its_request() -> None:
    with blocking(PROVEN) as verifier:
        credential = credential_of(PROVEN)
        assert [outcome_of(verifier, credential) for _ in range(2)] == ["accepted", "accepted"]


def test_a_full_memory_of_proofs_refuses_and_forgets_only_what_has_expired() -> None:
    replays = Replays(2)
    assert replays.is_new("a", 100, 50) and replays.is_new("b", 100, 50)
    assert not replays.is_new("a", 100, 50)
    with pytest.raises(VerificationUnavailable) as caught:
        replays.is_new("c", 130, 100)
    assert caught.value.reason == "overloaded"
    assert replays.is_new("c", 130, 101)


def test_many_threads_share_one_read_of_the_keys() -> None:
    one = vector("a user token of the current interface")
    reads: list[int] = []
    scripted = answers_of(one)

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/.well-known/jwks.json":
            reads.append(1)
        return scripted.handler(request)  # type: ignore[return-value]

    unknown = vector("an unknown kid")["credential"]
    with blocking(one, answer) as verifier, ThreadPoolExecutor(MANY) as threads:
        outcomes = Counter(threads.map(lambda _: outcome_of(verifier, unknown), range(MANY)))
    assert outcomes == {"key_unknown": MANY}
    assert len(reads) == 1, "the interval has not passed since the start"


def test_many_threads_share_one_introspection() -> None:
    one = vector("the secret of a legacy key set")
    asked: list[int] = []
    scripted = answers_of(one)
    is_full = threading.Event()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/oauth/introspect":
            asked.append(1)
            is_full.wait(0.2)
        return scripted.handler(request)  # type: ignore[return-value]

    with blocking(one, answer) as verifier, ThreadPoolExecutor(MANY) as threads:
        outcomes = Counter(threads.map(lambda _: outcome_of(verifier, one["credential"]), range(MANY)))
    assert outcomes == {"accepted": MANY}
    assert len(asked) == 1


def test_a_cancelled_request_does_not_cancel_the_others() -> None:
    one = vector("the secret of a legacy key set")
    scripted = answers_of(one)
    asked: list[int] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/oauth/introspect":
            asked.append(1)
            await asyncio.sleep(0.1)
        return scripted.handler(request)  # type: ignore[return-value]

    async def run() -> None:
        options = options_of(one, {"now": one["now"]})
        transport = httpx.MockTransport(answer)
        async with AsyncVerifier(**options, http_client=lambda: httpx.AsyncClient(transport=transport)) as verifier:
            first, second = (asyncio.create_task(verifier.verify(one["credential"])) for _ in range(2))
            while not asked:
                await asyncio.sleep(0.01)
            first.cancel()
            assert (await second).kind == "key_set"
            assert len(asked) == 1

    asyncio.run(run())


def test_the_feed_is_read_while_many_verify() -> None:
    one = vector("a user token of the current interface")
    scripted = answers_of(one)
    is_revoked = threading.Event()
    now = one["now"]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.params.get("cursor"):
            is_revoked.wait(10)
            change = {
                "type": "organization",
                "id": one["expect"]["access"]["organizationId"],
                "active": False,
                "until": now + 3600,
            }
            body = {"cursor": "2", "reset": False, "more": False, "changes": [change]}
            return httpx.Response(200, text=json.dumps(body))
        return scripted.handler(request)  # type: ignore[return-value]

    with blocking(one, answer) as verifier, ThreadPoolExecutor(4) as threads:
        assert set(threads.map(lambda _: outcome_of(verifier, one["credential"]), range(40))) == {"accepted"}
        is_revoked.set()
        for _ in range(500):
            if outcome_of(verifier, one["credential"]) == "organization_inactive":
                break
            threading.Event().wait(0.01)
        assert outcome_of(verifier, one["credential"]) == "organization_inactive"
