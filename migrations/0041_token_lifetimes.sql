-- Seconds for which the app's access tokens are valid; null: as long as those of its interface.
alter table apps add column access_token_seconds integer;

-- The longest lifetime of an access token that an instance was ever configured for: one row, which only grows.
create table longest_token_lifetime (
  id boolean primary key default true check (id),
  seconds integer not null
);
insert into longest_token_lifetime (seconds) values (7200);

-- As before; an entry is kept for as long as the longest token, and ten minutes for clocks.
create or replace function announce(kind text, subject text, person text, now_is jsonb) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('latchkey'), hashtext('revocations'));
  insert into revocations (type, subject_id, user_id, state, until)
  select kind, subject, person, now_is,
    clock_timestamp() + make_interval(secs => longest.seconds) + interval '10 minutes'
    from longest_token_lifetime longest;
end
$$;
