"""The options of both verifiers."""

import time
from collections.abc import Callable
from math import inf
from typing import Generic, TypeVar

from .settings import Mode, OnProblem, RememberProof, Settings, check_settings

Client = TypeVar("Client")


class Configured(Generic[Client]):
    def __init__(
        self,
        *,
        issuer: str,
        audience: str,
        resource_server_id: str,
        resource_server_secret: str,
        server: str | None = None,
        mode: Mode = "local",
        clock_tolerance: float = 30,
        max_revocation_age: float | None = None,
        active_for: float = 5,
        inactive_for: float = 1,
        timeout: float = 2,
        keys_interval: float = 5,
        cache_size: int = 10_000,
        max_token_length: int = 16_384,
        max_proofs: int = 500_000,
        usage: bool = True,
        remember_proof: RememberProof | None = None,
        on_problem: OnProblem | None = None,
        http_client: Callable[[], Client] | None = None,
        now: Callable[[], float] | None = None,
    ) -> None:
        """Raises ValueError that names every faulty option. Times are in seconds.

        Args:
            issuer: `iss` of the tokens and the address of the authorization server.
            audience: `aud` of the tokens: the server's `TOKEN_AUDIENCE`.
            resource_server_id: from the operator: `latchkey resource-server create`.
            resource_server_secret: its secret.
            server: base address for requests of this library, when the issuer's address is not reachable from here.
            mode: `introspect` asks the server about every new token, and reads no keys.
            clock_tolerance: tolerated clock difference, 0 to 60.
            max_revocation_age: time without news of revocations after which tokens are refused, at least 2; default: never.
            active_for: time for which the answer about an active token is reused, at most 60.
            inactive_for: the same for an inactive token.
            timeout: time within which the server must answer, also for a verification that waits for the first state.
            keys_interval: minimum between two reads of the signing keys for an unknown key.
            cache_size: cached tokens of each kind.
            max_token_length: in characters.
            max_proofs: proofs that a process remembers. Beyond that, it refuses further ones.
            usage: reports to the server how often which app was granted which permission, in which organization.
            remember_proof: called for each proof with an id and the seconds for which it could be replayed; returns true for
                a new one. By default each process remembers its own proofs. Several processes need a shared memory.
            on_problem: called with each failed request to the server; default: each new problem is logged once.
            http_client: makes the client for all requests, for example with a proxy.
            now: seconds since 1970; default: the system clock.
        """
        self._http_client = http_client
        self._settings = check_settings(
            Settings(
                issuer=issuer,
                audience=audience,
                resource_server_id=resource_server_id,
                resource_server_secret=resource_server_secret,
                server=str(issuer if server is None else server).rstrip("/"),
                mode=mode,
                clock_tolerance=clock_tolerance,
                max_revocation_age=inf if max_revocation_age is None else max_revocation_age,
                active_for=active_for,
                inactive_for=inactive_for,
                timeout=timeout,
                keys_interval=keys_interval,
                cache_size=cache_size,
                max_token_length=max_token_length,
                max_proofs=max_proofs,
                usage=usage,
                remember_proof=remember_proof,
                on_problem=on_problem,
                now=now or time.time,
                ticks=now or time.monotonic,
            )
        )
