"""Pauses between requests."""

import random


def backoff(failures: int) -> float:
    """Seconds to wait after this many consecutive failures, from 0.1 s to 5 s, randomized."""
    return min(0.2 * 2.0 ** min(failures - 1, 10), 5) * random.uniform(0.5, 1)


def about(seconds: float) -> float:
    """This time give or take a tenth, so that many processes do not ask at once."""
    return seconds * random.uniform(0.9, 1.1)
