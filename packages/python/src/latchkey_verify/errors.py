"""The reasons to refuse a request."""

from typing import ClassVar, Literal

TokenFault = Literal[
    # the credential itself
    "missing",
    "two_credentials",
    "too_long",
    "malformed",
    "header",
    "algorithm",
    "key_unknown",
    "signature",
    # its claims
    "claims",
    "issuer",
    "audience",
    "expired",
    "not_yet_valid",
    "interface",
    # revocations since it was issued
    "inactive",
    "token_revoked",
    "grant_revoked",
    "install_inactive",
    "app_inactive",
    "user_inactive",
    "not_a_member",
    "not_in_audience",
    "organization_inactive",
    "organization_not_served",
    # its key binding
    "bound_to_key",
    "key_mismatch",
]
"""The reason of a refused token. Stable words for logs and metrics, never for the caller."""

ProofFault = Literal[
    "proof_algorithm",
    "proof_key",
    "proof_malformed",
    "proof_method",
    "proof_missing",
    "proof_replayed",
    "proof_signature",
    "proof_stale",
    "proof_token",
    "proof_url",
]
"""The reason of a refused DPoP proof."""

ScopeFault = Literal["permission", "organization", "workspace"]
"""The missing right of a valid token."""

AuthenticationFault = Literal["no_user", "acr", "max_age"]
"""What the sign-in of the user lacks."""

UnavailableReason = Literal["starting", "unreachable", "refused", "bad_answer", "stale", "overloaded", "closed"]
"""The reason why a token cannot be verified at the moment."""


class VerificationError(Exception):
    """Base of all errors that refuse a request. `code` is for the caller, `reason` for the log."""

    code: str
    reason: str


class TokenInvalid(VerificationError):
    """The token is invalid for any request. The message is the same for every reason."""

    code: str = "token-invalid"
    reason: TokenFault

    def __init__(self, reason: TokenFault) -> None:
        super().__init__("the access token is missing, invalid, expired or revoked")
        self.reason = reason


class InsufficientScope(VerificationError):
    """The token is valid, but not sufficient for this request.

    `needed` has the required permissions; it is empty when an organization or a workspace is out of reach.
    """

    code: str = "insufficient_scope"
    reason: ScopeFault

    def __init__(self, reason: ScopeFault, needed: tuple[str, ...] = ()) -> None:
        super().__init__("the access token does not allow this")
        self.reason = reason
        self.needed = needed


class InsufficientAuthentication(VerificationError):
    """The token is valid, but the user has to sign in again, or in another way (RFC 9470 §3).

    `acr` has the accepted context classes, the preferred one first (empty: any); `max_age` the most seconds since the
    sign-in (None: any). The app asks for them at the authorization page.
    """

    code: str = "insufficient_user_authentication"
    reason: AuthenticationFault

    def __init__(self, reason: AuthenticationFault, acr: tuple[str, ...] = (), max_age: int | None = None) -> None:
        super().__init__("a more recent or stronger sign-in of the user is required")
        self.reason = reason
        self.acr = acr
        self.max_age = max_age


class ProofInvalid(VerificationError):
    """The sender has not proven possession of the token's key (RFC 9449 §7.1), or needs a nonce.

    `nonce` must be sent as `DPoP-Nonce`; it is None when a new nonce would not help. The error says nothing about the
    token.
    """

    reason: ProofFault

    def __init__(self, reason: ProofFault, nonce: str | None = None) -> None:
        super().__init__(
            "the DPoP proof is missing, invalid or was used before"
            if nonce is None
            else "the DPoP proof must have the nonce of the DPoP-Nonce header"
        )
        self.code = "invalid_dpop_proof" if nonce is None else "use_dpop_nonce"
        self.reason = reason
        self.nonce = nonce


class VerificationUnavailable(VerificationError):
    """The authorization server is needed but unavailable, so the request is refused. It may be repeated.

    The cause, if any, is in `__cause__`.
    """

    code: str = "temporarily_unavailable"
    reason: UnavailableReason
    retry_after: ClassVar[int] = 1
    """Seconds."""

    def __init__(self, reason: UnavailableReason, cause: BaseException | None = None) -> None:
        super().__init__("the access token cannot be verified at the moment")
        self.reason = reason
        self.__cause__ = cause
