-- Tokens that are good with their key only (DPoP, RFC 9449).

-- Must the app prove a key with each token request (§5.2)? Off unless the operator demands it.
alter table apps add column dpop_bound_access_tokens boolean not null default false;

-- Thumbprint (RFC 7638) of the key to which a code, or the refresh tokens of a public client, are bound; null: to none.
alter table grants add column dpop_jkt text;
