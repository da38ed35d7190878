"""JSON from untrusted sources, and the types of its values."""

import json
from typing import Any, TypeAlias, TypeGuard

JsonObject: TypeAlias = dict[str, Any]

_MOST_SAFE = 2**53 - 1


def is_text(value: object) -> TypeGuard[str]:
    """True for a string that is not empty."""
    return isinstance(value, str) and value != ""


def is_text_list(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def is_number(value: object) -> TypeGuard[int | float]:
    """True for a number; `True` is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_seconds(value: object) -> TypeGuard[int]:
    """True for a NumericDate as Latchkey writes it: whole seconds since 1970 (RFC 7519 §2)."""
    return is_number(value) and 0 <= value <= _MOST_SAFE and value == int(value)


def is_numeric_date(value: object) -> TypeGuard[int | float]:
    """True for any NumericDate: seconds since 1970, perhaps with a fraction."""
    return is_number(value) and 0 <= value <= _MOST_SAFE


def _refuse(_constant: str) -> Any:
    raise ValueError("not JSON")  # NaN and Infinity, which Python would accept


def _refuse_twins(pairs: list[tuple[str, Any]]) -> JsonObject:
    """Refuses an object that repeats a name: parsers differ in which value they use (RFC 8725 §2.4)."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name is repeated")
    return members


def _object_or_none(value: object) -> JsonObject | None:
    return value if isinstance(value, dict) else None


def parse_object(text: str | bytes) -> JsonObject | None:
    """Reads a JSON object of the authorization server; None for anything else."""
    try:
        read = text.decode() if isinstance(text, bytes) else text
        return _object_or_none(json.loads(read, parse_constant=_refuse))
    except (ValueError, RecursionError):
        return None


def parse_strict_object(data: bytes) -> JsonObject | None:
    """Reads a JSON object from an untrusted source; also None when an object repeats a name."""
    try:
        text = data.decode()
        return _object_or_none(json.loads(text, parse_constant=_refuse, object_pairs_hook=_refuse_twins))
    except (ValueError, RecursionError):
        return None
