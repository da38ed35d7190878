"""The asynchronous verifier, for asyncio."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Hashable, Sequence
from contextlib import suppress
from inspect import isawaitable
from typing import Any, Literal

import httpx

from .access import Access
from .core import Core
from .credentials import Credential
from .errors import VerificationUnavailable
from .options import Configured
from .requirement import ABSENT, Absent, Classes, IdOf, Requirement, authorization
from .settings import Settings
from .status import NOT_STARTED, Status
from .steps import AwaitStart, Call, Fetch, Pause, Result, Share, Step, Work
from .transport import fetch_async


class AsyncVerifier(Configured[httpx.AsyncClient]):
    """Reads keys and revocations in two tasks, and verifies tokens from then on. It belongs to one event loop.

    The tasks start with the first verification or `start()`: a verifier may be created before there is a loop.
    """

    _running: "_Running | None" = None
    _is_closed = False

    async def verify(self, credential: Credential) -> Access:
        """Returns the actor of a request and its rights. Raises TokenInvalid, ProofInvalid, VerificationUnavailable."""
        running = self._started()
        known = running.core.recall(credential, None) if isinstance(credential, str) else None
        return await running.run(running.core.verify(credential)) if known is None else known

    async def authorize(
        self,
        credential: Credential | None,
        *,
        interface: Literal["legacy", "current"],
        organization: IdOf,
        permissions: Sequence[str] = (),
        workspace: IdOf | Absent = ABSENT,
        acr: Classes | Absent = ABSENT,
        max_age: int | Absent = ABSENT,
    ) -> Access:
        """Verifies a credential (None when the request has none) and checks interface, permissions, organization,
        workspace and sign-in. `Requirement` describes them.

        Raises TypeError for an incomplete requirement; TokenInvalid, ProofInvalid, InsufficientScope,
        InsufficientAuthentication, VerificationUnavailable.
        """
        return await self.check(
            credential,
            Requirement(
                interface=interface,
                organization=organization,
                permissions=permissions,
                workspace=workspace,
                acr=acr,
                max_age=max_age,
            ),
        )

    async def check(self, credential: Credential | None, requirement: Requirement) -> Access:
        """As `authorize`."""
        running = self._started()
        return await running.run(authorization(running.core, credential, requirement))

    def start(self) -> None:
        """Starts to read keys and revocations in the running loop, so that the first verification does not wait."""
        self._started()

    def status(self) -> Status:
        """Says whether this process can verify tokens, and what is wrong."""
        running = self._running
        return NOT_STARTED if running is None or self._is_closed else running.core.status()

    async def close(self) -> None:
        """Stops all requests to the server. Later verifications are refused."""
        self._is_closed = True
        if self._running is not None:
            await self._running.stop()

    async def __aenter__(self) -> "AsyncVerifier":
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _started(self) -> "_Running":
        if self._is_closed:
            raise VerificationUnavailable("closed")
        running, loop = self._running, asyncio.get_running_loop()
        if running is not None and running.is_alive(loop):
            return running
        if running is not None:
            running.abandon(loop)
        self._running = _Running(self._settings, self._http_client or httpx.AsyncClient, loop)
        return self._running


class _Running:
    """A verifier at work in one loop. Performs the steps of the rules in the calling task."""

    def __init__(
        self, settings: Settings, http_client: Callable[[], httpx.AsyncClient], loop: asyncio.AbstractEventLoop
    ) -> None:
        self._process = os.getpid()
        self._loop = loop
        self._timeout = settings.timeout
        self._client = http_client()
        self._is_ready = asyncio.Event()
        self._flights: dict[str, dict[Hashable, asyncio.Task[Any]]] = {}
        self.core = Core(settings, self._is_ready.set)
        self._tasks = [self._task(self.run(work)) for work in self.core.background()]

    def _task(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        return self._loop.create_task(work, name="latchkey-verify")

    async def stop(self) -> None:
        self.core.stop()
        if self._loop is not asyncio.get_running_loop():
            return  # its tasks have ended with their loop
        tasks = [*self._tasks, *(task for group in self._flights.values() for task in group.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.run(self.core.usage.send())
        with suppress(VerificationUnavailable):
            await fetch_async(self._client, self.core.leave())
        await self._client.aclose()

    def abandon(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ends what is left after one of the tasks was cancelled."""
        if self._process == os.getpid() and self._loop is loop:
            for task in self._tasks:
                task.cancel()

    def is_alive(self, loop: asyncio.AbstractEventLoop) -> bool:
        """False after a fork or in a new loop: tasks do not survive, and without them no revocation would arrive.

        Raises RuntimeError in a second loop.
        """
        if self._process != os.getpid() or self._loop.is_closed():
            return False
        if self._loop is not loop:
            raise RuntimeError("an AsyncVerifier belongs to one event loop: create one for each loop")
        return not any(task.done() for task in self._tasks)

    async def run(self, work: Work[Result]) -> Result:
        try:
            step = next(work)
            while True:
                try:
                    result = await self._perform(step)
                except BaseException as error:
                    step = work.throw(error)
                else:
                    step = work.send(result)
        except StopIteration as end:
            value: Result = end.value
            return value

    async def _perform(self, step: Step) -> Any:
        match step:
            case Fetch(request):
                return await fetch_async(self._client, request)
            case Share():
                return await self._share(step)
            case AwaitStart():
                await self._await_start()
            case Pause(seconds):
                await asyncio.sleep(seconds)
            case Call(function, arguments):
                result = function(*arguments)
                return await result if isawaitable(result) else result

    async def _await_start(self) -> None:
        if self._is_ready.is_set():
            return
        try:
            await asyncio.wait_for(self._is_ready.wait(), self._timeout)
        except asyncio.TimeoutError:
            raise VerificationUnavailable("starting") from None

    async def _share(self, step: Share) -> Any:
        group = self._flights.setdefault(step.group, {})
        task = group.get(step.key)
        if task is None:
            if step.most is not None and len(group) >= step.most:
                raise VerificationUnavailable("overloaded")
            # A task of its own, because the first caller may be cancelled and the others still wait.
            task = group[step.key] = self._task(self.run(step.work))
            task.add_done_callback(lambda _: group.pop(step.key, None))
        await asyncio.wait([task])
        if task.cancelled():
            raise VerificationUnavailable("closed")
        return task.result()
