"""What the rules need from the outside.

The rules do no input or output. They are generators that yield steps. A verifier performs each step, in a thread or in
a task, and sends the result back. So the blocking and the asynchronous verifier share all rules.
"""

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from .server import ServerRequest

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Fetch:
    """Sends a request to the server. The result is an Answer; raises VerificationUnavailable."""

    request: ServerRequest


@dataclass(frozen=True, slots=True)
class Share:
    """Does the work once for all that need it at the same time, and returns its result to each of them.

    Raises VerificationUnavailable when `most` works of the group are under way.
    """

    group: str
    key: Hashable
    work: "Work[Any]"
    most: int | None = None


@dataclass(frozen=True, slots=True)
class AwaitStart:
    """Waits until the first state is read. Raises VerificationUnavailable when that takes too long."""


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


@dataclass(frozen=True, slots=True)
class Call:
    """Calls a function of the data API. An asynchronous verifier awaits its result."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


Step: TypeAlias = Fetch | Share | AwaitStart | Pause | Call
Work: TypeAlias = Generator[Step, Any, Result]
