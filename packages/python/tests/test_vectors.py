"""The vectors that all implementations of the verification pass."""

from typing import Any

import httpx
import pytest
from vectors import VECTORS, answers_of, credential_of, members_of, options_of

from latchkey_verify import VerificationError, Verifier


def outcome_of(verifier: Verifier, one: dict[str, Any]) -> dict[str, Any]:
    requires = one.get("request", {}).get("requires")
    try:
        credential = credential_of(one)
        if requires is not None:
            return members_of(verifier.authorize(credential, **requires))
        return members_of(verifier.verify("" if credential is None else credential))
    except VerificationError as error:
        return {"ok": False, "code": error.code, "reason": error.reason}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one["name"])
def test_blocking(vector: dict[str, Any]) -> None:
    clock = {"now": vector["now"]}
    http_client = lambda: httpx.Client(transport=answers_of(vector))  # noqa: E731
    with Verifier(**options_of(vector, clock), http_client=http_client) as verifier:
        for one in (*vector.get("earlier", ()), vector):
            clock["now"] = one.get("now", vector["now"])
            assert outcome_of(verifier, one) == one["expect"]
