"""A data API is tested against a server that makes every token."""

import os
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from latchkey_verify import InsufficientScope, TokenInvalid, Verifier

# The resource server of the default seed.
RESOURCE_SERVER = {"resource_server_id": "data-api", "resource_server_secret": "Zc5gXe8uVd2nWk7Qx4fRt9LsYb3hJm6p"}


@pytest.fixture(scope="session")
def issuer() -> Iterator[str]:
    command = os.environ.get("LATCHKEY", "node_modules/.bin/latchkey").split()
    with subprocess.Popen([*command, "test-server"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.fixture(scope="session")
def verifier(issuer: str) -> Iterator[Verifier]:
    with Verifier(issuer=issuer, audience=issuer, **RESOURCE_SERVER) as opened:
        yield opened


def token_for(issuer: str, **wanted: object) -> str:
    return str(httpx.post(f"{issuer}/test/tokens", json={"kind": "user", **wanted}).json()["token"])


def create_record(verifier: Verifier, token: str, workspace: str) -> str | None:
    access = verifier.authorize(
        token, interface="current", permissions=["records:create"], organization="acme", workspace=workspace
    )
    return access.user_id


def test_a_user_creates_records_in_the_own_workspace_only(issuer: str, verifier: Verifier) -> None:
    token = token_for(issuer)
    assert create_record(verifier, token, "wksInside") == "ana"
    with pytest.raises(InsufficientScope):
        create_record(verifier, token, "wksOutside")


@pytest.mark.parametrize("wrong", [{"expires_in": -60}, {"audience": "https://other.test"}])
def test_wrong_tokens_are_refused(issuer: str, verifier: Verifier, wrong: dict[str, object]) -> None:
    with pytest.raises(TokenInvalid):
        create_record(verifier, token_for(issuer, **wrong), "wksInside")
