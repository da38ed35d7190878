"""`latchkey_verify.asgi`: protects an ASGI application."""

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, TypeAlias

from .answers import HttpAnswer
from .async_verifier import AsyncVerifier
from .errors import VerificationError
from .guard import PUBLIC, Guard, Needed, access_from, escaped, is_needed, remember_access
from .requirement import Requirement, own_organization

__all__ = ["PUBLIC", "LatchkeyMiddleware", "Requirement", "access_from", "own_organization"]

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


def _headers_of(scope: Scope) -> Callable[[str], Sequence[str]]:
    def values(name: str) -> list[str]:
        wanted = name.encode()
        return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == wanted]

    return values


def _path_of(scope: Scope) -> str:
    """The path as it was sent, if the server passes it on."""
    raw = scope.get("raw_path")
    return raw.partition(b"?")[0].decode("latin-1") if raw else escaped(scope["path"].encode())


async def _refuse(scope: Scope, send: Send, answer: HttpAnswer) -> None:
    is_socket = scope["type"] == "websocket"
    if is_socket and "websocket.http.response" not in scope.get("extensions", {}):
        # The server answers 403.
        await send({"type": "websocket.close", "code": 1008, "reason": answer.body["error"]})
        return
    prefix = "websocket.http.response" if is_socket else "http.response"
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
    headers.append((b"content-length", str(len(answer.content)).encode()))
    await send({"type": f"{prefix}.start", "status": answer.status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": answer.content})


class LatchkeyMiddleware(Guard[Scope]):
    """Calls the application with the access of the request (`access_from(scope)`), or answers 401, 403 or 503.

    `requires` returns the requirement of a request, from its scope: a `Requirement`, or `PUBLIC`. The verifier is closed
    by you. The other options are those of `Guard`. Websockets are protected too; verify again before you send much later.
    """

    def __init__(
        self, app: Application, verifier: AsyncVerifier, *, requires: Callable[[Scope], Needed], **options: Any
    ) -> None:
        super().__init__(**options)
        if not isinstance(verifier, AsyncVerifier) or not callable(requires):
            raise TypeError("the middleware needs an AsyncVerifier, and `requires`, a function of the scope")
        self._app = app
        self._verifier = verifier
        self._requires = requires

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        needed = self._requires(scope)
        if not is_needed(needed):
            raise TypeError("`requires` must return a Requirement or PUBLIC")
        # The access of an outer middleware is not for this application.
        inner = {**scope}
        inner.pop("latchkey.access", None)
        if isinstance(needed, Requirement):
            try:
                method = scope.get("method", "GET")
                credential = self.credential(scope, _headers_of(scope), method, _path_of(scope))
                access = await self._verifier.check(credential, needed)
            except VerificationError as error:
                await _refuse(scope, send, self.refuse(scope, error))
                return
            remember_access(inner, access)
        await self._app(inner, receive, send)
