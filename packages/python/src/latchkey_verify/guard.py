"""What the middlewares share: the credential of a request, its URL, and the answer to a refused one."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import quote, urlsplit

from .access import Access
from .answers import HttpAnswer, answer_to, challenge
from .credentials import Credential, bearer_token, credential_in
from .errors import VerificationError
from .requirement import Requirement

Request = TypeVar("Request")


class _Public(Enum):
    PUBLIC = 0


PUBLIC: Final = _Public.PUBLIC
"""The requirement of a request that needs no token. None is not one, because a forgotten `return` is None too."""
Needed: TypeAlias = Requirement | Literal[_Public.PUBLIC]

_KEY = "latchkey.access"
# Characters of a path that senders do not escape. A percent sign is escaped, because the path was decoded.
_PLAIN = "/!$&'()*+,;=:@|[]~"


def remember_access(request: dict[str, Any], access: Access) -> None:
    request[_KEY] = access


def access_from(request: Mapping[str, Any]) -> Access | None:
    """The access of a request that a middleware has let through, from an ASGI scope or a WSGI environ; None for a public
    one.
    """
    access = request.get(_KEY)
    return access if isinstance(access, Access) else None


def escaped(path: bytes) -> str:
    return quote(path, safe=_PLAIN)


def is_needed(needed: object) -> bool:
    return isinstance(needed, (Requirement, _Public))


class Guard(Generic[Request]):
    """Raises TypeError or ValueError for options that are wrong.

    Args:
        public_url: with it, tokens that are bound to a key (DPoP) are accepted too. Proofs contain the public address of
            the request, which only you know behind a proxy: the address of this API without a path, such as
            `https://api.example.com`, or a function that returns the whole URL of a request. Never take it from the
            header `Host`, because the sender can choose that.
        realm: the name of what is protected, for people.
        resource_metadata: the address of the data API's metadata (RFC 9728 §5.1).
        on_refused: called with each refused request and its error, for logs and metrics.
    """

    def __init__(
        self,
        *,
        public_url: str | Callable[[Request], str] | None = None,
        realm: str | None = None,
        resource_metadata: str | None = None,
        on_refused: Callable[[Request, VerificationError], object] | None = None,
    ) -> None:
        if isinstance(public_url, str) and not (urlsplit(public_url).scheme and urlsplit(public_url).netloc):
            raise ValueError("public_url must be an address such as https://api.example.com")
        challenge(None, realm=realm, resource_metadata=resource_metadata)
        self._public_url = public_url
        self._realm = realm
        self._resource_metadata = resource_metadata
        self._on_refused = on_refused

    def credential(
        self, request: Request, headers: Callable[[str], Sequence[str]], method: str, path: str
    ) -> Credential | None:
        """The credential of a request; None when it has none. Raises TokenInvalid, ProofInvalid."""
        if self._public_url is None:
            return bearer_token(headers("authorization"))
        if callable(self._public_url):
            url = self._public_url(request)
        else:
            url = self._public_url.rstrip("/") + path
        return credential_in(headers("authorization"), headers("dpop"), method=method, url=url)

    def refuse(self, request: Request, error: VerificationError) -> HttpAnswer:
        """The answer to a refused request."""
        if self._on_refused is not None:
            self._on_refused(request, error)
        return answer_to(
            error,
            realm=self._realm,
            resource_metadata=self._resource_metadata,
            dpop=self._public_url is not None,
        )
