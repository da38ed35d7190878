-- After Postgres was restored to an earlier point: nothing that was taken back since then comes to life again.
--   psql --set ON_ERROR_STOP=1 --single-transaction "$DATABASE_URL" --file scripts/after-restore.sql
-- Run it while no instance runs. Everybody signs in again, every app asks its people again, and operator tokens that
-- were made with the command line are made anew; consents, installs, apps and key sets stay as they were restored. See docs/operating.md.

-- The role may have a limit that is meant for requests.
set local statement_timeout = 0;

-- Grants that ended since then would live again as soon as their refresh token is shown.
update grants set ended_at = now(), ended_reason = 'restored' where ended_at is null;

-- Without Redis: spent codes and refresh tokens would be good again.
delete from families;
delete from records;
delete from counters;

-- Sessions that have ended since then would live again; and a password that was changed since then is the old one again.
delete from sessions;
update users set sessions_epoch = sessions_epoch + 1000000;

-- They are revoked on the database itself: nothing else remembers which ones were.
update operator_tokens set expires_at = now() where expires_at is null or expires_at > now();

insert into audit_events (type, actor_kind, actor_id, detail)
  values ('server.restored', 'operator', 'after-restore.sql', '{}');
