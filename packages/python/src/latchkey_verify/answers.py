"""The HTTP answers to refused requests, for any framework."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from .errors import (
    InsufficientAuthentication,
    InsufficientScope,
    ProofInvalid,
    TokenInvalid,
    VerificationError,
    VerificationUnavailable,
)
from .proof_rules import PROOF_ALGORITHMS


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    """401, 403 or 503."""
    headers: dict[str, str]
    body: dict[str, str]
    """`error` and `error_description`."""
    content: bytes = field(init=False, repr=False)
    """The body as JSON."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", json.dumps(self.body).encode())


def _quoted(text: str) -> str:
    """RFC 9110 §5.6.4."""
    if not re.fullmatch(r"[\x20-\x7e]*", text):
        raise ValueError("a challenge must be printable ASCII")
    return '"' + re.sub(r'([\\"])', r"\\\1", text) + '"'


def _is_missing(error: VerificationError | None) -> bool:
    return error is None or (isinstance(error, TokenInvalid) and error.reason == "missing")


def _code_of(error: VerificationError) -> str:
    """The code in answers (RFC 6750 §3.1)."""
    return "invalid_token" if isinstance(error, TokenInvalid) else error.code


def _is_of_keys(error: VerificationError | None) -> bool:
    """True for faults of a key binding, which a bearer token cannot fix."""
    is_fault_of_token = isinstance(error, TokenInvalid) and error.reason in ("bound_to_key", "key_mismatch")
    return isinstance(error, ProofInvalid) or is_fault_of_token


def _demanded(error: VerificationError | None) -> list[tuple[str, str | None]]:
    """What the app asks for at the authorization page (RFC 9470 §3)."""
    if not isinstance(error, InsufficientAuthentication):
        return []
    max_age = None if error.max_age is None else str(error.max_age)
    return [("acr_values", " ".join(error.acr) or None), ("max_age", max_age)]


def _said(parameters: Iterable[tuple[str, str | None]]) -> list[str]:
    return [f"{name}={_quoted(value)}" for name, value in parameters if value is not None]


def challenge(
    error: VerificationError | None,
    *,
    realm: str | None = None,
    scope: str | None = None,
    resource_metadata: str | None = None,
    dpop: bool = False,
) -> str:
    """The value of `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1, RFC 9470 §3): for 401, and for 403 when permissions are
    missing.

    `error` is None when the request had no token; then no error is named (§3.1). `realm` is the name of what is
    protected, for people; `scope` the permissions, separated by spaces (default: the missing ones); `resource_metadata`
    the address of the data API's metadata (RFC 9728 §5.1). `dpop` is for an API that accepts key-bound tokens too.
    Raises ValueError for text that is not printable ASCII.
    """
    needed = " ".join(error.needed) if isinstance(error, InsufficientScope) else ""
    is_named = error is not None and not _is_missing(error)
    common = _said(
        [
            ("realm", realm),
            ("error", _code_of(error) if is_named and error is not None else None),
            ("error_description", str(error) if is_named else None),
            ("scope", scope or needed or None),
            *_demanded(error),
            ("resource_metadata", resource_metadata),
        ]
    )

    def one(scheme: str, parameters: list[str]) -> str:
        return f"{scheme} {', '.join(parameters)}".rstrip()

    bearer = one("Bearer", common)
    if not dpop:
        return bearer
    bound = one("DPoP", [*common, *_said([("algs", " ".join(PROOF_ALGORITHMS))])])
    return bound if _is_of_keys(error) else f"{bearer}, {bound}"


def answer_to(
    error: VerificationError,
    *,
    realm: str | None = None,
    scope: str | None = None,
    resource_metadata: str | None = None,
    dpop: bool = False,
) -> HttpAnswer:
    """Converts an error of this library to an answer: 401, 403, or 503 when the token cannot be verified now.

    `challenge` describes the options.
    """
    body = {"error": _code_of(error), "error_description": str(error)}
    common = {"Content-Type": "application/json"}
    if isinstance(error, VerificationUnavailable):
        return HttpAnswer(503, {"Retry-After": str(error.retry_after), **common}, body)
    shown = challenge(error, realm=realm, scope=scope, resource_metadata=resource_metadata, dpop=dpop)
    headers = {"WWW-Authenticate": shown, **common}
    if isinstance(error, ProofInvalid) and error.nonce is not None:
        headers["DPoP-Nonce"] = error.nonce
    return HttpAnswer(403 if isinstance(error, InsufficientScope) else 401, headers, body)


def legacy_error(error: VerificationError) -> dict[str, object]:
    """An entry of `errors` in a GraphQL answer of the legacy interface. `token-invalid` makes a legacy app refresh its
    token and repeat the request.
    """
    return {"message": error.code, "extensions": {"code": error.code}}
