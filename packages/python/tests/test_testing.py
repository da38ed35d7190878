"""The signer and verifier for the tests of data APIs."""

from collections.abc import Iterator
from typing import Any

import pytest

from latchkey_verify import InsufficientScope
from latchkey_verify.testing import Testing

KEY = {
    "kty": "EC",
    "crv": "P-256",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
}


@pytest.fixture(scope="module")
def testing() -> Iterator[Testing]:
    with Testing() as opened:
        yield opened


@pytest.mark.parametrize("kind", ["user", "install", "self_signed", "key_set"])
def test_every_kind_is_accepted(testing: Testing, kind: Any) -> None:
    token = testing.token(kind=kind, organization="acme", client="app", permissions=["readData"])
    access = testing.verifier.verify(token)
    assert (access.kind, access.organization_id, access.client_id) == (kind, "acme", "app")
    assert access.can("readData")


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"expires_in": -60}, "expired"),
        ({"not_before": 120}, "not_yet_valid"),
        ({"issuer": "https://other.test"}, "issuer"),
        ({"audience": ["https://other.test"]}, "audience"),
        ({"typ": "JWT"}, "header"),
        ({"dpop_jwk": KEY}, "bound_to_key"),
        ({"kind": "self_signed", "expires_in": -5}, "inactive"),
        ({"kind": "key_set", "expires_in": -5}, "inactive"),
        ({}, None),
    ],
)
def test_the_reason_is_explained(testing: Testing, wanted: dict[str, Any], reason: str | None) -> None:
    assert testing.explain(testing.token(**wanted)) == reason


def test_a_token_of_another_signer_is_refused(testing: Testing) -> None:
    with Testing() as other:
        assert testing.explain(other.token()) == "signature"


def test_delegation_and_workspaces(testing: Testing) -> None:
    token = testing.token(act=["assistant", "router"], workspaces=["wksInside"])
    actor = testing.verifier.verify(token).actor
    assert actor and actor.client_id == "assistant" and actor.actor and actor.actor.client_id == "router"
    with pytest.raises(InsufficientScope) as refused:
        testing.verifier.authorize(
            token, interface="current", organization="test-organization", workspace="wksOutside"
        )
    assert refused.value.reason == "workspace"
