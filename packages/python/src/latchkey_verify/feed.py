"""Reads the revocation feed."""

from collections.abc import Callable
from dataclasses import replace
from math import inf

from .changes import FeedAnswer, read_feed_answer
from .errors import VerificationUnavailable
from .pace import backoff
from .server import Answer, AuthorizationServer, UnexpectedStatus
from .settings import Settings
from .status import Problems
from .steps import Fetch, Pause, Work

# Seconds. A server or proxy that answers at once without changes is not asked more often.
_SHORTEST_TURN = 0.5


def _is_cursor_refused(problem: VerificationUnavailable) -> bool:
    """The server does not know the cursor, for example after its database was restored."""
    cause = problem.__cause__
    return isinstance(cause, UnexpectedStatus) and cause.status in (400, 404, 410, 422)


class Feed:
    """`apply` applies an answer, and returns whether the state is complete and whether it must be read again."""

    def __init__(
        self,
        settings: Settings,
        server: AuthorizationServer,
        problems: Problems,
        apply: Callable[[FeedAnswer], tuple[bool, bool]],
        on_complete: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._server = server
        self._problems = problems
        self._apply = apply
        self._on_complete = on_complete
        # Seconds for which the server may hold a request; less when a short maximum age is set.
        self._wait = max(1, int(min(20, settings.max_revocation_age / 2)))
        self._cursor: str | None = None
        # At the beginning, while more is available and after a failure, the server must answer at once, because requests
        # may be waiting.
        self._is_urgent = True
        self.heard_at = -inf
        """Time of the last complete answer, in ticks."""

    def run(self) -> Work[None]:
        """Reads the feed without an end."""
        failures = 0
        while True:
            try:
                yield from self._turn()
                failures = 0
            except Exception as error:
                self._fail(error)
                failures += 1
                yield Pause(backoff(failures))

    def _turn(self) -> Work[None]:
        began, was_urgent = self._settings.ticks(), self._is_urgent
        got: Answer = yield Fetch(self._server.revocations(self._cursor, 0 if was_urgent else self._wait))
        answer = read_feed_answer(got.body)
        # Without a cursor the answer is a complete new state, whatever it says.
        answer = replace(answer, reset=answer.reset or self._cursor is None)
        is_complete, is_doubtful = self._apply(answer)
        self._cursor = None if is_doubtful else answer.cursor
        if is_complete:
            self.heard_at = self._settings.ticks()
            self._on_complete()
        self._is_urgent = answer.more or self._cursor is None
        self._problems.report("feed", None)
        self._problems.check_clock(got.sent_at)
        is_idle = not was_urgent and not answer.more and not answer.changes
        if is_idle and self._settings.ticks() - began < _SHORTEST_TURN:
            yield Pause(_SHORTEST_TURN)

    def _fail(self, error: Exception) -> None:
        problem = error if isinstance(error, VerificationUnavailable) else VerificationUnavailable("bad_answer", error)
        if _is_cursor_refused(problem):
            self._cursor = None
        self._is_urgent = True
        self._problems.report("feed", problem)
