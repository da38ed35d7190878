"""Where the token of a request is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .errors import ProofInvalid, TokenInvalid

HeaderValues: TypeAlias = str | Sequence[str] | None
"""The value of a header, or a list of all sent values."""


@dataclass(frozen=True, eq=False)
class ProvenToken:
    """A token with the proof that its sender holds the bound key (RFC 9449 §7.1).

    One such object stands for one request: verifying it again is not a second use of the proof.
    """

    token: str
    proof: str
    """Value of the header `DPoP`."""
    method: str
    url: str
    """URL of the request as the sender knows it: the public address, even behind proxies."""


Credential: TypeAlias = str | ProvenToken
"""The credential of a request: a bearer token, or a token with a proof."""

_SCHEME = re.compile(r"(bearer|dpop)(?: |\Z)", re.IGNORECASE | re.ASCII)
# RFC 6750 §2.1: b64token after one or more spaces. The scheme is case-insensitive (RFC 9110 §11.1, §11.4).
_TOKEN = re.compile(r"(?:bearer|dpop) +([A-Za-z0-9\-._~+/]+=*)", re.IGNORECASE | re.ASCII)


def _values_of(header: HeaderValues) -> list[str]:
    return [header] if isinstance(header, str) else list(header or ())


def _shown_in(authorization: HeaderValues, schemes: tuple[str, ...]) -> tuple[str, str] | None:
    """Scheme and token."""
    values = _values_of(authorization)
    if len(values) > 1:
        raise TokenInvalid("two_credentials")
    scheme = _SCHEME.match(values[0]) if values else None
    if scheme is None or scheme.group(1).lower() not in schemes:
        return None
    found = _TOKEN.fullmatch(values[0])
    if found is None:
        raise TokenInvalid("malformed")
    return scheme.group(1).lower(), found.group(1)


def bearer_token(authorization: HeaderValues) -> str | None:
    """Reads the token of the current interface from the value of `Authorization`, or from a list of all sent values.

    None when there is none or another scheme is used (RFC 6750 §3.1). Raises TokenInvalid for several credentials or a
    malformed token.
    """
    shown = _shown_in(authorization, ("bearer",))
    return None if shown is None else shown[1]


def credential_in(authorization: HeaderValues, dpop: HeaderValues, *, method: str, url: str) -> Credential | None:
    """Reads the credential of a request to the current interface from the headers `Authorization` and `DPoP`: a bearer
    token, or a token with its proof. `url` is that of the request as the sender knows it.

    None when there is none or another scheme is used. Raises TokenInvalid for several credentials or a malformed token,
    and ProofInvalid unless there is exactly one proof.
    """
    shown = _shown_in(authorization, ("bearer", "dpop"))
    if shown is None or shown[0] == "bearer":
        return None if shown is None else shown[1]
    proofs = _values_of(dpop)
    if not proofs:
        raise ProofInvalid("proof_missing")
    if len(proofs) > 1:
        raise ProofInvalid("proof_malformed")
    return ProvenToken(shown[1], proofs[0], method, url)


def legacy_credential(variables: object) -> str | None:
    """Reads the credential of the legacy interface: the GraphQL variable `secretKey` or `accessToken`.

    None when neither is present. Raises TokenInvalid when both are present or the value is not a string.
    """
    if not isinstance(variables, Mapping):
        return None
    given = [variables[name] for name in ("secretKey", "accessToken") if variables.get(name) is not None]
    if len(given) > 1:
        raise TokenInvalid("two_credentials")
    if given and not isinstance(given[0], str):
        raise TokenInvalid("malformed")
    return given[0] if given else None
