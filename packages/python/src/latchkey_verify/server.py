"""The three requests to the authorization server, and the form of its answers."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from secrets import token_hex
from urllib.parse import quote_plus

from .errors import VerificationUnavailable
from .settings import Settings
from .strict_json import JsonObject, parse_object

# The version of this package.
_VERSION = "0.1.0"

# Seconds for the last request of a process.
_LONGEST_LEAVE = 1

_MOST_BYTES = 8 * 1024 * 1024


class UnexpectedStatus(Exception):
    """The server answered with a status other than 200."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the authorization server answered with status {status}")
        self.status = status


@dataclass(frozen=True, slots=True)
class ServerRequest:
    method: str
    url: str
    timeout: float
    """Seconds."""
    headers: dict[str, str]
    params: dict[str, str] | None = None
    data: dict[str, str] | None = None
    content: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    body: JsonObject
    sent_at: float | None
    """The header `Date`, in seconds since 1970; None when there is none."""


class AuthorizationServer:
    """Makes the requests. Redirects must not be followed, because the credentials are for one address only."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # RFC 6749 §2.3.1: id and secret are form-urlencoded inside Basic.
        pair = f"{quote_plus(settings.resource_server_id)}:{quote_plus(settings.resource_server_secret)}"
        self._basic = {
            "authorization": f"Basic {b64encode(pair.encode()).decode()}",
            "user-agent": f"latchkey-verify-python/{_VERSION}",
        }
        # Names this process.
        self._reader = token_hex(16)

    def keys(self) -> ServerRequest:
        return self._request("GET", "/.well-known/jwks.json", {})

    def introspection(self, token: str) -> ServerRequest:
        """RFC 7662."""
        return self._request("POST", "/api/oauth/introspect", self._basic, data={"token": token})

    def revocations(self, cursor: str | None, wait: int) -> ServerRequest:
        """The changes since the cursor. `wait` is the seconds for which the server may hold the request."""
        known = {} if cursor is None else {"cursor": cursor}
        query = {**known, "wait": str(wait), "reader": self._reader}
        return self._request("GET", "/api/oauth/revocations", self._basic, params=query, more_time=wait)

    def usage(self, key: str, content: str) -> ServerRequest:
        """Reports the use of permissions. The server counts a key once."""
        headers = {**self._basic, "content-type": "application/json", "idempotency-key": key}
        return replace(self._request("POST", "/api/oauth/usage", headers), content=content)

    def leave(self) -> ServerRequest:
        """This process reads no more revocations. The answer is not an object."""
        query = {"reader": self._reader, "closing": "true"}
        less_time = min(_LONGEST_LEAVE, self._settings.timeout) - self._settings.timeout
        return self._request("GET", "/api/oauth/revocations", self._basic, params=query, more_time=less_time)

    def _request(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        *,
        params: dict[str, str] | None = None,
        data: dict[str, str] | None = None,
        more_time: float = 0,
    ) -> ServerRequest:
        # A compressed answer could be larger than the limit before it is counted.
        sent = {"accept": "application/json", "accept-encoding": "identity", **headers}
        timeout = self._settings.timeout + more_time
        return ServerRequest(method, self._settings.server + path, timeout, sent, params, data)


def _seconds_of(date: str | None) -> float | None:
    try:
        return None if date is None else parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None


@dataclass(slots=True)
class AnswerReader:
    """Collects an answer up to a limit. Raises VerificationUnavailable for an answer that is not as agreed."""

    status: int
    headers: Mapping[str, str]
    _body: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        if self.headers.get("content-encoding", "identity") != "identity":
            raise VerificationUnavailable("bad_answer", ValueError("a compressed answer"))

    def add(self, chunk: bytes) -> None:
        self._body += chunk
        if len(self._body) > _MOST_BYTES:
            raise VerificationUnavailable("bad_answer", ValueError("the answer is too long"))

    def finish(self) -> Answer:
        if self.status == 204:
            return Answer({}, None)
        if self.status != 200:
            refused = self.status in (401, 403)
            raise VerificationUnavailable("refused" if refused else "bad_answer", UnexpectedStatus(self.status))
        body = parse_object(bytes(self._body))
        if body is None:
            raise VerificationUnavailable("bad_answer", ValueError("not a JSON object"))
        return Answer(body, _seconds_of(self.headers.get("date")))
