"""The options of a verifier, checked and complete."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import TypeAlias
from urllib.parse import urlsplit

from .errors import VerificationUnavailable

OnProblem: TypeAlias = Callable[[VerificationUnavailable], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Times are in seconds."""

    issuer: str
    audience: str
    resource_server_id: str
    resource_server_secret: str
    server: str
    clock_tolerance: float
    max_revocation_age: float
    timeout: float
    on_problem: OnProblem | None
    now: Callable[[], float]
    """Seconds since 1970."""
    ticks: Callable[[], float]
    """Seconds of a monotonic clock, for durations."""
    active_for: float = 5
    inactive_for: float = 1
    keys_interval: float = 5
    cache_size: int = 10_000
    max_token_length: int = 16_384

    @classmethod
    def read(
        cls,
        *,
        issuer: str,
        audience: str,
        resource_server_id: str,
        resource_server_secret: str,
        server: str | None,
        clock_tolerance: float,
        max_revocation_age: float | None,
        timeout: float,
        on_problem: OnProblem | None,
        now: Callable[[], float] | None,
    ) -> "Settings":
        """Adds the defaults and checks the options. Raises ValueError that names every faulty option."""
        settings = cls(
            issuer=issuer,
            audience=audience,
            resource_server_id=resource_server_id,
            resource_server_secret=resource_server_secret,
            server=str(issuer if server is None else server).rstrip("/"),
            clock_tolerance=clock_tolerance,
            max_revocation_age=inf if max_revocation_age is None else max_revocation_age,
            timeout=timeout,
            on_problem=on_problem,
            now=now or time.time,
            ticks=now or time.monotonic,
        )
        faults = _faults_in(settings)
        if faults:
            raise ValueError(f"verifier options: {', '.join(faults)}")
        return settings


def _is_address(text: object) -> bool:
    if not isinstance(text, str):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _faults_in(settings: Settings) -> list[str]:
    addresses = {"issuer": settings.issuer, "server": settings.server}
    texts = {
        "audience": settings.audience,
        "resource_server_id": settings.resource_server_id,
        "resource_server_secret": settings.resource_server_secret,
    }
    limits: list[tuple[str, float, float, float]] = [
        ("clock_tolerance", settings.clock_tolerance, 0, 60),
        ("max_revocation_age", settings.max_revocation_age, 2, inf),
        ("timeout", settings.timeout, 0.01, 60),
    ]
    return [
        *(name for name, value in addresses.items() if not _is_address(value)),
        *(name for name, value in texts.items() if not isinstance(value, str) or value == ""),
        *(name for name, value, least, most in limits if not _is_within(value, least, most)),
    ]


def _is_within(value: object, least: float, most: float) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return least <= value <= most and (isfinite(value) or most == inf)
