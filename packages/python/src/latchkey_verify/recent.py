"""A bounded map that drops the least recently used half."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


def _one(_value: object) -> int:
    return 1


class Recent(Generic[Value]):
    """Two generations instead of a list in order of use: a hit in the younger one changes nothing.

    `most` limits the sum of the weights; without `weigh`, the number of entries. Safe for several threads.
    """

    def __init__(self, most: int, weigh: Callable[[Value], int] = _one) -> None:
        self._half = max(1, -(-most // 2))
        self._weigh = weigh
        self._young: dict[str, Value] = {}
        self._old: dict[str, Value] = {}
        self._weight = 0
        self._lock = Lock()

    def get(self, key: str) -> Value | None:
        found = self._young.get(key)
        if found is not None:
            return found
        with self._lock:
            older = self._old.get(key)
            if older is not None:
                self._put(key, older)
            return older

    def set(self, key: str, value: Value) -> None:
        with self._lock:
            # Otherwise a replaced value would return from the older generation.
            self._old.pop(key, None)
            self._put(key, value)

    def _put(self, key: str, value: Value) -> None:
        if self._weight >= self._half:
            self._old = self._young
            self._young = {}
            self._weight = 0
        replaced = self._young.get(key)
        self._weight += self._weigh(value) - (0 if replaced is None else self._weigh(replaced))
        self._young[key] = value

    def delete_where(self, is_out: Callable[[Value], bool]) -> None:
        with self._lock:
            self._old = {key: value for key, value in self._old.items() if not is_out(value)}
            self._young = {key: value for key, value in self._young.items() if not is_out(value)}
            self._weight = sum(map(self._weigh, self._young.values()))

    def clear(self) -> None:
        with self._lock:
            self._young = {}
            self._old = {}
            self._weight = 0
