-- A grant without a refresh token (implicit, or answered by web message) is over when its access token is.

alter table grants add column expires_at timestamptz;

create index grants_expiry on grants (expires_at) where expires_at is not null;
