"""The blocking verifier."""

import os
import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from contextlib import suppress
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
from .transport import fetch


class Verifier(Configured[httpx.Client]):
    """Reads keys and revocations in two daemon threads, and verifies tokens from then on. Safe for several threads.

    The threads start with the first verification, in the process that verifies: a verifier may be created before a
    server forks its workers.
    """

    _running: "_Running | None" = None
    _is_closed = False

    def verify(self, credential: Credential) -> Access:
        """Returns the actor of a request and its rights. Raises TokenInvalid, ProofInvalid, VerificationUnavailable."""
        running = self._started()
        known = running.core.recall(credential, None) if isinstance(credential, str) else None
        return running.run(running.core.verify(credential)) if known is None else known

    def authorize(
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
        return self.check(
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

    def check(self, credential: Credential | None, requirement: Requirement) -> Access:
        """As `authorize`."""
        running = self._started()
        return running.run(authorization(running.core, credential, requirement))

    def start(self) -> None:
        """Starts to read keys and revocations, so that the first verification does not wait for them."""
        self._started()

    def status(self) -> Status:
        """Says whether this process can verify tokens, and what is wrong."""
        running = self._running
        return NOT_STARTED if running is None or self._is_closed else running.core.status()

    def close(self) -> None:
        """Stops all requests to the server. Later verifications are refused."""
        self._is_closed = True
        if self._running is not None:
            self._running.stop()

    def __enter__(self) -> "Verifier":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _started(self) -> "_Running":
        if self._is_closed:
            raise VerificationUnavailable("closed")
        running = self._running
        if running is not None and running.is_alive():
            return running
        with _starting:
            running = self._running
            if running is None or not running.is_alive():
                if running is not None and running.is_of_this_process():
                    running.stop()
                running = self._running = _Running(self._settings, self._http_client or httpx.Client)
                running.start()
        return running


def _renew_lock() -> None:
    global _starting
    _starting = threading.Lock()


_starting = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


class _Stopped(BaseException):
    """Ends a background work."""


class _Running:
    """A verifier at work in one process. Performs the steps of the rules in the calling thread."""

    def __init__(self, settings: Settings, http_client: Callable[[], httpx.Client]) -> None:
        self._process = os.getpid()
        self._timeout = settings.timeout
        self._client = http_client()
        self._is_ready, self._stopped = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._flights: dict[str, dict[Hashable, Future[Any]]] = {}
        self.core = Core(settings, self._is_ready.set)
        self._threads = [
            threading.Thread(target=self._run_background, args=(work,), daemon=True, name="latchkey-verify")
            for work in self.core.background()
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        if self.is_of_this_process():
            self.run(self.core.usage.send())
        self.core.stop()
        self._stopped.set()
        with suppress(VerificationUnavailable):
            fetch(self._client, self.core.leave())
        self._client.close()

    def is_alive(self) -> bool:
        """Threads do not survive a fork, and without them no revocation would arrive."""
        return self.is_of_this_process() and all(thread.is_alive() for thread in self._threads)

    def is_of_this_process(self) -> bool:
        return self._process == os.getpid()

    def run(self, work: Work[Result]) -> Result:
        try:
            step = next(work)
            while True:
                try:
                    result = self._perform(step)
                except BaseException as error:
                    step = work.throw(error)
                else:
                    step = work.send(result)
        except StopIteration as end:
            value: Result = end.value
            return value

    def _perform(self, step: Step) -> Any:
        match step:
            case Fetch(request):
                return fetch(self._client, request)
            case Share():
                return self._share(step)
            case AwaitStart():
                if not self._is_ready.wait(self._timeout):
                    raise VerificationUnavailable("starting")
            case Pause(seconds):
                if self._stopped.wait(seconds):
                    raise _Stopped
            case Call(function, arguments):
                return function(*arguments)

    def _share(self, step: Share) -> Any:
        with self._lock:
            group = self._flights.setdefault(step.group, {})
            flight = group.get(step.key)
            if flight is None:
                if step.most is not None and len(group) >= step.most:
                    raise VerificationUnavailable("overloaded")
                group[step.key] = mine = Future[Any]()
        if flight is not None:
            return flight.result()
        try:
            mine.set_result(self.run(step.work))
        except Exception as error:
            mine.set_exception(error)
        except BaseException as error:
            # It is for this thread alone, for example a signal.
            mine.set_exception(VerificationUnavailable("unreachable", error))
            raise
        finally:
            with self._lock:
                del group[step.key]
        return mine.result()

    def _run_background(self, work: Work[None]) -> None:
        try:
            self.run(work)
        except _Stopped:
            pass
