"""Both verifiers report which permissions the data API granted, and nothing else."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from vectors import answers_of, options_of, vector

from latchkey_verify import AsyncVerifier, Verifier

PLAIN = vector("a user token of the current interface")
GRANTED = PLAIN["expect"]["access"]["permissions"][0]


def transport_of(reports: list[tuple[str, Any]], status: Callable[[], int] = lambda: 204) -> httpx.MockTransport:
    others = answers_of(PLAIN)

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/api/oauth/usage":
            return others.handle_request(request)
        reports.append((request.headers["idempotency-key"], json.loads(request.content)))
        return httpx.Response(status())

    return httpx.MockTransport(handle)


def counts_of(report: tuple[str, Any]) -> list[tuple[str, int]]:
    return [(one["permission"], one["count"]) for one in report[1]["counts"]]


def test_what_was_granted_is_reported_at_the_end() -> None:
    reports: list[tuple[str, Any]] = []
    options = options_of(PLAIN, {"now": PLAIN["now"]})
    with Verifier(**options, http_client=lambda: httpx.Client(transport=transport_of(reports))) as verifier:
        access = verifier.verify(PLAIN["credential"])
        assert [access.can(GRANTED), access.can(GRANTED), access.can("nothing:granted")] == [True, True, False]
        verifier.authorize(PLAIN["credential"], interface="current", organization=access.organization_id)
    assert list(map(counts_of, reports)) == [[(GRANTED, 2), ("read", 1)]]
    assert reports[0][1]["counts"][0]["client_id"] == access.client_id


def test_the_asynchronous_verifier_reports_too() -> None:
    reports: list[tuple[str, Any]] = []
    options = options_of(PLAIN, {"now": PLAIN["now"]})

    async def use() -> None:
        client = lambda: httpx.AsyncClient(transport=transport_of(reports))  # noqa: E731
        async with AsyncVerifier(**options, http_client=client) as verifier:
            (await verifier.verify(PLAIN["credential"])).can(GRANTED)

    asyncio.run(use())
    assert list(map(counts_of, reports)) == [[(GRANTED, 1)]]


@pytest.mark.parametrize("usage", [True, False])
def test_nothing_is_reported_without_use_and_when_it_is_off(usage: bool) -> None:
    reports: list[tuple[str, Any]] = []
    options = options_of(PLAIN, {"now": PLAIN["now"]}) | {"usage": usage}
    with Verifier(**options, http_client=lambda: httpx.Client(transport=transport_of(reports))) as verifier:
        access = verifier.verify(PLAIN["credential"])
        if not usage:
            access.can(GRANTED)
    assert reports == []


def test_a_server_that_is_away_loses_the_report() -> None:
    reports: list[tuple[str, Any]] = []
    options = options_of(PLAIN, {"now": PLAIN["now"]})
    client = lambda: httpx.Client(transport=transport_of(reports, lambda: 503))  # noqa: E731
    verifier = Verifier(**options, http_client=client)
    verifier.verify(PLAIN["credential"]).can(GRANTED)
    verifier.close()
    assert len(reports) == 1
