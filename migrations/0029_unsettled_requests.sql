-- Requests that were answered 503 although their command may have run: the generation that they presented, their
-- nonces, and until when a code among them is accepted. The next request for that generation is no replay if one of
-- these nonces has advanced the family.
alter table grants add column unsettled jsonb;

-- Nonces of such requests, once a later request was answered: their commands may still arrive and change nothing then.
alter table families add column excused text[];

-- As before, with the nonces of unsettled requests. The function of the previous version stays for its servers.
-- A replay leaves its nonce in an expired row, so that a repeated call gets the same answer.
create function advance_family(
  family uuid, presented integer, request_nonce text, window_ms integer, deadline_ms bigint,
  spend boolean, unsettled text[]
) returns table (outcome text, reached integer, clock_ms bigint)
language plpgsql as $$
declare
  f families%rowtype;
  clock bigint;
  late_ones text[];
begin
  select * into f from families where id = family for update;
  late_ones := f.excused;
  if unsettled <> '{}' then
    -- All moves of a token share one nonce: a move that comes later is a replay.
    late_ones := coalesce(late_ones, '{}') || array_remove(unsettled, 'moving');
    late_ones := late_ones[greatest(1, cardinality(late_ones) - 63):];
  end if;
  clock := floor(extract(epoch from clock_timestamp()) * 1000);
  -- This very request has run before and its reply was lost. Nothing changes, so the deadline does not matter.
  if spend and presented = f.generation - 1 and f.nonce = request_nonce then
    return query select 'advanced', f.generation, clock;
  elsif clock > deadline_ms then
    return query select 'late', 0, clock;
  elsif f.generation = -1 and (f.nonce = request_nonce or f.nonce = any(unsettled)) then
    return query select 'replayed', presented, clock;
  elsif f.id is null or f.expires_at <= clock_timestamp() then
    return query select 'absent', 0, clock;
  elsif presented = f.generation then
    if spend then
      update families set generation = f.generation + 1, nonce = request_nonce,
        advanced_at = clock_timestamp(), expires_at = null, excused = late_ones
       where id = family;
    end if;
    return query select case when spend then 'advanced' else 'live' end,
      f.generation + spend::integer, clock;
  elsif presented = f.generation - 1 and f.nonce = any(unsettled) then
    -- An unsettled request has advanced the family and its caller was not given the successor: this caller is.
    if spend then
      update families set nonce = request_nonce, advanced_at = clock_timestamp(),
        excused = late_ones
       where id = family;
    end if;
    return query select case when spend then 'advanced' else 'live' end, f.generation, clock;
  elsif presented = f.generation - 1 and presented > 0 and window_ms > 0
    and f.advanced_at + make_interval(secs => window_ms / 1000.0) > clock_timestamp() then
    return query select case when spend then 'repeated' else 'live' end, f.generation, clock;
  elsif request_nonce = any(f.excused) then
    return query select 'excused', 0, clock;
  else
    update families set generation = -1, nonce = request_nonce, expires_at = clock_timestamp()
     where id = family;
    return query select 'replayed', f.generation, clock;
  end if;
end
$$;
