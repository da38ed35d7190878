"""Verifies the tokens that a Latchkey server issues, in a data API."""

from .access import Access
from .authorize import authorize
from .credentials import bearer_token, legacy_credential
from .errors import InsufficientScope, TokenInvalid, VerificationError, VerificationUnavailable
from .verifier import Verifier

__all__ = [
    "Access",
    "InsufficientScope",
    "TokenInvalid",
    "VerificationError",
    "VerificationUnavailable",
    "Verifier",
    "authorize",
    "bearer_token",
    "legacy_credential",
]
