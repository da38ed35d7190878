"""Where the token of a request is."""

import re
from collections.abc import Mapping, Sequence

from .errors import TokenInvalid

_SCHEME = re.compile(r"bearer(?: |\Z)", re.IGNORECASE | re.ASCII)
# RFC 6750 §2.1: b64token after one or more spaces. The scheme is case-insensitive (RFC 9110 §11.1, §11.4).
_TOKEN = re.compile(r"bearer +([A-Za-z0-9\-._~+/]+=*)", re.IGNORECASE | re.ASCII)


def bearer_token(authorization: str | Sequence[str] | None) -> str | None:
    """Reads the token of the current interface from the value of `Authorization`, or from a list of all sent values.

    None when there is none or another scheme is used (RFC 6750 §3.1). Raises TokenInvalid for several credentials or a
    malformed token.
    """
    values = [authorization] if isinstance(authorization, str) else list(authorization or ())
    if len(values) > 1:
        raise TokenInvalid("two_credentials")
    if not values or not _SCHEME.match(values[0]):
        return None
    found = _TOKEN.fullmatch(values[0])
    if found is None:
        raise TokenInvalid("malformed")
    return found.group(1)


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
