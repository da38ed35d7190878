"""The vectors that all implementations of the verification pass, with both verifiers."""

import asyncio
from typing import Any

import httpx
import pytest
from vectors import VECTORS, answers_of, credential_of, members_of, options_of

from latchkey_verify import AsyncVerifier, VerificationError, Verifier


def arguments_of(one: dict[str, Any]) -> dict[str, Any] | None:
    requires = one.get("request", {}).get("requires")
    names = {"maxAge": "max_age"}
    return None if requires is None else {names.get(name, name): value for name, value in requires.items()}


def refusal_of(error: VerificationError) -> dict[str, Any]:
    return {"ok": False, "code": error.code, "reason": error.reason}


def outcome_of(verifier: Verifier, one: dict[str, Any]) -> dict[str, Any]:
    requires = arguments_of(one)
    try:
        credential = credential_of(one)
        if requires is not None:
            return members_of(verifier.authorize(credential, **requires))
        return members_of(verifier.verify("" if credential is None else credential))
    except VerificationError as error:
        return refusal_of(error)


async def async_outcome_of(verifier: AsyncVerifier, one: dict[str, Any]) -> dict[str, Any]:
    requires = arguments_of(one)
    try:
        credential = credential_of(one)
        if requires is not None:
            return members_of(await verifier.authorize(credential, **requires))
        return members_of(await verifier.verify("" if credential is None else credential))
    except VerificationError as error:
        return refusal_of(error)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one["name"])
def test_blocking(vector: dict[str, Any]) -> None:
    clock = {"now": vector["now"]}
    http_client = lambda: httpx.Client(transport=answers_of(vector))  # noqa: E731
    with Verifier(**options_of(vector, clock), http_client=http_client) as verifier:
        for one in (*vector.get("earlier", ()), vector):
            clock["now"] = one.get("now", vector["now"])
            assert outcome_of(verifier, one) == one["expect"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one["name"])
def test_asynchronous(vector: dict[str, Any]) -> None:
    async def run() -> None:
        clock = {"now": vector["now"]}
        http_client = lambda: httpx.AsyncClient(transport=answers_of(vector))  # noqa: E731
        async with AsyncVerifier(**options_of(vector, clock), http_client=http_client) as verifier:
            for one in (*vector.get("earlier", ()), vector):
                clock["now"] = one.get("now", vector["now"])
                assert await async_outcome_of(verifier, one) == one["expect"]

    asyncio.run(run())
