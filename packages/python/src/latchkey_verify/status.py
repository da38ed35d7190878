"""Problems that an operator can solve: with the server, the options or the clock. Each new one is logged once."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Literal, TypeAlias

from .errors import TokenInvalid, UnavailableReason, VerificationUnavailable
from .server import UnexpectedStatus
from .settings import Settings
from .strict_json import JsonObject, is_text

_log = logging.getLogger("latchkey_verify")

Part: TypeAlias = Literal["keys", "feed", "introspection", "tokens", "clock"]
RequestPart: TypeAlias = Literal["keys", "feed", "introspection"]
Misfit: TypeAlias = Literal["issuer", "audience", "clock"]

_ADVICE: dict[str, str] = {
    "refused": "the server refuses resource_server_id and resource_server_secret: "
    "check the credentials of the resource server",
    "unreachable": "the server does not answer in time: check issuer or server, and the network",
    "bad_answer": "this is not the answer of a Latchkey server: check issuer or server",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that has not passed."""

    part: Part
    """Where it was found: in requests for keys, feed or introspection, in tokens, or in the clocks."""
    reason: UnavailableReason | Misfit
    since: float
    """Seconds since 1970."""
    message: str
    """What an operator can do about it."""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a verifier in this process."""

    ready: bool
    """True when revocations and, unless every token is introspected, keys have been read once."""
    feed_age: float | None
    """Seconds since the last complete answer of the revocation feed; None before the first."""
    problems: tuple[Problem, ...]
    """Problems that have not passed."""


NOT_STARTED = Status(False, None, ())


def _detail_of(problem: VerificationUnavailable) -> str:
    """The status or the kind of failure. Other texts may contain what was sent."""
    cause = problem.__cause__
    if cause is None:
        return problem.reason
    return f"{problem.reason}, {cause if isinstance(cause, UnexpectedStatus) else type(cause).__name__}"


class Problems:
    """Knows the current problems. Safe for several threads."""

    def __init__(self, settings: Settings, is_stopped: Callable[[], bool]) -> None:
        self._settings = settings
        self._is_stopped = is_stopped
        self._lock = Lock()
        self._current: dict[tuple[Part, Misfit | None], Problem] = {}
        self._has_accepted = False

    def report(self, part: RequestPart, problem: VerificationUnavailable | None) -> None:
        """Takes the result of a request to the server; None is a success."""
        if self._is_stopped():
            return
        if problem is None:
            self._clear(part, None)
            return
        message = _ADVICE.get(problem.reason, str(problem))
        is_new = self._note(None, Problem(part, problem.reason, self._settings.now(), message))
        if self._settings.on_problem is None:
            if is_new:
                _log.warning("%s (%s, %s)", message, part, _detail_of(problem))
            return
        try:
            self._settings.on_problem(problem)
        except Exception:
            _log.exception("on_problem has failed")

    def token_refused(self, refusal: TokenInvalid, payload: JsonObject) -> None:
        """Takes the refusal of a token whose claims do not fit. When no token was accepted yet, the options may be wrong.
        Later refusals say nothing about them, so that senders cannot fill the log.
        """
        if self._has_accepted:
            return
        if refusal.reason == "issuer":
            self._compare("issuer", self._settings.issuer, payload.get("iss"))
        elif refusal.reason == "audience":
            self._compare("audience", self._settings.audience, payload.get("aud"))

    def token_accepted(self) -> None:
        """The options are right."""
        if not self._has_accepted:
            self._has_accepted = True
            self._clear("tokens", "issuer")
            self._clear("tokens", "audience")

    def check_clock(self, sent_at: float | None) -> None:
        """Takes the time at which the server has sent an answer just now."""
        if sent_at is None:
            return
        lead = self._settings.now() - sent_at
        if abs(lead) <= self._settings.clock_tolerance + self._settings.timeout:
            self._clear("clock", "clock")
            return
        direction = "ahead of" if lead > 0 else "behind"
        self._warn(
            "clock", "clock", f"the clock is {abs(lead):.0f} seconds {direction} the server's: valid tokens are refused"
        )

    def all(self) -> tuple[Problem, ...]:
        with self._lock:
            return tuple(sorted(self._current.values(), key=lambda one: (one.part, one.reason)))

    def _compare(self, part: Literal["issuer", "audience"], wanted: str, named: object) -> None:
        advice = f"check the option {part}"
        if is_text(named) and named.rstrip("/") == wanted.rstrip("/"):
            advice = "the slash at the end must be the same"
        # In the mode `introspect` no signature was checked: the sender of the token must not choose what the log says.
        shown = f"a token of the server has {named!r}" if self._settings.mode == "local" else "a token has another one"
        self._warn("tokens", part, f"{part} is {wanted!r}, but {shown}: {advice}")

    def _warn(self, part: Part, reason: Misfit, message: str) -> None:
        if self._note(reason, Problem(part, reason, self._settings.now(), message)):
            _log.warning("%s (%s, %s)", message, part, reason)

    def _note(self, misfit: Misfit | None, problem: Problem) -> bool:
        """True for a new problem. One of requests replaces the earlier one of the same part."""
        with self._lock:
            known = self._current.get((problem.part, misfit))
            if known is not None and known.reason == problem.reason:
                return False
            self._current[(problem.part, misfit)] = problem
            return True

    def _clear(self, part: Part, misfit: Misfit | None) -> None:
        if self._current:
            with self._lock:
                self._current.pop((part, misfit), None)
