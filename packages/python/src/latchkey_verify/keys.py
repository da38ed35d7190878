"""The server's public keys as last read."""

from collections.abc import Callable
from math import inf

from .errors import VerificationUnavailable
from .pace import about, backoff
from .server import Answer, AuthorizationServer
from .settings import Settings
from .signature import VerifyingKey, read_keys
from .status import Problems
from .steps import Fetch, Pause, Share, Work

# Seconds. The server publishes keys ahead of their use.
_REFRESH_EVERY = 300


class Keys:
    """`on_read` is called after each successful read."""

    def __init__(
        self,
        settings: Settings,
        server: AuthorizationServer,
        problems: Problems,
        on_read: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._server = server
        self._problems = problems
        self._on_read = on_read
        self._known: dict[str, VerifyingKey] = {}
        self._problem: VerificationUnavailable | None = None
        self._is_reading = False
        self._last_try = -inf

    def get(self, kid: str) -> VerifyingKey | None:
        return self._known.get(kid)

    def find(self, kid: str) -> Work[VerifyingKey | None]:
        """Reads the keys again for an unknown id, as often as `keys_interval` allows.

        None when the server has no such key. Raises VerificationUnavailable when the keys cannot be read.
        """
        if self._is_reading or self._is_due():
            yield Share("keys", None, self._read_when_due())
        key = self._known.get(kid)
        if key is None and self._problem is not None:
            raise VerificationUnavailable(self._problem.reason, self._problem)
        return key

    def run(self) -> Work[None]:
        """Reads the keys at intervals."""
        failures = 0
        while True:
            yield Share("keys", None, self._read())
            failures = 0 if self._problem is None else failures + 1
            yield Pause(backoff(failures) if failures else about(_REFRESH_EVERY))

    def _is_due(self) -> bool:
        return self._settings.ticks() - self._last_try >= self._settings.keys_interval

    def _read_when_due(self) -> Work[None]:
        # Another read may have ended in the meantime.
        if self._is_due():
            yield from self._read()

    def _read(self) -> Work[None]:
        self._last_try, self._is_reading = self._settings.ticks(), True
        try:
            answer: Answer = yield Fetch(self._server.keys())
            read = read_keys(answer.body)
        except VerificationUnavailable as problem:
            self._problem = problem
        except ValueError as cause:
            self._problem = VerificationUnavailable("bad_answer", cause)
        else:
            self._take(read)
        finally:
            self._is_reading = False
        self._problems.report("keys", self._problem)

    def _take(self, read: dict[str, VerifyingKey]) -> None:
        known = self._known
        # A key that is still published stays the same object.
        kept = {kid: key for kid, key in known.items() if kid in read and read[kid].is_same(key)}
        self._known, self._problem = {**read, **kept}, None
        self._on_read()
