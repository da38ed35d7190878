"""The options of a verifier, checked and complete."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from .errors import VerificationUnavailable

OnProblem: TypeAlias = Callable[[VerificationUnavailable], object]
RememberProof: TypeAlias = Callable[[str, int], bool | None | Awaitable[bool | None]]
Mode: TypeAlias = Literal["local", "introspect"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Times are in seconds. `VerifierOptions` describes the options."""

    issuer: str
    audience: str
    resource_server_id: str
    resource_server_secret: str
    server: str
    mode: Mode
    clock_tolerance: float
    max_revocation_age: float
    active_for: float
    inactive_for: float
    timeout: float
    keys_interval: float
    cache_size: int
    max_token_length: int
    max_proofs: int
    usage: bool
    remember_proof: RememberProof | None
    on_problem: OnProblem | None
    now: Callable[[], float]
    """Seconds since 1970."""
    ticks: Callable[[], float]
    """Seconds of a monotonic clock, for durations."""


def _is_address(text: object) -> bool:
    if not isinstance(text, str):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _is_within(value: object, least: float, most: float) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return least <= value <= most and (isfinite(value) or most == inf)


def check_settings(settings: Settings) -> Settings:
    """Raises ValueError that names every faulty option."""
    addresses = {"issuer": settings.issuer, "server": settings.server}
    texts = {
        "audience": settings.audience,
        "resource_server_id": settings.resource_server_id,
        "resource_server_secret": settings.resource_server_secret,
    }
    limits: list[tuple[str, float, float, float]] = [
        ("clock_tolerance", settings.clock_tolerance, 0, 60),
        ("max_revocation_age", settings.max_revocation_age, 2, inf),
        ("active_for", settings.active_for, 0, 60),
        ("inactive_for", settings.inactive_for, 0, 60),
        ("timeout", settings.timeout, 0.01, 60),
        ("keys_interval", settings.keys_interval, 0.01, 3600),
        ("cache_size", settings.cache_size, 1, 10_000_000),
        ("max_token_length", settings.max_token_length, 1, 1_000_000),
        ("max_proofs", settings.max_proofs, 1, 10_000_000),
    ]
    faults = [
        *(name for name, value in addresses.items() if not _is_address(value)),
        *(name for name, value in texts.items() if not isinstance(value, str) or value == ""),
        *([] if isinstance(settings.usage, bool) else ["usage"]),
        *(["mode"] if settings.mode not in ("local", "introspect") else []),
        *(name for name, value, least, most in limits if not _is_within(value, least, most)),
    ]
    if faults:
        raise ValueError(f"verifier options: {', '.join(faults)}")
    return settings
