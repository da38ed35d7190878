"""`latchkey_verify.wsgi`: protects a WSGI application."""

from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

from .errors import VerificationError
from .guard import PUBLIC, Guard, Needed, access_from, escaped, is_needed, remember_access
from .requirement import Requirement, own_organization
from .verifier import Verifier

__all__ = ["PUBLIC", "LatchkeyMiddleware", "Requirement", "access_from", "own_organization"]

Environ: TypeAlias = dict[str, Any]
StartResponse: TypeAlias = Callable[..., Any]
Application: TypeAlias = Callable[[Environ, StartResponse], Iterable[bytes]]


def _headers_of(environ: Environ) -> Callable[[str], Sequence[str]]:
    """WSGI joins repeated headers, and then they are no valid credential."""

    def values(name: str) -> list[str]:
        value = environ.get(f"HTTP_{name.upper()}")
        return [] if value is None else [value]

    return values


def _path_of(environ: Environ) -> str:
    """The path as it was sent, if the server passes it on."""
    for name in ("RAW_URI", "REQUEST_URI"):
        sent = environ.get(name)
        if isinstance(sent, str) and sent.startswith("/"):
            return sent.partition("?")[0]
    decoded = str(environ.get("SCRIPT_NAME", "")) + str(environ.get("PATH_INFO", ""))
    return escaped(decoded.encode("latin-1"))


class LatchkeyMiddleware(Guard[Environ]):
    """Calls the application with the access of the request (`access_from(environ)`), or answers 401, 403 or 503.

    `requires` returns the requirement of a request, from its environ: a `Requirement`, or `PUBLIC`. The verifier is
    closed by you. The other options are those of `Guard`.
    """

    def __init__(
        self, app: Application, verifier: Verifier, *, requires: Callable[[Environ], Needed], **options: Any
    ) -> None:
        super().__init__(**options)
        if not isinstance(verifier, Verifier) or not callable(requires):
            raise TypeError("the middleware needs a Verifier, and `requires`, a function of the environ")
        self._app = app
        self._verifier = verifier
        self._requires = requires

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        needed = self._requires(environ)
        if not is_needed(needed):
            raise TypeError("`requires` must return a Requirement or PUBLIC")
        # The access of an outer middleware is not for this application.
        environ.pop("latchkey.access", None)
        if isinstance(needed, Requirement):
            try:
                method = environ["REQUEST_METHOD"]
                credential = self.credential(environ, _headers_of(environ), method, _path_of(environ))
                remember_access(environ, self._verifier.check(credential, needed))
            except VerificationError as error:
                answer = self.refuse(environ, error)
                headers = [*answer.headers.items(), ("Content-Length", str(len(answer.content)))]
                start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", headers)
                return [answer.content]
        return self._app(environ, start_response)
