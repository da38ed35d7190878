"""Verifies the tokens that a Latchkey server issues, in a data API."""

from .access import Access
from .actors import Actor
from .answers import HttpAnswer, answer_to, challenge, legacy_error
from .async_verifier import AsyncVerifier
from .credentials import Credential, ProvenToken, bearer_token, credential_in, legacy_credential
from .errors import (
    InsufficientAuthentication,
    InsufficientScope,
    ProofInvalid,
    TokenInvalid,
    VerificationError,
    VerificationUnavailable,
)
from .proof_rules import PROOF_ALGORITHMS
from .requirement import IdOf, Requirement, own_organization
from .status import Problem, Status
from .verifier import Verifier

__all__ = [
    "PROOF_ALGORITHMS",
    "Access",
    "Actor",
    "AsyncVerifier",
    "Credential",
    "HttpAnswer",
    "IdOf",
    "InsufficientAuthentication",
    "InsufficientScope",
    "Problem",
    "ProofInvalid",
    "ProvenToken",
    "Requirement",
    "Status",
    "TokenInvalid",
    "VerificationError",
    "VerificationUnavailable",
    "Verifier",
    "answer_to",
    "bearer_token",
    "challenge",
    "credential_in",
    "legacy_credential",
    "legacy_error",
    "own_organization",
]
