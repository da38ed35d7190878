"""A signer and a verifier that trust each other, for the tests of a data API. There is no server; `latchkey test-server`
is one.
"""

import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal
from uuid import uuid4

import httpx
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from .credentials import Credential
from .errors import VerificationError
from .verifier import Verifier

Kind = Literal["user", "install", "self_signed", "key_set"]


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _part(members: object) -> str:
    return _encoded(json.dumps(members).encode())


def _thumbprint(jwk: Mapping[str, Any]) -> str:
    """RFC 7638 §3."""
    members = {name: jwk[name] for name in ("crv", "e", "kty", "n", "x", "y") if name in jwk}
    return _encoded(sha256(json.dumps(members, separators=(",", ":")).encode()).digest())


def _act(clients: Sequence[str]) -> dict[str, Any]:
    return {"client_id": clients[0], **({"act": _act(clients[1:])} if len(clients) > 1 else {})}


def _install(client: str) -> dict[str, Any]:
    return {"install_id": f"ins-{client}", "app_epoch": 0}


class Testing:
    """`verifier` is the real one: it reads the keys of `token` from memory. Use it in a `with` statement, or close it."""

    __test__ = False  # no test case of pytest

    def __init__(self, *, issuer: str = "https://auth.test", audience: str = "https://api.test") -> None:
        self._issuer, self._audience = issuer, audience
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._introspected: dict[str, dict[str, Any]] = {}
        self.verifier = Verifier(
            issuer=issuer,
            audience=audience,
            resource_server_id="test",
            resource_server_secret="test",
            http_client=lambda: httpx.Client(transport=httpx.MockTransport(self._answer)),
        )

    def __enter__(self) -> "Testing":
        return self

    def __exit__(self, *_: object) -> None:
        self.verifier.close()

    def token(
        self,
        *,
        kind: Kind = "user",
        interface: Literal["current", "legacy"] = "current",
        organization: str = "test-organization",
        client: str = "test-app",
        user: str = "test-user",
        permissions: Sequence[str] = (),
        workspaces: Sequence[str] | None = None,
        expires_in: int = 3600,
        not_before: int | None = None,
        issuer: str | None = None,
        audience: str | Sequence[str] | None = None,
        dpop_jwk: Mapping[str, Any] | None = None,
        act: Sequence[str] = (),
        typ: str = "at+jwt",
    ) -> str:
        """Times are seconds from now, also negative. `workspaces` is `["wksInside"]` by default; the legacy interface has
        none. `act` has the last actor first.
        """
        own = kind in ("self_signed", "key_set")
        generation = "legacy" if kind == "key_set" else interface
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": issuer or (client if own else self._issuer),
            "aud": audience or self._audience,
            "sub": user if kind == "user" else client,
            "client_id": client,
            "iat": now + min(0, expires_in - 1),
            "exp": now + expires_in,
            "jti": str(uuid4()),
            "scope": " ".join(permissions),
            "interface": generation,
            "kind": kind,
            "organization_id": organization,
            "permissions": list(permissions),
            **_install(client),
        }
        if not_before is not None:
            claims["nbf"] = now + not_before
        if generation == "current":
            claims["workspace_ids"] = ["wksInside"] if workspaces is None else list(workspaces)
        if kind == "user":
            claims |= {"grant_id": str(uuid4()), "user_epoch": 0}
        if dpop_jwk is not None:
            claims["cnf"] = {"jkt": _thumbprint(dpop_jwk)}
        if act:
            delegation = [{**_install(one), "subject_jti": str(uuid4())} for one in act]
            claims |= {"act": _act(act), "delegation": delegation}
        header = {"alg": "HS256", "typ": "JWT"} if own else {"alg": "ES256", "typ": typ, "kid": "test"}
        text = f"{_part(header)}.{_part(claims)}"
        numbers = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b"".join(number.to_bytes(32, "big") for number in numbers)
        if not own:
            return f"{text}.{_encoded(signature)}"
        token = f"lkks_{_encoded(signature[:32])}" if kind == "key_set" else f"{text}.{_encoded(signature[:32])}"
        reach = None if workspaces is None else list(workspaces)
        # Only a server knows their secrets, so the verifier asks it.
        self._introspected[token] = {**claims, "workspace_ids": reach, "active": expires_in > 0}
        return token

    def explain(self, credential: Credential) -> str | None:
        """Returns the stable reason for which the verifier refuses the credential; None when it accepts it."""
        try:
            self.verifier.verify(credential)
        except VerificationError as refusal:
            return refusal.reason
        return None

    def _answer(self, request: httpx.Request) -> httpx.Response:
        """Answers as a server without revocations would."""
        if request.url.path.endswith("/jwks.json"):
            numbers = self._key.public_key().public_numbers()
            point = {name: _encoded(getattr(numbers, name).to_bytes(32, "big")) for name in ("x", "y")}
            key = {"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "test", **point}
            return httpx.Response(200, json={"keys": [key]})
        if request.url.path.endswith("/introspect"):
            token = httpx.QueryParams(request.content.decode())["token"]
            return httpx.Response(200, json=self._introspected.get(token, {"active": False}))
        return httpx.Response(200, json={"cursor": "1", "reset": True, "more": False, "changes": []})
