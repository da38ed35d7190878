"""`latchkey_verify.fastapi`: a dependency of FastAPI that protects routes."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from typing import Any, Literal, TypeAlias

from fastapi import HTTPException, Request

from .access import Access
from .async_verifier import AsyncVerifier
from .errors import InsufficientScope, VerificationError
from .guard import Guard
from .requirement import ABSENT, Absent, Classes, Requirement

__all__ = ["TokenGuard"]

_log = logging.getLogger("latchkey_verify")

IdIn: TypeAlias = str | Callable[[Request, Access], str | None | Awaitable[str | None]]
"""An id, or a function that finds it in the request after the token was verified. A request without one is refused."""


def _path_of(request: Request) -> str:
    raw = request.scope.get("raw_path")
    return raw.partition(b"?")[0].decode("latin-1") if raw else request.url.path


class TokenGuard(Guard[Request]):
    """Makes dependencies that verify the token of a request. The verifier is closed by you; options are those of `Guard`."""

    def __init__(self, verifier: AsyncVerifier, **options: Any) -> None:
        super().__init__(**options)
        if not isinstance(verifier, AsyncVerifier):
            raise TypeError("the guard needs an AsyncVerifier")
        self._verifier = verifier

    def require(
        self,
        *,
        organization: IdIn,
        permissions: Sequence[str] = (),
        workspace: IdIn | Absent = ABSENT,
        acr: Classes | Absent = ABSENT,
        max_age: int | Absent = ABSENT,
    ) -> Callable[[Request], Awaitable[Access]]:
        """A dependency that returns the Access of a request of the current interface, or answers 401, 403 or 503.

        `organization` is the owner of the requested data. Raises TypeError when the requirement is incomplete.
        """
        # Validates what does not depend on the request.
        Requirement(
            interface="current",
            organization=_or_any(organization),
            permissions=permissions,
            workspace=ABSENT if workspace is ABSENT else _or_any(workspace),
            acr=acr,
            max_age=max_age,
        )

        async def access(request: Request) -> Access:
            needed = Requirement(
                interface="current",
                organization=_bound("organization", organization, request),
                permissions=permissions,
                workspace=ABSENT if workspace is ABSENT else _bound("workspace", workspace, request),
                acr=acr,
                max_age=max_age,
            )
            try:
                headers = request.headers.getlist
                credential = self.credential(request, headers, request.method, _path_of(request))
                return await self._verifier.check(credential, needed)
            except VerificationError as error:
                answer = self.refuse(request, error)
                raise HTTPException(answer.status, answer.body, answer.headers) from error

        return access


def _or_any(id_in: IdIn) -> str:
    """Stands for the id that a function will find."""
    return "later" if callable(id_in) else id_in


def _bound(
    name: Literal["organization", "workspace"], id_in: IdIn, request: Request
) -> str | Callable[[Access], Awaitable[str]]:
    """The request decides whether there is an id, so a missing id is the caller's fault (403). It may also be a mistake
    in the route, which the log shows. What is no text is a mistake: the check raises TypeError (500).
    """
    if not callable(id_in):
        return id_in

    async def find(access: Access) -> str:
        found = id_in(request, access)
        text = await found if isawaitable(found) else found
        if text is None or text == "":
            _log.warning("the function `%s` of a route found no id in the request", name)
            raise InsufficientScope(name)
        return text

    return find
