"""The three requests to the authorization server."""

import time
from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote_plus

import httpx

from .errors import VerificationUnavailable
from .settings import Settings
from .strict_json import JsonObject, parse_object

_MOST_BYTES = 8 * 1024 * 1024


class UnexpectedStatus(Exception):
    """The server answered with a status other than 200."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the authorization server answered with status {status}")
        self.status = status


class AuthorizationServer:
    """Each request raises VerificationUnavailable when it fails. Redirects are not followed, because the credentials
    are for one address only.
    """

    def __init__(self, settings: Settings, http_client: Callable[[], httpx.Client]) -> None:
        self._settings = settings
        self._http = http_client()
        # RFC 6749 §2.3.1: id and secret are form-urlencoded inside Basic.
        pair = f"{quote_plus(settings.resource_server_id)}:{quote_plus(settings.resource_server_secret)}"
        self._basic = {"authorization": f"Basic {b64encode(pair.encode()).decode()}"}

    def keys(self) -> JsonObject:
        return self._ask("GET", "/.well-known/jwks.json", {})

    def introspect(self, token: str) -> JsonObject:
        """RFC 7662."""
        return self._ask("POST", "/api/oauth/introspect", self._basic, data={"token": token})

    def revocations(self, cursor: str | None, wait: int) -> JsonObject:
        """The changes since the cursor. `wait` is the seconds for which the server may hold the request."""
        query = {"wait": str(wait)} if cursor is None else {"cursor": cursor, "wait": str(wait)}
        return self._ask("GET", "/api/oauth/revocations", self._basic, params=query, more_time=wait)

    def _ask(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        *,
        data: dict[str, str] | None = None,
        params: dict[str, str] | None = None,
        more_time: float = 0,
    ) -> JsonObject:
        timeout = self._settings.timeout + more_time
        # A compressed answer could be larger than the limit before it is counted.
        sent = {"accept": "application/json", "accept-encoding": "identity", **headers}
        try:
            with self._http.stream(
                method,
                self._settings.server + path,
                headers=sent,
                data=data,
                params=params,
                timeout=timeout,
                follow_redirects=False,
            ) as response:
                text = self._read(response, time.monotonic() + timeout)
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError, OSError) as cause:
            raise VerificationUnavailable("unreachable", cause) from cause
        if response.status_code != 200:
            refused = response.status_code in (401, 403)
            raise VerificationUnavailable("refused" if refused else "bad_answer", UnexpectedStatus(response.status_code))
        body = parse_object(text)
        if body is None:
            raise VerificationUnavailable("bad_answer", ValueError("not a JSON object"))
        return body

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise VerificationUnavailable("bad_answer", ValueError("a compressed answer"))
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > _MOST_BYTES:
                raise VerificationUnavailable("bad_answer", ValueError("the answer is too long"))
            if time.monotonic() > deadline:
                raise VerificationUnavailable("unreachable", TimeoutError("no answer in time"))
        return bytes(body)

    def close(self) -> None:
        self._http.close()
