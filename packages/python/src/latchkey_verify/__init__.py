"""Verifies the tokens that a Latchkey server issues, in a data API."""

from .access import Access
from .credentials import Credential, ProvenToken, bearer_token, credential_in, legacy_credential
from .errors import InsufficientScope, ProofInvalid, TokenInvalid, VerificationError, VerificationUnavailable
from .proof_rules import PROOF_ALGORITHMS
from .requirement import IdOf, Requirement, own_organization
from .status import Problem, Status
from .verifier import Verifier

__all__ = [
    "PROOF_ALGORITHMS",
    "Access",
    "Credential",
    "IdOf",
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
    "bearer_token",
    "credential_in",
    "legacy_credential",
    "own_organization",
]
