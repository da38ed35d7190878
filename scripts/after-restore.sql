-- Run this after Postgres was restored to an earlier point, so that nothing revoked since then becomes valid again.
--   psql --set ON_ERROR_STOP=1 --single-transaction "$DATABASE_URL" --file scripts/after-restore.sql
-- Run it while no instance runs. Afterwards every user signs in again, every app asks its users again, and operator
-- tokens from the command line must be created again. Consents, installs, apps and key sets stay as restored. See
-- docs/deploying.md.

-- The role may have a statement timeout that is meant for requests.
set local statement_timeout = 0;

-- Otherwise, grants that were revoked since then would be live again as soon as their refresh token is used.
update grants set ended_at = now(), ended_reason = 'restored' where ended_at is null;

-- Without Redis: consumed codes and refresh tokens would be valid again.
delete from families;
delete from records;
delete from counters;

-- Otherwise, sessions that ended since then would be live again. Passwords changed since then are the old ones again.
delete from sessions;
update users set sessions_epoch = sessions_epoch + 1000000;

-- Operator tokens are revoked only in the database, so it is unknown which were revoked since then.
update operator_tokens set expires_at = now() where expires_at is null or expires_at > now();

insert into audit_events (type, actor_kind, actor_id, detail)
  values ('server.restored', 'operator', 'after-restore.sql', '{}');
