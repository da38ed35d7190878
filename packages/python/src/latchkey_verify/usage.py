"""Counts the permissions that this data API granted, and reports them to the server."""

import json
from datetime import datetime, timezone
from threading import Lock
from typing import Any
from uuid import uuid4

from .claims import Claims
from .errors import VerificationUnavailable
from .server import AuthorizationServer, UnexpectedStatus
from .settings import Settings
from .steps import Fetch, Pause, Work

_EVERY = 15  # seconds
_DAY = 86_400
_MOST_OF_REPORT = 2000
# What exceeds the memory is not counted.
_MOST_COUNTS = 20_000
_MOST_UNSENT = 20


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds")


def _is_away(problem: VerificationUnavailable) -> bool:
    """True when the report is worth another attempt."""
    cause = problem.__cause__
    return not isinstance(cause, UnexpectedStatus) or cause.status >= 500 or cause.status == 429


class Usage:
    def __init__(self, settings: Settings, server: AuthorizationServer) -> None:
        self._settings = settings
        self._server = server
        self._lock = Lock()
        self._counts: dict[tuple[str, str, str], int] = {}
        self._since = settings.now()
        self._reported_on = -1
        self._unsent: dict[str, dict[str, Any]] = {}

    def counts(self, claims: Claims) -> "Usage | None":
        """None when nothing is counted for this token."""
        return self if self._settings.usage and claims.kind in ("user", "install") else None

    def add(self, client_id: str, organization_id: str, permission: str) -> None:
        key = (client_id, organization_id, permission)
        with self._lock:
            if key in self._counts or len(self._counts) < _MOST_COUNTS:
                self._counts[key] = self._counts.get(key, 0) + 1

    def _take(self, is_due: bool) -> None:
        with self._lock:
            if not (self._counts or is_due) or len(self._unsent) >= _MOST_UNSENT:
                return
            to = self._settings.now()
            period = {"from": _iso(max(self._since, to - _DAY)), "to": _iso(to)}
            parts = [
                {"client_id": client, "organization_id": organization, "permission": permission, "count": count}
                for (client, organization, permission), count in self._counts.items()
            ]
            self._counts, self._since = {}, to
            for at in range(0, max(1, len(parts)), _MOST_OF_REPORT):
                self._unsent[str(uuid4())] = {**period, "counts": parts[at : at + _MOST_OF_REPORT]}

    def send(self, is_due: bool = False) -> Work[None]:
        """What the server did not answer is sent again with the next report, under the same key."""
        self._take(is_due)
        for key, report in list(self._unsent.items()):
            try:
                yield Fetch(self._server.usage(key, json.dumps(report)))
            except VerificationUnavailable as problem:
                if _is_away(problem):
                    return
            self._unsent.pop(key, None)

    def run(self) -> Work[None]:
        """Reports without an end; without any use once a day, because that is measured too."""
        while True:
            yield Pause(_EVERY)
            today = int(self._settings.now() // _DAY)
            is_due, self._reported_on = today != self._reported_on, today
            yield from self.send(is_due)
