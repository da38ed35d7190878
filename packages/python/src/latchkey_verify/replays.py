"""Used proofs."""

from threading import Lock

from .errors import VerificationUnavailable


class Replays:
    """Remembers ids until they can no longer be replayed, and never more than `most`. It never drops an id early to make
    room, because that would allow a replay. Safe for several threads.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._size = 0
        # Ids by the second in which they expire.
        self._ending: dict[int, set[str]] = {}

    def is_new(self, proof_id: str, until: int, at: float) -> bool:
        """`until` is in whole seconds since 1970, and always the same for the same id; `at` is the time.

        Raises VerificationUnavailable when the maximum is reached.
        """
        with self._lock:
            ids = self._ending.get(until, set())
            if proof_id in ids:
                return False
            if not ids or self._size >= self._most:
                self._forget(at)
            if self._size >= self._most:
                raise VerificationUnavailable("overloaded")
            self._ending.setdefault(until, set()).add(proof_id)
            self._size += 1
            return True

    def _forget(self, at: float) -> None:
        for until in [one for one in self._ending if one < at]:
            self._size -= len(self._ending.pop(until))
