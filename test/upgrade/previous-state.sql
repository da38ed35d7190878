--
-- PostgreSQL database dump
--

\restrict FzCdZu3aTDsS0hrtcK22aLQgeC1iJdYEM63Wk8fKq9i84P0HmQtfS8OrUehMIOb

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: advance_family(uuid, integer, text, integer, bigint, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.advance_family(family uuid, presented integer, request_nonce text, window_ms integer, deadline_ms bigint, spend boolean) RETURNS TABLE(outcome text, reached integer, clock_ms bigint)
    LANGUAGE plpgsql
    AS $$
declare
  f families%rowtype;
  clock bigint := floor(extract(epoch from clock_timestamp()) * 1000);
begin
  select * into f from families where id = family for update;
  clock := floor(extract(epoch from clock_timestamp()) * 1000);
  if clock > deadline_ms then
    return query select 'late', 0, clock;
  elsif f.id is null or f.expires_at <= clock_timestamp() then
    return query select 'absent', 0, clock;
  elsif presented = f.generation then
    if spend then
      update families set generation = f.generation + 1, nonce = request_nonce,
        advanced_at = clock_timestamp(), expires_at = null where id = family;
    end if;
    return query select case when spend then 'advanced' else 'live' end,
      f.generation + spend::integer, clock;
  elsif presented = f.generation - 1 and spend and f.nonce = request_nonce then
    return query select 'advanced', f.generation, clock;
  elsif presented = f.generation - 1 and presented > 0 and window_ms > 0
    and f.advanced_at + make_interval(secs => window_ms / 1000.0) > clock_timestamp() then
    return query select case when spend then 'repeated' else 'live' end, f.generation, clock;
  else
    delete from families where id = family;
    return query select 'replayed', f.generation, clock;
  end if;
end
$$;


--
-- Name: advance_family(uuid, integer, text, integer, bigint, boolean, text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.advance_family(family uuid, presented integer, request_nonce text, window_ms integer, deadline_ms bigint, spend boolean, unsettled text[]) RETURNS TABLE(outcome text, reached integer, clock_ms bigint)
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: announce(text, text, text, jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.announce(kind text, subject text, person text, now_is jsonb) RETURNS void
    LANGUAGE sql
    AS $$
  select announce_to(null, null, kind, subject, person, now_is)
$$;


--
-- Name: announce_to(text[], text[], text, text, text, jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.announce_to(organizations text[], audience text[], kind text, subject text, person text, now_is jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_advisory_xact_lock(hashtext('latchkey'), hashtext('revocations'));
  insert into revocations (type, subject_id, user_id, state, organization_ids, audiences, until)
  select kind, subject, person, now_is, organizations, audience,
    clock_timestamp() + make_interval(secs => longest.seconds) + interval '10 minutes'
    from longest_token_lifetime longest;
end
$$;


--
-- Name: app_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.app_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(
    case tg_op when 'DELETE' then remembered_organizations('client_id' || old.client_id)
      else organizations_of_app(new.client_id) end,
    null, 'app', coalesce(new.client_id, old.client_id), null, jsonb_build_object(
    'active', new.client_id is not null and new.disabled_at is null,
    'permissions', coalesce(new.permissions, '{}'),
    'epoch', coalesce(new.families_epoch, old.families_epoch)));
  return null;
end
$$;


--
-- Name: connection_ended(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.connection_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(array[new.organization_id], null, 'connection', new.organization_id, new.user_id, jsonb_build_object(
    'active', true, 'client_id', new.client_id, 'epoch', new.epoch));
  return null;
end
$$;


--
-- Name: continue_user(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.continue_user() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.credentials_epoch := coalesce((
    select (state->>'epoch')::integer + 1 from revocations
     where type = 'user' and subject_id = new.id and until > now()
     order by id desc limit 1), new.credentials_epoch);
  return new;
end
$$;


--
-- Name: grant_ended(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.grant_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(array[new.organization_id], null, 'grant', new.id::text, null, '{"active": false}');
  return null;
end
$$;


--
-- Name: has_gone(text, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.has_gone(kind text, subject text, person text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select exists (select 1 from revocations
    where type = kind and subject_id = subject and user_id = person and until > now())
$$;


--
-- Name: install_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.install_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(array[new.organization_id], null, 'install', new.id, null, jsonb_build_object(
    'active', new.suspended_at is null and new.ended_at is null,
    'permissions', new.permissions, 'workspace_ids', new.workspace_ids));
  return null;
end
$$;


--
-- Name: install_deleted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.install_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if old.ended_at is null and exists (select 1 from apps where client_id = old.client_id) then
    perform announce('install', old.id, null,
      '{"active": false, "permissions": [], "workspace_ids": []}');
  end if;
  return null;
end
$$;


--
-- Name: keep_left_families(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_left_families() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into left_families select id from gone on conflict do nothing;
  return null;
end
$$;


--
-- Name: key_set_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.key_set_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(array[old.organization_id], null, 'key_set', old.client_id, null,
    jsonb_build_object('active', new.id is not null));
  return null;
end
$$;


--
-- Name: key_set_secret_retired(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.key_set_secret_retired() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(array[organization_id], null, 'key_set', client_id, null, '{"active": true}')
    from key_sets where id = new.key_set_id;
  return null;
end
$$;


--
-- Name: logo_released(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.logo_released() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' or new.logo_digest is distinct from old.logo_digest then
    update logos set released_at = now() where digest = old.logo_digest;
  end if;
  return null;
end $$;


--
-- Name: logo_requested(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.logo_requested() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' or new.logo_uri is distinct from old.logo_uri then
    new.logo_digest := null;
    new.logo_etag := null;
    new.logo_fault := null;
    new.logo_attempts := 0;
    new.logo_due_at := case when new.logo_uri is not null then now() end;
  end if;
  return new;
end $$;


--
-- Name: mark_admins(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_admins(organization text) RETURNS void
    LANGUAGE sql
    AS $$
  update organizations set admins_changed_at = clock_timestamp() where id in (
    select id from organizations where id = organization for no key update skip locked);
$$;


--
-- Name: mark_admins_of_member(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_admins_of_member() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform mark_admins(coalesce(new.organization_id, old.organization_id));
  return null;
end
$$;


--
-- Name: mark_kept_groups(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_kept_groups() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform mark_workspaces(old.kept_workspaces);
  if old.kept_role = 'admin' then
    perform mark_admins(old.organization_id);
  end if;
  return null;
end
$$;


--
-- Name: mark_renamed_workspace(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_renamed_workspace() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;


--
-- Name: mark_workspaces(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_workspaces(ids text[]) RETURNS void
    LANGUAGE sql
    AS $$
  update workspaces set changed_at = clock_timestamp() where id in (
    select id from workspaces where id = any(ids) order by id for no key update skip locked);
$$;


--
-- Name: mark_workspaces_of_members(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_workspaces_of_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform mark_workspaces((select array_agg(distinct workspace_id) from changed));
  return null;
end
$$;


--
-- Name: member_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.member_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    if has_gone('member', new.organization_id, new.user_id) then
      perform announce_to(array[new.organization_id], null, 'member', new.organization_id, new.user_id, '{"active": true}');
    end if;
  -- A deleted organization or user has an entry of its own.
  elsif exists (select 1 from organizations where id = old.organization_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce_to(array[old.organization_id], null, 'member', old.organization_id, old.user_id, '{"active": false}');
  end if;
  return null;
end
$$;


--
-- Name: organization_created(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.organization_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select 1 from revocations
    where type = 'organization' and subject_id = new.id and until > now()) then
    perform announce('organization', new.id, null, '{"active": true}');
  end if;
  return null;
end
$$;


--
-- Name: organization_deleted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.organization_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(array[old.id], null, 'organization', old.id, null, '{"active": false}');
  return null;
end
$$;


--
-- Name: organizations_of_app(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.organizations_of_app(client text) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
  select case when count(*) <= 1000 then coalesce(array_agg(organization_id), '{}') end
    from (select distinct organization_id from installs where client_id = client limit 1001) known
$$;


--
-- Name: organizations_of_user(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.organizations_of_user(person text) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
  select case when count(*) <= 1000 then coalesce(array_agg(organization_id), '{}') end
    from (select organization_id from members where user_id = person
          union select organization_id from grants where user_id = person limit 1001) known
$$;


--
-- Name: profile_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.profile_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.profile_updated_at := now();
  return new;
end
$$;


--
-- Name: refuse_test_person(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_test_person() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select from test_people p where p.user_id = new.user_id
      and p.organization_id is distinct from to_jsonb(new) ->> 'organization_id') then
    raise foreign_key_violation using message = 'a test person belongs to a sandbox only';
  end if;
  return new;
end $$;


--
-- Name: remember_organizations(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.remember_organizations() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  kept text := coalesce(nullif(current_setting('latchkey.organizations', true), ''), '{}');
  subject text := to_jsonb(old) ->> tg_argv[0];
  known text[] := case tg_argv[0] when 'client_id' then organizations_of_app(subject) else organizations_of_user(subject) end;
begin
  if length(kept) < 100000 then
    perform set_config('latchkey.organizations',
      (kept::jsonb || jsonb_build_object(tg_argv[0] || subject, known))::text, true);
  end if;
  return old;
end
$$;


--
-- Name: remembered_organizations(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.remembered_organizations(subject text) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
  select case jsonb_typeof(kept -> subject) when 'array'
    then array(select jsonb_array_elements_text(kept -> subject)) end
    from (select coalesce(nullif(current_setting('latchkey.organizations', true), ''), '{}')::jsonb as kept) setting
$$;


--
-- Name: set_connection_epoch(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.set_connection_epoch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  gone integer;
begin
  new.connection_epoch := (
    select epoch from connection_epochs
     where user_id = new.user_id and client_id = new.client_id and organization_id = new.organization_id);
  if new.connection_epoch is not null then return new; end if;
  gone := (select max((state->>'epoch')::integer) from revocations
    where type = 'connection' and subject_id = new.organization_id and user_id = new.user_id
      and state->>'client_id' = new.client_id and until > now());
  if gone is null then
    new.connection_epoch := 0;
  else
    -- Stored, so that the next end of the connection is a higher epoch.
    insert into connection_epochs as known (user_id, client_id, organization_id, epoch)
    values (new.user_id, new.client_id, new.organization_id, gone)
    on conflict (user_id, client_id, organization_id)
      do update set epoch = greatest(known.epoch, excluded.epoch)
    returning epoch into new.connection_epoch;
  end if;
  return new;
end
$$;


--
-- Name: test_person_gone(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.test_person_gone() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from users where id = old.user_id;
  return null;
end $$;


--
-- Name: token_revoked(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.token_revoked() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(case when new.organization_id is not null then array[new.organization_id] end, new.audiences,
    'token', new.jti, null, '{"active": false}');
  return null;
end
$$;


--
-- Name: user_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.user_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce_to(
    case tg_op when 'DELETE' then remembered_organizations('id' || old.id) else organizations_of_user(new.id) end,
    null, 'user', coalesce(new.id, old.id), null, jsonb_build_object(
    'active', new.id is not null and new.disabled_at is null,
    'epoch', coalesce(new.credentials_epoch, old.credentials_epoch)));
  return null;
end
$$;


--
-- Name: user_created(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.user_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  gone integer := (select (state->>'epoch')::integer from revocations
    where type = 'user' and subject_id = new.id and until > now() order by id desc limit 1);
begin
  if gone is null then return null; end if;
  if new.credentials_epoch <= gone then
    -- The trigger on updates announces it.
    update users set credentials_epoch = gone + 1 where id = new.id;
  else
    perform announce('user', new.id, null, jsonb_build_object(
      'active', new.disabled_at is null, 'epoch', new.credentials_epoch));
  end if;
  return null;
end
$$;


--
-- Name: web_origins(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.web_origins(uris text[]) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
begin
  return array(select substring(uri from '^[a-z][a-z0-9+.-]*://[^/?#]*') from unnest(uris) as uri);
end
$$;


--
-- Name: workspace_created(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.workspace_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select 1 from revocations
    where type = 'workspace' and subject_id = new.id and until > now()) then
    perform announce('workspace', new.id, null, jsonb_build_object(
      'active', true, 'since', floor(extract(epoch from clock_timestamp()))::bigint));
  end if;
  return null;
end
$$;


--
-- Name: workspace_deleted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.workspace_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select 1 from organizations where id = old.organization_id) then
    perform announce_to(array[old.organization_id], null, 'workspace', old.id, null, '{"active": false}');
  end if;
  return null;
end
$$;


--
-- Name: workspace_member_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.workspace_member_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    if has_gone('workspace_member', new.workspace_id, new.user_id) then
      perform announce_to(array(select organization_id from workspaces where id = new.workspace_id), null,
        'workspace_member', new.workspace_id, new.user_id, '{"active": true}');
    end if;
  elsif exists (select 1 from workspaces where id = old.workspace_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce_to(array(select organization_id from workspaces where id = old.workspace_id), null,
      'workspace_member', old.workspace_id, old.user_id, '{"active": false}');
  end if;
  return null;
end
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: app_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_changes (
    id text NOT NULL,
    client_id text NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    reason text,
    requested_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    decision text,
    note text,
    CONSTRAINT app_changes_check CHECK (((decided_at IS NULL) = (decision IS NULL))),
    CONSTRAINT app_changes_decision_check CHECK ((decision = ANY (ARRAY['approve'::text, 'refuse'::text])))
);


--
-- Name: app_owners; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_owners (
    client_id text NOT NULL,
    user_id text NOT NULL,
    "position" smallint NOT NULL
);


--
-- Name: app_reviews; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_reviews (
    id text NOT NULL,
    client_id text NOT NULL,
    host text NOT NULL,
    document jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    decision text,
    CONSTRAINT app_reviews_decision_check CHECK ((decision = ANY (ARRAY['approve'::text, 'refuse'::text])))
);


--
-- Name: app_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_secrets (
    id text NOT NULL,
    client_id text NOT NULL,
    digest bytea NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    digest_key_id text
);


--
-- Name: app_twins; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_twins (
    legacy_client_id text NOT NULL,
    client_id text NOT NULL,
    worth jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: apps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.apps (
    client_id text NOT NULL,
    name text NOT NULL,
    interface text NOT NULL,
    client_type text NOT NULL,
    redirect_uris text[] NOT NULL,
    permissions text[] NOT NULL,
    description text,
    logo_uri text,
    homepage_uri text,
    jwks jsonb,
    retry_window_seconds integer DEFAULT 0 NOT NULL,
    families_epoch integer DEFAULT 0 NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    openid boolean DEFAULT false NOT NULL,
    post_logout_redirect_uris text[] DEFAULT '{}'::text[] NOT NULL,
    device_flow boolean DEFAULT false NOT NULL,
    dpop_bound_access_tokens boolean DEFAULT false NOT NULL,
    reviewed_at timestamp with time zone,
    location text,
    kind text,
    publisher text,
    access_token_seconds integer,
    id_token_signed_response_alg text DEFAULT 'ES256'::text NOT NULL,
    pkce_required boolean DEFAULT true NOT NULL,
    require_pushed_authorization_requests boolean DEFAULT false NOT NULL,
    security_profile text DEFAULT 'none'::text NOT NULL,
    jwks_uri text,
    workloads jsonb DEFAULT '[]'::jsonb NOT NULL,
    may_act text[] DEFAULT '{}'::text[] NOT NULL,
    identity_assertions boolean DEFAULT false NOT NULL,
    listed boolean DEFAULT false NOT NULL,
    setup_uri text,
    logo_digest text,
    logo_due_at timestamp with time zone,
    logo_attempts smallint DEFAULT 0 NOT NULL,
    policy_uri text,
    tos_uri text,
    logo_etag text,
    logo_fault text,
    CONSTRAINT apps_client_type_check CHECK ((client_type = ANY (ARRAY['confidential'::text, 'public'::text]))),
    CONSTRAINT apps_interface_check CHECK ((interface = ANY (ARRAY['legacy'::text, 'current'::text]))),
    CONSTRAINT apps_retry_window_seconds_check CHECK (((retry_window_seconds >= 0) AND (retry_window_seconds <= 60)))
);


--
-- Name: asserted_connections; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.asserted_connections (
    user_id text NOT NULL,
    client_id text NOT NULL,
    organization_id text NOT NULL,
    install_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: asserted_subjects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.asserted_subjects (
    organization_id text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: audit_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_events (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    type text NOT NULL,
    actor_kind text NOT NULL,
    actor_id text,
    organization_id text,
    client_id text,
    user_id text,
    address text,
    request_id text,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT audit_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'client'::text, 'operator'::text, 'system'::text, 'anonymous'::text])))
);


--
-- Name: audit_events_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.audit_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: client_documents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.client_documents (
    client_id text NOT NULL,
    scopes text[] NOT NULL,
    etag text,
    read_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone NOT NULL,
    failing_since timestamp with time zone
);


--
-- Name: client_hosts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.client_hosts (
    host text NOT NULL,
    policy text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT client_hosts_policy_check CHECK ((policy = ANY (ARRAY['review'::text, 'refuse'::text])))
);


--
-- Name: connection_epochs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.connection_epochs (
    user_id text NOT NULL,
    client_id text NOT NULL,
    organization_id text NOT NULL,
    epoch integer NOT NULL
);


--
-- Name: consents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.consents (
    user_id text NOT NULL,
    organization_id text NOT NULL,
    client_id text NOT NULL,
    install_id text NOT NULL,
    offered text[] NOT NULL,
    permissions text[] NOT NULL,
    workspace_ids text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    openid_scopes text[] DEFAULT '{}'::text[] NOT NULL,
    offered_workspace_ids text[],
    last_used_at timestamp with time zone,
    resources text[],
    expires_at timestamp with time zone,
    idle_seconds integer
);


--
-- Name: counters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.counters (
    key text NOT NULL,
    count integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: delegations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.delegations (
    install_id text NOT NULL,
    user_id text,
    actor_install_id text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    last_day date NOT NULL
);


--
-- Name: families; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.families (
    id uuid NOT NULL,
    generation integer NOT NULL,
    nonce text DEFAULT ''::text NOT NULL,
    advanced_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone,
    excused text[]
);


--
-- Name: grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.grants (
    id uuid NOT NULL,
    user_id text NOT NULL,
    client_id text NOT NULL,
    organization_id text NOT NULL,
    install_id text NOT NULL,
    app_epoch integer NOT NULL,
    user_epoch integer NOT NULL,
    permissions text[] NOT NULL,
    workspace_ids text[],
    redirect_uri text NOT NULL,
    code_challenge text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    ended_at timestamp with time zone,
    ended_reason text,
    used boolean DEFAULT false NOT NULL,
    openid jsonb,
    expires_at timestamp with time zone,
    moved_from text,
    moved_generation integer,
    dpop_jkt text,
    claimed_by text,
    connection_epoch integer,
    unsettled jsonb,
    resources text[],
    auth_time bigint,
    acr text
)
WITH (fillfactor='85');


--
-- Name: identity_providers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.identity_providers (
    organization_id text NOT NULL,
    issuer text NOT NULL,
    client_ids text[],
    jwks_uri text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: install_requests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.install_requests (
    id text NOT NULL,
    organization_id text NOT NULL,
    client_id text NOT NULL,
    user_id text NOT NULL,
    permissions text[] NOT NULL,
    reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    decided_by text,
    decision text,
    reminded_at timestamp with time zone
);


--
-- Name: installs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.installs (
    id text NOT NULL,
    organization_id text NOT NULL,
    client_id text NOT NULL,
    permissions text[] NOT NULL,
    workspace_ids text[],
    installed_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    suspended_at timestamp with time zone,
    ended_at timestamp with time zone,
    declined_permissions text[] DEFAULT '{}'::text[] NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    idle_seconds integer,
    suspended_all_at timestamp with time zone
);


--
-- Name: key_set_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_set_secrets (
    id text NOT NULL,
    key_set_id text NOT NULL,
    digest bytea NOT NULL,
    sealed bytea,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    endless_token_seen_at timestamp with time zone,
    digest_key_id text
);


--
-- Name: key_sets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_sets (
    id text NOT NULL,
    client_id text NOT NULL,
    organization_id text NOT NULL,
    interface text NOT NULL,
    name text NOT NULL,
    description text,
    permissions text[] NOT NULL,
    created_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    workspace_ids text[],
    workloads jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT key_sets_interface_check CHECK ((interface = ANY (ARRAY['legacy'::text, 'current'::text])))
);


--
-- Name: left_families; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.left_families (
    id uuid NOT NULL
);


--
-- Name: logos; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.logos (
    digest text NOT NULL,
    image bytea NOT NULL,
    released_at timestamp with time zone
);


--
-- Name: longest_token_lifetime; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.longest_token_lifetime (
    id boolean DEFAULT true NOT NULL,
    seconds integer NOT NULL,
    CONSTRAINT longest_token_lifetime_id_check CHECK (id)
);


--
-- Name: mail_choices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_choices (
    user_id text NOT NULL,
    category text NOT NULL
);


--
-- Name: mail_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_events (
    id text NOT NULL,
    type text NOT NULL,
    organization_id text,
    client_id text,
    user_id text,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: mail_service; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_service (
    id boolean DEFAULT true NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT mail_service_id_check CHECK (id)
);


--
-- Name: mails; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mails (
    user_id text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    category text NOT NULL,
    organization_id text,
    client_id text,
    detail jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    next_attempt_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    claim text,
    bundle text,
    sent_at timestamp with time zone,
    last_error text
);


--
-- Name: members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.members (
    organization_id text NOT NULL,
    user_id text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);


--
-- Name: migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migrations (
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: operator_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operator_tokens (
    id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    digest_key_id text,
    permissions text[] DEFAULT '{*}'::text[] NOT NULL,
    organization_ids text[]
);


--
-- Name: operators; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operators (
    user_id text NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: organization_policies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.organization_policies (
    organization_id text NOT NULL,
    connect text NOT NULL,
    default_expires_days integer,
    default_idle_days integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organization_policies_connect_check CHECK ((connect = ANY (ARRAY['all'::text, 'installed'::text, 'ask'::text])))
);


--
-- Name: organizations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.organizations (
    id text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    logo_uri text,
    accent text,
    logo_digest text,
    logo_due_at timestamp with time zone,
    logo_attempts smallint DEFAULT 0 NOT NULL,
    logo_etag text,
    logo_fault text,
    admins_changed_at timestamp with time zone
);


--
-- Name: passkeys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkeys (
    id text NOT NULL,
    user_id text NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone
);


--
-- Name: permission_catalogue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.permission_catalogue (
    is_only boolean DEFAULT true NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT permission_catalogue_is_only_check CHECK (is_only)
);


--
-- Name: permissions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.permissions (
    interface text NOT NULL,
    name text NOT NULL,
    sentence jsonb NOT NULL,
    heading text NOT NULL,
    mark text,
    read_permission boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT permissions_heading_check CHECK ((heading = ANY (ARRAY['read'::text, 'write'::text, 'people'::text, 'structure'::text, 'other'::text]))),
    CONSTRAINT permissions_interface_check CHECK ((interface = ANY (ARRAY['legacy'::text, 'current'::text]))),
    CONSTRAINT permissions_mark_check CHECK ((mark = ANY (ARRAY['personal_data'::text, 'data_loss'::text, 'whole_organization'::text])))
);


--
-- Name: records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.records (
    collection text NOT NULL,
    key text NOT NULL,
    state text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: reminders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reminders (
    id text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: resource_servers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.resource_servers (
    client_id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    digest_key_id text,
    resource text[],
    permissions text[],
    organization_ids text[]
);


--
-- Name: revocations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.revocations (
    id bigint NOT NULL,
    tag uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    subject_id text NOT NULL,
    user_id text,
    state jsonb NOT NULL,
    until timestamp with time zone NOT NULL,
    organization_ids text[],
    audiences text[]
);


--
-- Name: revocations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.revocations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.revocations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: revoked_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.revoked_tokens (
    jti text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    organization_id text,
    audiences text[]
);


--
-- Name: rsa_signing_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rsa_signing_keys (
    kid text NOT NULL,
    alg text NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed_private_key bytea NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    activated_at timestamp with time zone,
    retired_at timestamp with time zone,
    CONSTRAINT rsa_signing_keys_status_check CHECK ((status = ANY (ARRAY['next'::text, 'active'::text, 'retired'::text])))
);


--
-- Name: sandboxes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sandboxes (
    organization_id text NOT NULL,
    owner_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: scim_groups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scim_groups (
    workspace_id text NOT NULL,
    external_id text,
    is_own boolean NOT NULL
);


--
-- Name: scim_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scim_tokens (
    id text NOT NULL,
    organization_id text NOT NULL,
    name text NOT NULL,
    group_kind text NOT NULL,
    digest bytea NOT NULL,
    digest_key_id text,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    is_limited boolean DEFAULT false NOT NULL,
    CONSTRAINT scim_tokens_group_kind_check CHECK ((group_kind = ANY (ARRAY['workspaces'::text, 'roles'::text])))
);


--
-- Name: scim_users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scim_users (
    organization_id text NOT NULL,
    user_id text NOT NULL,
    user_name text NOT NULL,
    external_id text,
    attributes jsonb NOT NULL,
    kept_role text,
    kept_workspaces text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT scim_users_kept_role_check CHECK ((kept_role = ANY (ARRAY['admin'::text, 'member'::text])))
);


--
-- Name: security_notices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.security_notices (
    id bigint NOT NULL,
    user_id text NOT NULL,
    type text NOT NULL,
    actor_id text,
    session_id text,
    address text,
    organization_id text,
    client_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: security_notices_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.security_notices ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.security_notices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    id text NOT NULL,
    lineage_hash text NOT NULL,
    token_hash text NOT NULL,
    user_id text NOT NULL,
    credentials_epoch integer NOT NULL,
    sessions_epoch integer NOT NULL,
    methods text[] NOT NULL,
    passkey_ids text[] NOT NULL,
    authenticated_at bigint NOT NULL,
    address text,
    browser text,
    system text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: sign_in_places; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_places (
    user_id text NOT NULL,
    place text NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: signing_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.signing_keys (
    kid text NOT NULL,
    alg text NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed_private_key bytea NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    activated_at timestamp with time zone,
    retired_at timestamp with time zone,
    CONSTRAINT signing_keys_status_check CHECK ((status = ANY (ARRAY['next'::text, 'active'::text, 'retired'::text])))
);


--
-- Name: test_people; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.test_people (
    user_id text NOT NULL,
    organization_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: token_reaches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token_reaches (
    id text NOT NULL,
    workspace_ids text[] NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: usage_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage_days (
    organization_id text NOT NULL,
    day date NOT NULL,
    client_id text NOT NULL,
    outcome text NOT NULL,
    reason text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT usage_days_count_check CHECK ((count > 0)),
    CONSTRAINT usage_days_outcome_check CHECK ((outcome = ANY (ARRAY['issued'::text, 'refused'::text])))
);


--
-- Name: user_identities; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id text NOT NULL,
    email_verified boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    credentials_epoch integer DEFAULT 0 NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sessions_epoch integer DEFAULT 0 NOT NULL,
    verified_email text,
    profile_updated_at timestamp with time zone DEFAULT now(),
    provisioned_by text,
    locale text,
    has_signed_in boolean DEFAULT false NOT NULL,
    created_by_token text
);


--
-- Name: webhook_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_deliveries (
    webhook_id text NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    organization_id text,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_attempt_at timestamp with time zone,
    last_status integer,
    last_error text,
    next_attempt_at timestamp with time zone DEFAULT now(),
    delivered_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_check CHECK (((next_attempt_at IS NULL) OR (delivered_at IS NULL)))
);


--
-- Name: webhook_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_secrets (
    id text NOT NULL,
    webhook_id text NOT NULL,
    sealed bytea NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone
);


--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhooks (
    id text NOT NULL,
    url text NOT NULL,
    client_id text,
    events text[],
    description text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    CONSTRAINT webhooks_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
    CONSTRAINT webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['operator'::text, 'gone'::text, 'failing'::text])))
);


--
-- Name: workspace_members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspace_members (
    workspace_id text NOT NULL,
    user_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspaces (
    id text NOT NULL,
    organization_id text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone
);


--
-- Data for Name: app_changes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: app_owners; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: app_reviews; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: app_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.app_secrets VALUES
	('sec0C0aLs3UAavM403mNw', 'app13jQeB1mxWPl4Bzrc2', '\xcd566c87b845fefcdd8f8f46f7829c4712640199f42ef068f07e5c2707d0dd98', '…Jctc', '2026-11-29 07:54:52.361412+00', NULL, NULL, '5f4af40d54e1'),
	('sec2uu6zt0xwZ0g0XUDAl', 'app1CJTPr3v57ko4dxTMG', '\xcfeaf40b9af25cd2c9ac9a1ccbe71b9841ff28359298c451c965c6d36071b6fc', '…gRvb', '2026-11-29 07:54:52.343565+00', '2026-11-29 07:54:53.78243+00', NULL, '5f4af40d54e1'),
	('sec0KNWK80AJtvJ1K9cXF', 'app1y7Pg33rtmb13WhgDm', '\xbb8cb2496778a598672bc41c9b97660a3551bd9ec7a67fea6b5879cfd7c66f25', '…wlxu', '2026-11-29 07:54:52.380194+00', '2026-11-29 07:54:53.78243+00', NULL, '5f4af40d54e1');


--
-- Data for Name: app_twins; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: apps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.apps VALUES
	('app1CJTPr3v57ko4dxTMG', 'Report Builder', 'current', 'confidential', '{https://app.example/cb}', '{records:create,records:update,workspace_members:read}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-29 07:54:52.33925+00', '2026-11-29 07:54:52.33925+00', false, '{}', false, false, NULL, NULL, NULL, NULL, NULL, 'ES256', true, false, 'none', NULL, '[]', '{}', false, false, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL),
	('app13jQeB1mxWPl4Bzrc2', 'Second', 'current', 'confidential', '{https://app.example/cb}', '{records:create,records:update,workspace_members:read}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-29 07:54:52.354457+00', '2026-11-29 07:54:52.354457+00', false, '{}', false, false, NULL, NULL, NULL, NULL, NULL, 'ES256', true, false, 'none', NULL, '[]', '{}', false, false, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL),
	('app04eAky3ak3rG3nPGBj', 'Pocket Tables', 'current', 'public', '{https://spa.example/cb}', '{records:create,records:update,workspace_members:read}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-29 07:54:52.368638+00', '2026-11-29 07:54:52.368638+00', false, '{}', false, false, NULL, NULL, NULL, NULL, NULL, 'ES256', true, false, 'none', NULL, '[]', '{}', false, false, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL),
	('app1y7Pg33rtmb13WhgDm', 'Sheet Sync', 'legacy', 'confidential', '{https://app.example/cb}', '{readData,insertData,deleteData}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-29 07:54:52.37778+00', '2026-11-29 07:54:52.37778+00', false, '{}', false, false, NULL, NULL, NULL, NULL, NULL, 'ES256', true, false, 'none', NULL, '[]', '{}', false, false, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL),
	('app40e1vS2CZJfb0ltpCu', 'Sheet View', 'legacy', 'public', '{https://view.example/cb}', '{readData,insertData,deleteData}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-29 07:54:52.385676+00', '2026-11-29 07:54:52.385676+00', false, '{}', false, false, NULL, NULL, NULL, NULL, NULL, 'ES256', true, false, 'none', NULL, '[]', '{}', false, false, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL);


--
-- Data for Name: asserted_connections; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: asserted_subjects; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: audit_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-29 07:54:51.727396+00', 'organization.created', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, NULL, '127.0.0.1', 'req_LZdt8mHVK1m3si1V', '{}'),
	(2, '2026-11-29 07:54:51.804301+00', 'organization.created', 'operator', 'configured', 'org1JCcYq1X5yxD0OxAQ2', NULL, NULL, '127.0.0.1', 'req_ISI0g3-pY7FJSX5j', '{}'),
	(3, '2026-11-29 07:54:51.832066+00', 'workspace.created', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, NULL, '127.0.0.1', 'req_BzIx0yYtPU8gUIS8', '{"workspace_id": "wks1hKmWe2S4sRj1E77Cw"}'),
	(4, '2026-11-29 07:54:51.859999+00', 'workspace.created', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, NULL, '127.0.0.1', 'req_dlLuXXqdXp9rFSTc', '{"workspace_id": "wks1c0jTe3md0u00KUQpd"}'),
	(5, '2026-11-29 07:54:51.875457+00', 'workspace.created', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, NULL, '127.0.0.1', 'req_PRjIIaAggBNJ58fm', '{"workspace_id": "wks2pjXyN2WFW5T40Gj6v"}'),
	(6, '2026-11-29 07:54:51.891253+00', 'workspace.created', 'operator', 'configured', 'org1JCcYq1X5yxD0OxAQ2', NULL, NULL, '127.0.0.1', 'req_pTxmCAks6G0h8tnF', '{"workspace_id": "wks1JC2W60Av22811vYjF"}'),
	(7, '2026-11-29 07:54:52.057494+00', 'user.created', 'operator', 'configured', NULL, NULL, 'usr0a0ttE3r0q570xUyDh', '127.0.0.1', 'req_wg0G2T3EC3Ysjad6', '{}'),
	(8, '2026-11-29 07:54:52.120508+00', 'user.created', 'operator', 'configured', NULL, NULL, 'usr48jFvM4E3D600TZ8bR', '127.0.0.1', 'req_5t_wVVfLR5zUnC0w', '{}'),
	(9, '2026-11-29 07:54:52.219717+00', 'user.created', 'operator', 'configured', NULL, NULL, 'usr3GWX5U2lFeps2JEfxC', '127.0.0.1', 'req_23JQKpzX-LdMZL0n', '{}'),
	(10, '2026-11-29 07:54:52.23395+00', 'member.added', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, 'usr0a0ttE3r0q570xUyDh', '127.0.0.1', 'req_4ffX7XLlhiAf_z4w', '{"role": "admin"}'),
	(11, '2026-11-29 07:54:52.253445+00', 'member.added', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, 'usr48jFvM4E3D600TZ8bR', '127.0.0.1', 'req_nlEy99EtzfQBbvdE', '{"role": "member"}'),
	(12, '2026-11-29 07:54:52.260123+00', 'member.added', 'operator', 'configured', 'org1JCcYq1X5yxD0OxAQ2', NULL, 'usr3GWX5U2lFeps2JEfxC', '127.0.0.1', 'req_W9NQbFZklk2mgI7_', '{"role": "member"}'),
	(13, '2026-11-29 07:54:52.268848+00', 'workspace_member.added', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, 'usr0a0ttE3r0q570xUyDh', '127.0.0.1', 'req_qh9mGzi6YG_B3LrR', '{"workspace_id": "wks1hKmWe2S4sRj1E77Cw"}'),
	(14, '2026-11-29 07:54:52.299431+00', 'workspace_member.added', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, 'usr48jFvM4E3D600TZ8bR', '127.0.0.1', 'req_1CGpTom1skHVOeCK', '{"workspace_id": "wks1hKmWe2S4sRj1E77Cw"}'),
	(15, '2026-11-29 07:54:52.305985+00', 'workspace_member.added', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, 'usr0a0ttE3r0q570xUyDh', '127.0.0.1', 'req_Wjax3V6Adn2w33w5', '{"workspace_id": "wks1c0jTe3md0u00KUQpd"}'),
	(16, '2026-11-29 07:54:52.310713+00', 'workspace_member.added', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', NULL, 'usr48jFvM4E3D600TZ8bR', '127.0.0.1', 'req_Y5qSaExdhB6pxhCf', '{"workspace_id": "wks1c0jTe3md0u00KUQpd"}'),
	(17, '2026-11-29 07:54:52.33925+00', 'app.created', 'operator', 'configured', NULL, 'app1CJTPr3v57ko4dxTMG', NULL, '127.0.0.1', 'req_8-ejAUYbNPX2r8G5', '{"interface": "current", "secret_id": "sec2uu6zt0xwZ0g0XUDAl", "client_type": "confidential", "permissions": ["records:create", "records:update", "workspace_members:read"]}'),
	(18, '2026-11-29 07:54:52.354457+00', 'app.created', 'operator', 'configured', NULL, 'app13jQeB1mxWPl4Bzrc2', NULL, '127.0.0.1', 'req_B7C_GyAGrZvBxzBT', '{"interface": "current", "secret_id": "sec0C0aLs3UAavM403mNw", "client_type": "confidential", "permissions": ["records:create", "records:update", "workspace_members:read"]}'),
	(19, '2026-11-29 07:54:52.368638+00', 'app.created', 'operator', 'configured', NULL, 'app04eAky3ak3rG3nPGBj', NULL, '127.0.0.1', 'req_eG4kuyoXGOMiI01T', '{"interface": "current", "client_type": "public", "permissions": ["records:create", "records:update", "workspace_members:read"]}'),
	(20, '2026-11-29 07:54:52.37778+00', 'app.created', 'operator', 'configured', NULL, 'app1y7Pg33rtmb13WhgDm', NULL, '127.0.0.1', 'req_kmdTvsQHlRdMf2Kd', '{"interface": "legacy", "secret_id": "sec0KNWK80AJtvJ1K9cXF", "client_type": "confidential", "permissions": ["readData", "insertData", "deleteData"]}'),
	(21, '2026-11-29 07:54:52.385676+00', 'app.created', 'operator', 'configured', NULL, 'app40e1vS2CZJfb0ltpCu', NULL, '127.0.0.1', 'req_Ra-B8gJJVGEDO8KB', '{"interface": "legacy", "client_type": "public", "permissions": ["readData", "insertData", "deleteData"]}'),
	(22, '2026-11-29 07:54:52.408621+00', 'install.approved', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', 'app1CJTPr3v57ko4dxTMG', NULL, '127.0.0.1', 'req_E2iHrDAzo4oB750L', '{"install_id": "ins2mMGNA0AXSPj0xA95e", "permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(23, '2026-11-29 07:54:52.423412+00', 'install.approved', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', 'app13jQeB1mxWPl4Bzrc2', NULL, '127.0.0.1', 'req_VScV0haXjo-gTWUB', '{"install_id": "ins1XxR2f1TVKC04ZxwRS", "permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(24, '2026-11-29 07:54:52.433907+00', 'install.approved', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', 'app04eAky3ak3rG3nPGBj', NULL, '127.0.0.1', 'req_bGWTGQzGcNyanm5Y', '{"install_id": "ins1uhl1Q1D34b93TmTwG", "permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(25, '2026-11-29 07:54:52.450135+00', 'install.approved', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', 'app1y7Pg33rtmb13WhgDm', NULL, '127.0.0.1', 'req_UYMEDzwbljXq7kO7', '{"install_id": "ins2h8ghJ0NzCp93fDV7a", "permissions": ["readData", "insertData", "deleteData"], "workspace_ids": null}'),
	(26, '2026-11-29 07:54:52.457652+00', 'install.approved', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', 'app40e1vS2CZJfb0ltpCu', NULL, '127.0.0.1', 'req_SYVlqh8Yg-DN53Y3', '{"install_id": "ins0gLbAQ3VB1v53l4tLr", "permissions": ["readData", "insertData", "deleteData"], "workspace_ids": null}'),
	(27, '2026-11-29 07:54:52.729562+00', 'consent.granted', 'user', 'usr48jFvM4E3D600TZ8bR', 'org0g3rai3O9kW52krIrW', 'app1CJTPr3v57ko4dxTMG', 'usr48jFvM4E3D600TZ8bR', '127.0.0.1', 'req_OFCUgqfzNCnVnDY8', '{"permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(28, '2026-11-29 07:54:52.752206+00', 'session.signed_in', 'user', 'usr48jFvM4E3D600TZ8bR', NULL, NULL, 'usr48jFvM4E3D600TZ8bR', '127.0.0.1', 'req_eWW07sYC4qfTKUw-', '{"method": "password", "session_id": "ses1moBjS0GWvht2rKpq8"}'),
	(29, '2026-11-29 07:54:53.035473+00', 'consent.granted', 'user', 'usr0a0ttE3r0q570xUyDh', 'org0g3rai3O9kW52krIrW', 'app1CJTPr3v57ko4dxTMG', 'usr0a0ttE3r0q570xUyDh', '127.0.0.1', 'req_8Un-k1sSaR5e_soz', '{"permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(30, '2026-11-29 07:54:53.039975+00', 'session.signed_in', 'user', 'usr0a0ttE3r0q570xUyDh', NULL, NULL, 'usr0a0ttE3r0q570xUyDh', '127.0.0.1', 'req_lnYEtzpMQnGwccda', '{"method": "password", "session_id": "ses1uvuhP02tWUN3RtDsv"}'),
	(31, '2026-11-29 07:54:53.564536+00', 'operator_token.created', 'operator', 'command-line', NULL, NULL, NULL, NULL, NULL, '{"expires_at": null, "permissions": ["*"], "organization_ids": null, "operator_token_id": "opt1zXq0R3NeSl7036Cnz"}'),
	(32, '2026-11-29 07:54:53.600204+00', 'resource_server.created', 'operator', 'configured', NULL, 'rsv32caYj0RC9SW2aRKyG', NULL, '127.0.0.1', 'req_q6w4NEObQNliXNe7', '{}'),
	(33, '2026-11-29 07:54:53.742454+00', 'key_set.created', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', 'kcl1JnWuk48ZagO3ghLI5', NULL, '127.0.0.1', 'req_Y3yVpZcpCe9iJzCj', '{"interface": "current", "key_set_id": "kst3X7ZIZ1FXZHh1a5RbL", "permissions": ["records:create", "records:delete"], "workspace_ids": null}'),
	(34, '2026-11-29 07:54:53.758208+00', 'key_set.created', 'operator', 'configured', 'org0g3rai3O9kW52krIrW', 'kcl207jv43NG4nr4A55AF', NULL, '127.0.0.1', 'req_cyffl5Pubnk0CEp3', '{"interface": "legacy", "key_set_id": "kst4ZgufU1kRaAs18xP9b", "permissions": ["readData", "insertData"], "workspace_ids": null}'),
	(35, '2026-11-29 07:54:53.779527+00', 'session.signed_in', 'user', 'usr48jFvM4E3D600TZ8bR', NULL, NULL, 'usr48jFvM4E3D600TZ8bR', '127.0.0.1', 'req_y1v3u5H5kMJhZ2Fa', '{"method": "password", "session_id": "ses1KCsNh3X6vch0yTmbK"}');


--
-- Data for Name: client_documents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: client_hosts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: connection_epochs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: consents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.consents VALUES
	('usr48jFvM4E3D600TZ8bR', 'org0g3rai3O9kW52krIrW', 'app1CJTPr3v57ko4dxTMG', 'ins2mMGNA0AXSPj0xA95e', '{records:create,records:update,workspace_members:read}', '{records:create,records:update,workspace_members:read}', NULL, '2026-11-29 07:54:52.729562+00', '2026-11-29 07:54:52.729562+00', '{}', NULL, NULL, NULL, NULL, NULL),
	('usr0a0ttE3r0q570xUyDh', 'org0g3rai3O9kW52krIrW', 'app1CJTPr3v57ko4dxTMG', 'ins2mMGNA0AXSPj0xA95e', '{records:create,records:update,workspace_members:read}', '{records:create,records:update,workspace_members:read}', NULL, '2026-11-29 07:54:53.035473+00', '2026-11-29 07:54:53.035473+00', '{}', NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: counters; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.counters VALUES
	('BgSVCvzHeOkLqar2ITsMgz', 1, '2026-11-29 08:04:52.714391+00'),
	('TvvwTNDFgDIZz-Ud9gyNDt', 1, '2026-11-29 08:04:52.898372+00'),
	('HTtVk6RlJoh8nAZfb6-S2u', 0, '2026-11-29 08:04:52.897542+00'),
	('H_Vc2JkH12BzpBZrr50kiQ', 1, '2026-11-29 08:04:53.024627+00'),
	('EaXkIKNwnUKAQ4uGx4RU53', 2, '2026-11-29 08:04:52.564502+00'),
	('Fw1uT2_HuBk6Wt5ICs6bbr', 3, '2026-11-29 08:04:52.563803+00'),
	('fLdAcaPt2ltMHlPbTUnJUF', 0, '2026-11-29 08:04:52.563067+00'),
	('1bqDy9rOzcYDkxdHJht38X', 0, '2026-11-29 08:04:52.564216+00'),
	('G3PRU9iS8WPMpekE9uIDbC', 0, '2026-11-29 08:04:52.491547+00');


--
-- Data for Name: delegations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: families; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.families VALUES
	('23b54f3d-7c4b-4148-9ab6-c1bc72b65d2c', 1, 'Ir4QuxXNXioZ', '2026-11-29 07:54:52.839956+00', NULL, NULL),
	('36f5391a-eea6-49ce-98d3-0b832f35fa82', 2, 'WHcJFTAp5kbQ', '2026-11-29 07:54:53.082928+00', NULL, NULL),
	('4155c13a-b30b-49d4-a5a2-838498cc70c3', 1, 'oUl7w7HWM80B', '2026-11-29 07:54:53.728125+00', NULL, NULL);


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.grants VALUES
	('23b54f3d-7c4b-4148-9ab6-c1bc72b65d2c', 'usr48jFvM4E3D600TZ8bR', 'app1CJTPr3v57ko4dxTMG', 'org0g3rai3O9kW52krIrW', 'ins2mMGNA0AXSPj0xA95e', 0, 0, '{records:create,records:update,workspace_members:read}', NULL, 'https://app.example/cb', 'd0L_FF5IWR1R8uk7E4B0aTmkzDk-R366vCpdE2Ozd0o', '2026-11-29 07:54:52.78566+00', '2026-11-29 07:54:53.781048+00', NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 1795938892, 'urn:latchkey:acr:password'),
	('36f5391a-eea6-49ce-98d3-0b832f35fa82', 'usr0a0ttE3r0q570xUyDh', 'app1CJTPr3v57ko4dxTMG', 'org0g3rai3O9kW52krIrW', 'ins2mMGNA0AXSPj0xA95e', 0, 0, '{records:create,records:update,workspace_members:read}', NULL, 'https://app.example/cb', 'Afdd7xjizwK9FXBpRF7l2VNPHMHBLQvIL7Gm5aO5Pz4', '2026-11-29 07:54:53.051792+00', '2026-11-29 07:54:53.781048+00', NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 1795938892, 'urn:latchkey:acr:password'),
	('4155c13a-b30b-49d4-a5a2-838498cc70c3', 'usr48jFvM4E3D600TZ8bR', 'app1y7Pg33rtmb13WhgDm', 'org0g3rai3O9kW52krIrW', 'ins2h8ghJ0NzCp93fDV7a', 0, 0, '{readData,insertData,deleteData}', NULL, 'https://app.example/cb', NULL, '2026-11-29 07:54:53.718249+00', '2026-11-29 07:54:53.781048+00', NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 1795938893, 'urn:latchkey:acr:password');


--
-- Data for Name: identity_providers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: install_requests; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: installs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.installs VALUES
	('ins1XxR2f1TVKC04ZxwRS', 'org0g3rai3O9kW52krIrW', 'app13jQeB1mxWPl4Bzrc2', '{records:create,records:update,workspace_members:read}', NULL, NULL, '2026-11-29 07:54:52.423412+00', '2026-11-29 07:54:52.423412+00', NULL, NULL, '{}', NULL, NULL, NULL, NULL),
	('ins1uhl1Q1D34b93TmTwG', 'org0g3rai3O9kW52krIrW', 'app04eAky3ak3rG3nPGBj', '{records:create,records:update,workspace_members:read}', NULL, NULL, '2026-11-29 07:54:52.433907+00', '2026-11-29 07:54:52.433907+00', NULL, NULL, '{}', NULL, NULL, NULL, NULL),
	('ins2h8ghJ0NzCp93fDV7a', 'org0g3rai3O9kW52krIrW', 'app1y7Pg33rtmb13WhgDm', '{readData,insertData,deleteData}', NULL, NULL, '2026-11-29 07:54:52.450135+00', '2026-11-29 07:54:52.450135+00', NULL, NULL, '{}', NULL, NULL, NULL, NULL),
	('ins0gLbAQ3VB1v53l4tLr', 'org0g3rai3O9kW52krIrW', 'app40e1vS2CZJfb0ltpCu', '{readData,insertData,deleteData}', NULL, NULL, '2026-11-29 07:54:52.457652+00', '2026-11-29 07:54:52.457652+00', NULL, NULL, '{}', NULL, NULL, NULL, NULL),
	('ins2mMGNA0AXSPj0xA95e', 'org0g3rai3O9kW52krIrW', 'app1CJTPr3v57ko4dxTMG', '{records:create,records:update,workspace_members:read}', NULL, NULL, '2026-11-29 07:54:52.408621+00', '2026-11-29 07:54:52.408621+00', NULL, NULL, '{}', '2026-11-29 07:54:53.783284+00', NULL, NULL, NULL);


--
-- Data for Name: key_set_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.key_set_secrets VALUES
	('sec0JY8kP0jxNlC221tma', 'kst3X7ZIZ1FXZHh1a5RbL', '\x40833d8131df40510c4d68263f693bf70a558fc282d77d69a544174bcf4ac8bd', '\x588fc664a06dd1f454b76fbbb0509fbd836fc4bd9f443540e243ff11facbb3f74f5a95f576dcbe78dcf5f0de26eff6e17a092d78d51fe3621dc06564ef03f241cd40ce618afb344440930a9ac3967773f74a45ce38de0899', '…MsnS', '2026-11-29 07:54:53.745535+00', NULL, NULL, NULL, '5f4af40d54e1'),
	('sec2cdwOX3mamIA09Dy3E', 'kst4ZgufU1kRaAs18xP9b', '\x7257426c55ca1751fa857cc85e9960e8604e809e44ee5548fb96d36b79faa142', NULL, '…09qU', '2026-11-29 07:54:53.760263+00', NULL, NULL, NULL, '5f4af40d54e1');


--
-- Data for Name: key_sets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.key_sets VALUES
	('kst3X7ZIZ1FXZHh1a5RbL', 'kcl1JnWuk48ZagO3ghLI5', 'org0g3rai3O9kW52krIrW', 'current', 'Nightly 4a7e80', NULL, '{records:create,records:delete}', NULL, '2026-11-29 07:54:53.742454+00', '2026-11-29 07:54:53.742454+00', NULL, '[]'),
	('kst4ZgufU1kRaAs18xP9b', 'kcl207jv43NG4nr4A55AF', 'org0g3rai3O9kW52krIrW', 'legacy', 'Nightly 71ed73', NULL, '{readData,insertData}', NULL, '2026-11-29 07:54:53.758208+00', '2026-11-29 07:54:53.758208+00', NULL, '[]');


--
-- Data for Name: left_families; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: logos; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: longest_token_lifetime; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.longest_token_lifetime VALUES
	(true, 7200);


--
-- Data for Name: mail_choices; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: mail_events; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: mail_service; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.members VALUES
	('org0g3rai3O9kW52krIrW', 'usr0a0ttE3r0q570xUyDh', 'admin', '2026-11-29 07:54:52.23395+00'),
	('org0g3rai3O9kW52krIrW', 'usr48jFvM4E3D600TZ8bR', 'member', '2026-11-29 07:54:52.253445+00'),
	('org1JCcYq1X5yxD0OxAQ2', 'usr3GWX5U2lFeps2JEfxC', 'member', '2026-11-29 07:54:52.260123+00');


--
-- Data for Name: migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migrations VALUES
	('0001_initial.sql', '077d234cf5fdbd09b6722f3a3b89f11a5d34717986674ac2d3d74dd38d2955b4', '2026-11-29 07:54:50.145121+00'),
	('0002_key_set_workspaces.sql', 'c7dbdf72090b00bceffcbe4f7dc97b4033aa4e05cfbc9f2fa9f247b0c315be15', '2026-11-29 07:54:50.197621+00'),
	('0003_sign_in.sql', '9e82c73bf5374604dafcc78c55170704596fd86074dd6e9b6d5df88d1ea14a95', '2026-11-29 07:54:50.211756+00'),
	('0004_usage.sql', 'c0e9e4774de0f7ecc9cf61b2a0030fb68fa3273a1c5e5a81552098984a5151f9', '2026-11-29 07:54:50.229893+00'),
	('0005_revocations.sql', 'c30ec5eee00e6bfc7345070dc065a02c25596e91b3f2d86526c07c36d028be91', '2026-11-29 07:54:50.250303+00'),
	('0006_webhooks.sql', 'f53b4a25cdb397d03ddee1d67b42e0f14e1176c7052d08ff6a30cd75200be096', '2026-11-29 07:54:50.269627+00'),
	('0007_withdrawn_requests.sql', '8f38cf13de1d4dad6ad8e06675f7c0e9fe208a708459f63af3ffae81e639d99d', '2026-11-29 07:54:50.280917+00'),
	('0008_sessions_epoch.sql', 'd63a825ca5dd1f27a8d0a8bb7828dcc0252599591b16236c0145062ede4c3e1b', '2026-11-29 07:54:50.286698+00'),
	('0010_master_key_ids.sql', 'c238a64006a22d58ff75d102228899ebe9a2b27e285c62e35216f3f5baee0237', '2026-11-29 07:54:50.291791+00'),
	('0011_growth.sql', 'a10bee7b8b46071910860dbdeaa19b09ca2cd769e304cdb3114e8a08abfd6c6f', '2026-11-29 07:54:50.296835+00'),
	('0012_openid.sql', 'd299e748a9c8e7a62fa61717abb09c1f6510c39cf326b28e95d4107b76d8bd5b', '2026-11-29 07:54:50.308847+00'),
	('0013_grants_that_expire.sql', '4819e1dcfb355bc8baa0e4286aeb394deb6b326a233fb8e2a7aa26ff8be9f68c', '2026-11-29 07:54:50.315103+00'),
	('0014_moving.sql', '1dec1d3f487a921b4f8b2e71de3cc8e8d8cdacbb95d00143ed019e4a60dd273e', '2026-11-29 07:54:50.320078+00'),
	('0015_devices.sql', 'e0f23f39cd6bdbef1a8884cd90d6ac0eae4d8ae8cd7434a849ed45667e1b7d3e', '2026-11-29 07:54:50.326864+00'),
	('0016_proof_of_possession.sql', '6a557e3f0062258dc66bbec73ec032077bb830e3c43be156ac65b8045bf1957c', '2026-11-29 07:54:50.331634+00'),
	('0017_offered_workspaces.sql', '79c3695848bced1519d87b5048029a958d45d53a02ba768051c97d1c6b08d8a6', '2026-11-29 07:54:50.336421+00'),
	('0018_claimed_once.sql', '564df0900299f426f13c756144a9ad0ff3fe9ddbd2e72dba54c24adae18b39e7', '2026-11-29 07:54:50.340496+00'),
	('0019_left_families.sql', '42a9d9e6ed06a13e35069b2b4d0531db5556db2a35cf5182b8b5f116fc041190', '2026-11-29 07:54:50.345091+00'),
	('0020_kept_last_use.sql', 'd48538195dea9a7a4eb4208f9e27f5f8948d097e164c727d20e53fd0f5215325', '2026-11-29 07:54:50.350683+00'),
	('0023_sessions.sql', 'f6b7eebf966237f7af1f2abb4e13e8305caf99216ed5cd269e2a0ba9a640dbf5', '2026-11-29 07:54:50.355228+00'),
	('0024_security_notices.sql', 'f417410d088af4d60d5f2f7ea0ff9dcd72bba8ef6ec8ecaa306cc070d5aa4a43', '2026-11-29 07:54:50.362229+00'),
	('0025_reviewed_apps.sql', '3b50ad551f59611822b946eaba3b610e8f173346418729834b044494b6e4bdf2', '2026-11-29 07:54:50.36929+00'),
	('0027_connection_epochs.sql', '68c988875439e9ad33faeecf9db8a9f6a152f10e3ea2ff22a6f155505ac44dc0', '2026-11-29 07:54:50.385102+00'),
	('0029_unsettled_requests.sql', '24dfd359903cc008466197475a0c50b3b849dccba87e6663a0aa327c06833459', '2026-11-29 07:54:50.398897+00'),
	('0034_permission_catalogue.sql', '9e600cb0c5f0af326eb171a28a417c960bebe78448d8a75385a6194fae4e7843', '2026-11-29 07:54:50.413717+00'),
	('0037_own_ids.sql', 'cea455652a69a331d822e9eab9a6b56a0061884ebfaba4addd4c83b53778f606', '2026-11-29 07:54:50.41953+00'),
	('0040_app_location.sql', '3132880337095e8ac8c45d66bda5c27d24d2e7cb1eba14b8565b4b97f951fa60', '2026-11-29 07:54:50.431729+00'),
	('0041_token_lifetimes.sql', '2520f650070cbc069ac61e0fabd3a6de9f0336a63ead29625cb196a9aca4e0a8', '2026-11-29 07:54:50.434915+00'),
	('0042_token_reaches.sql', 'eb23451087328a2ed961dbbb496e880537d27240bf70fae5b92758d18f4ca431', '2026-11-29 07:54:50.438655+00'),
	('0043_operator_permissions.sql', '45e601237c6d776bb0b3caf1b0eb103fdce6147c6e5a1107e4f443d849c80082', '2026-11-29 07:54:50.447213+00'),
	('0045_openid_certified.sql', '6b6cbe9ff223f989a894189f46595fc130818adfcf421c611ed17c72d5371483', '2026-11-29 07:54:50.450284+00'),
	('0046_security_profile.sql', '125b5aaeaaff735d37634087905f278ab9bb562478919d01fcd4aa67044153bc', '2026-11-29 07:54:50.455457+00'),
	('0047_resource_limits.sql', 'b1107799c34cc27ed6f2f02bf2ad1af740e29bf418597cd5cff58833731159e2', '2026-11-29 07:54:50.461529+00'),
	('0048_provisioning.sql', '8a9bc47d5dd0421efad2bfb0ea760e3da3a8f3504e9e107092e063a84b80c5f5', '2026-11-29 07:54:50.46669+00'),
	('0049_app_owners.sql', '87050a7b7c5cf78fad401bc6d32cc027e5ed3a0ab33d4e5e8d5437a540d80baa', '2026-11-29 07:54:50.504636+00'),
	('0050_grant_targets.sql', '8806b33df2d0eb219922beda8fcd691ca4f4b02b360b67e3966dcbd9bd4fbd80', '2026-11-29 07:54:50.516303+00'),
	('0051_client_documents.sql', 'bdd9bf2bf20a9968bf8ef4b3a50b8172a4431bee24b74710a8913cfdc9aa4402', '2026-11-29 07:54:50.522251+00'),
	('0053_workloads.sql', 'e23687bf10e777e578ba4efc2c8d688a46f4a12946ee24838ad4ab8f1a63fe1b', '2026-11-29 07:54:50.541862+00'),
	('0054_workloads_of_key_sets.sql', 'c38d2d717ce19a51eb07cf04fd9a0305c92556c8384504a2c27496df69872b31', '2026-11-29 07:54:50.549731+00'),
	('0055_delegation.sql', '01af1d7119ed040725d80202617b5e2bf6ce154305e92df636cb8926103c083b', '2026-11-29 07:54:50.558344+00'),
	('0056_identity_providers.sql', '11b1e18600f2fd6abc571046eac687043738a4fc59cc6885bdaa297626734ef1', '2026-11-29 07:54:50.564102+00'),
	('0058_asserted_connections.sql', '0a4ab1cad92c5e2d1ae621127e81bfc835e28c8a96f0fe99f6c049ec4d855762', '2026-11-29 07:54:50.569876+00'),
	('0059_access_ends.sql', '4eca3a7c5db02059ec6f146c4bdd76d1253158465e74a4a6937b8c4b92fcc61e', '2026-11-29 07:54:50.574751+00'),
	('0061_install_links.sql', '0ebb34d87eeeb0fd109d4eed31840495ed6115ec5d1a56a67a59af3909dacc0e', '2026-11-29 07:54:50.584392+00'),
	('0063_logos.sql', '770a872fb99ec888852c60fe603566ce107267fd99be3e620c7c27b3bb525287', '2026-11-29 07:54:50.588004+00'),
	('0064_app_changes.sql', 'efccd7c5ee6ef17d8348ba100a31956c94d410e497c593f2feea4effa6960746', '2026-11-29 07:54:50.593766+00'),
	('0065_sandboxes.sql', '39b9e39811f46f1dea955e5c2cc27ca9c8b96568f948dc3b446069c6852c97d0', '2026-11-29 07:54:50.601229+00'),
	('0066_operators.sql', '9a88e523c46fe2eef976c889ac4c0c6a7b2247f7d80ed75eb93ea003bcca755c', '2026-11-29 07:54:50.606576+00'),
	('0068_mails.sql', 'ece774a58a512c5fe3656c72914c5ec5d3fb8b412bb51609adf18e0df29e1319', '2026-11-29 07:54:50.616626+00'),
	('0071_suspend_all.sql', '2bcb3b8b47926e2dfcef9387dbce4c1671ac2656efe45f2d4e3fc9fe9ee17d6a', '2026-11-29 07:54:50.626547+00'),
	('0072_locale.sql', '958ec74ea58d8029d1e6883b1e2d76e7fa868f5fc8d305ca0dd86945f25e6b80', '2026-11-29 07:54:50.632369+00'),
	('0073_legal_links_and_logo_freshness.sql', '9a0b1b5d2448263f48eda1baa350c7c91ece58042e5791338a5fec6670f8bc2c', '2026-11-29 07:54:50.637962+00'),
	('0075_test_people.sql', 'a561014f91e6cb3a92fc4be91c930307327890636a064166084cd56be26710de', '2026-11-29 07:54:50.644385+00'),
	('0076_mail_turns.sql', 'd0c50658fbe9cb55dc4c12fcc4ea63b61d4bc680db42be7bf5f97f2f6522bdfd', '2026-11-29 07:54:50.653743+00'),
	('0077_webhook_turns.sql', 'ee1e7d7036ad7fbb3c601e298137e7f4f85809d3c2a02d6d2a3fa5220a0f3723', '2026-11-29 07:54:50.663067+00'),
	('0078_has_signed_in.sql', 'bc470e6cdc820a887eff7d91de5f0fdf6c75c5bbec1a3ff22e2ef7ffcee06585', '2026-11-29 07:54:50.666421+00'),
	('0079_logo_faults.sql', 'bc2faf12d96716c66473758960d8d8fd81870dd6336db16cba68812af501875b', '2026-11-29 07:54:50.669579+00'),
	('0080_guarded_accounts.sql', 'b4f83dcde788166ae0b5e1c8203df70971791434a107d8860915d5f1b9b4f09f', '2026-11-29 07:54:50.681601+00'),
	('0081_group_changes.sql', '74a3dc5727df71eafe533cb2555ab0454e7883b4ad87cf9139e4fbb39acd3e79', '2026-11-29 07:54:50.690248+00');


--
-- Data for Name: operator_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operator_tokens VALUES
	('opt1zXq0R3NeSl7036Cnz', 'earlier', '\x35d1bf643c1b98d43ea91dd6d580c66d4087fb3f1df71ccc0c390363fad2c800', '…ZtZS', '2026-11-29 07:54:53.564536+00', NULL, NULL, '5f4af40d54e1', '{*}', NULL);


--
-- Data for Name: operators; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: organization_policies; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.organizations VALUES
	('org1JCcYq1X5yxD0OxAQ2', 'Other', '2026-11-29 07:54:51.804301+00', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL),
	('org0g3rai3O9kW52krIrW', 'Acme', '2026-11-29 07:54:51.727396+00', NULL, NULL, NULL, NULL, 0, NULL, NULL, '2026-11-29 07:54:52.236013+00');


--
-- Data for Name: passkeys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: permission_catalogue; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.permission_catalogue VALUES
	(true, 0);


--
-- Data for Name: permissions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.records VALUES
	('authorization', 'rdrVJG-bwD47QpuhpyfrqrOrFHlN4H8e6QSgRmUzYwS', 'answered', '{"interface":"current","clientId":"app1CJTPr3v57ko4dxTMG","redirectUri":"https://app.example/cb","responseType":"code","state":"the-state","permissions":null,"workspaceIds":null,"organizationHint":null,"loginHint":null,"prompts":[],"isSilent":false,"codeChallenge":"d0L_FF5IWR1R8uk7E4B0aTmkzDk-R366vCpdE2Ozd0o","openid":null,"webMessage":null,"browser":"qkZD8Nsx0pH1tMe9oET-jt1RJtxN1J3alJhiLK0AXdY","countedAs":"G3PRU9iS8WPMpekE9uIDbC","id":"rdrVJG-bwD47QpuhpyfrqrOrFHlN4H8e6QSgRmUzYwS","createdAt":1795938892498,"organizationId":null,"answer":{"kind":"approved","grantId":"23b54f3d-7c4b-4148-9ab6-c1bc72b65d2c","userId":"usr48jFvM4E3D600TZ8bR","organizationId":"org0g3rai3O9kW52krIrW","installId":"ins2mMGNA0AXSPj0xA95e","appEpoch":0,"userEpoch":0,"permissions":["records:create","records:update","workspace_members:read"],"workspaceIds":null,"authentication":{"authenticatedAt":1795938892,"contextClass":"urn:latchkey:acr:password"},"openidScopes":[],"signIn":null}}', '2026-11-29 08:54:52.499542+00'),
	('authorization', 'XJ9h2z4n3v9uFSGMFt2gSRiHvuPiqgPLY6CGyILao5c', 'answered', '{"interface":"current","clientId":"app1CJTPr3v57ko4dxTMG","redirectUri":"https://app.example/cb","responseType":"code","state":"the-state","permissions":null,"workspaceIds":null,"organizationHint":null,"loginHint":null,"prompts":[],"isSilent":false,"codeChallenge":"Afdd7xjizwK9FXBpRF7l2VNPHMHBLQvIL7Gm5aO5Pz4","openid":null,"webMessage":null,"browser":"JBujuKBTbQPSX1_UIlRwDeJOn8Caem_7h1Qfolff9nU","countedAs":"G3PRU9iS8WPMpekE9uIDbC","id":"XJ9h2z4n3v9uFSGMFt2gSRiHvuPiqgPLY6CGyILao5c","createdAt":1795938892865,"organizationId":null,"answer":{"kind":"approved","grantId":"36f5391a-eea6-49ce-98d3-0b832f35fa82","userId":"usr0a0ttE3r0q570xUyDh","organizationId":"org0g3rai3O9kW52krIrW","installId":"ins2mMGNA0AXSPj0xA95e","appEpoch":0,"userEpoch":0,"permissions":["records:create","records:update","workspace_members:read"],"workspaceIds":null,"authentication":{"authenticatedAt":1795938892,"contextClass":"urn:latchkey:acr:password"},"openidScopes":[],"signIn":null}}', '2026-11-29 08:54:52.867016+00'),
	('authorization', 'yTMCPtTLJcfGQegTULCFvf9xSgleqdBB', 'answered', '{"interface":"legacy","clientId":"app1y7Pg33rtmb13WhgDm","redirectUri":"https://app.example/cb","responseType":"code","state":"the-state","permissions":null,"workspaceIds":null,"organizationHint":"org0g3rai3O9kW52krIrW","loginHint":null,"prompts":[],"codeChallenge":null,"webMessage":null,"isSilent":false,"browser":"DdwghdSZbQ5l4QmQqphZHEiQyMi1--YfpzZA7h81G5I","countedAs":"G3PRU9iS8WPMpekE9uIDbC","id":"yTMCPtTLJcfGQegTULCFvf9xSgleqdBB","createdAt":1795938893625,"organizationId":null,"answer":{"kind":"approved","grantId":"4155c13a-b30b-49d4-a5a2-838498cc70c3","userId":"usr48jFvM4E3D600TZ8bR","organizationId":"org0g3rai3O9kW52krIrW","installId":"ins2h8ghJ0NzCp93fDV7a","appEpoch":0,"userEpoch":0,"permissions":["readData","insertData","deleteData"],"workspaceIds":null,"authentication":{"authenticatedAt":1795938893,"contextClass":"urn:latchkey:acr:password"},"openidScopes":[],"signIn":null}}', '2026-11-29 08:54:53.627584+00');


--
-- Data for Name: reminders; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: resource_servers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.resource_servers VALUES
	('rsv32caYj0RC9SW2aRKyG', 'Data API', '\x046cd410f9a9db01efceb4a881dc077dd6bc996702bf186a1ab7c106f242578a', '…aD3I', '2026-11-29 07:54:53.600204+00', '5f4af40d54e1', NULL, NULL, NULL);


--
-- Data for Name: revocations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: revoked_tokens; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rsa_signing_keys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sandboxes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: scim_groups; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: scim_tokens; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: scim_users; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: security_notices; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES
	('ses1moBjS0GWvht2rKpq8', 'zHEHhqGe59GJ_iLIKnKBDqJS5LqvkwGGT3LGNzWYIjY', 'MBRRGHsXCWulWQJBk1I6VjnNHj2ITWq6AEyBvyVZJZw', 'usr48jFvM4E3D600TZ8bR', 0, 0, '{password}', '{}', 1795938892641, '127.0.0.1', NULL, NULL, '2026-11-29 07:54:52.642806+00', '2026-11-29 07:54:52.642806+00', '2026-11-29 19:54:52.643766+00'),
	('ses1uvuhP02tWUN3RtDsv', 'g9IJW3zOGZ7ndVzQxf-KYIrrv1XAYsGGd7_aQoFzJn8', 'GYf4lCBJCa_S-kC7hWXY6dnrKW8E2CO1h3cPiTXvyWE', 'usr0a0ttE3r0q570xUyDh', 0, 0, '{password}', '{}', 1795938892932, '127.0.0.1', NULL, NULL, '2026-11-29 07:54:52.935054+00', '2026-11-29 07:54:52.935054+00', '2026-11-29 19:54:52.936239+00'),
	('ses1KCsNh3X6vch0yTmbK', 'Ktw9Ishar-tOT774SnoaDQeAwW7QRGwgWx1KtfJXJVU', 'IJeS7BqfeBeIEVeBww-X-GHNi2uV0CEcQ0x2c5Awu_4', 'usr48jFvM4E3D600TZ8bR', 0, 0, '{password}', '{}', 1795938893702, '127.0.0.1', NULL, NULL, '2026-11-29 07:54:53.703913+00', '2026-11-29 07:54:53.703913+00', '2026-11-29 19:54:53.704317+00');


--
-- Data for Name: sign_in_places; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.signing_keys VALUES
	('Q4gadpk4aX_8Rp9J52gORRUsDWG5h8wAuZRLG3Wdi5c', 'ES256', '{"x": "AwnumJDUD-yDJg0lEhUKIdbKfT7pixpKNAdY1I3tbZ0", "y": "WeVj4nrAevROCiLp4CGC3oW2GLAfUZfV-47ZA6o1qjM", "alg": "ES256", "crv": "P-256", "kid": "Q4gadpk4aX_8Rp9J52gORRUsDWG5h8wAuZRLG3Wdi5c", "kty": "EC", "use": "sig"}', '\x58b07c26b2f92dc503f616f777438e725a3ffecffc60b940a04830892b41309b0905025c780ddf166be09341a9902c375ca92d0f267bcbd394a97fdda896ce651e8918b8d7326d5d0855fa77670d9356fbc5895ad0a8f91eed5ddc5fee4319a42d01f1cdb6fd8da67075c74ced7084a3881976b615c8145518b0dc0c6854ce85721953e9984837e1238fccf6769f10e8b95c57fabceb803e0813b6b95e873c153b6717c933e4c6', 'active', '2026-11-29 07:54:50.75887+00', '2026-11-29 07:54:50.75887+00', NULL),
	('avYAe09afsb-lRnbcCk-dc65Y1tRngDYpgsuYRMRwJA', 'ES256', '{"x": "ynZpWe7Xb9KsTNYOdVhyZl9dD-wMCXINElaBmxlbmlw", "y": "8sOgh0Pwpo-Yt2Hh-fLvM1O6YjVIapa4a1RfmRcjKeY", "alg": "ES256", "crv": "P-256", "kid": "avYAe09afsb-lRnbcCk-dc65Y1tRngDYpgsuYRMRwJA", "kty": "EC", "use": "sig"}', '\x5898624f510d2c88ea009e072f8a2f2b837c5bca9f78c0e46e57125410c273fc84a1979071f4967c8698bcc67b838d32ae64a59773db305868dc265504926959d0f6454522b02fb6d45886cbe632ff2a967a7139192f94ea85fec517cfbafa359e76b70965cf029b438a4109ce507141406060334171371ac49f0aa684f6c4b490d253d41be7d09638615d186f1f55825464bffa7dcca01b1b374bf7fe30a53d37e39e3724f7b9', 'next', '2026-11-29 07:54:50.75887+00', NULL, NULL);


--
-- Data for Name: test_people; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: token_reaches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: usage_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.usage_days VALUES
	('org0g3rai3O9kW52krIrW', '2026-11-29', 'app1CJTPr3v57ko4dxTMG', 'issued', 'authorization_code', 2),
	('org0g3rai3O9kW52krIrW', '2026-11-29', 'app1CJTPr3v57ko4dxTMG', 'issued', 'client_credentials', 1),
	('org0g3rai3O9kW52krIrW', '2026-11-29', 'app1CJTPr3v57ko4dxTMG', 'issued', 'refresh_token', 1),
	('org0g3rai3O9kW52krIrW', '2026-11-29', 'app1y7Pg33rtmb13WhgDm', 'issued', 'authorization_code', 1);


--
-- Data for Name: user_identities; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.users VALUES
	('usr3GWX5U2lFeps2JEfxC', 'zoe1@acme.test', 'zoe', '$argon2id$v=19$m=19456,t=2,p=1$ED+1v1pf8NaJzZYsNKtfJA$h89dtBmB8dtpkppEoM5pVt+C2FxN21MGWelbvYy2PE4', 0, NULL, '2026-11-29 07:54:52.219717+00', 0, NULL, '2026-11-29 07:54:52.219717+00', NULL, NULL, false, NULL),
	('usr48jFvM4E3D600TZ8bR', 'ana1@acme.test', 'ana', '$argon2id$v=19$m=19456,t=2,p=1$AKqHOE2olFfy/Y40E/cNWw$3ebjOaLsQ9D9AgImKdQZuYO0MRPu/tS3kK/MeUBUm80', 0, NULL, '2026-11-29 07:54:52.120508+00', 0, NULL, '2026-11-29 07:54:52.120508+00', NULL, NULL, true, NULL),
	('usr0a0ttE3r0q570xUyDh', 'kim1@acme.test', 'kim', '$argon2id$v=19$m=19456,t=2,p=1$QXc//ECVegmdnyclQqB2sg$UUhXuInwvg22hEqW4+ZE+nEVfHIHAKXQSnbzXtpDdIY', 0, NULL, '2026-11-29 07:54:52.057494+00', 0, NULL, '2026-11-29 07:54:52.057494+00', NULL, NULL, true, NULL);


--
-- Data for Name: webhook_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_secrets; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhooks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: workspace_members; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspace_members VALUES
	('wks1hKmWe2S4sRj1E77Cw', 'usr0a0ttE3r0q570xUyDh', '2026-11-29 07:54:52.268848+00'),
	('wks1hKmWe2S4sRj1E77Cw', 'usr48jFvM4E3D600TZ8bR', '2026-11-29 07:54:52.299431+00'),
	('wks1c0jTe3md0u00KUQpd', 'usr0a0ttE3r0q570xUyDh', '2026-11-29 07:54:52.305985+00'),
	('wks1c0jTe3md0u00KUQpd', 'usr48jFvM4E3D600TZ8bR', '2026-11-29 07:54:52.310713+00');


--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspaces VALUES
	('wks2pjXyN2WFW5T40Gj6v', 'org0g3rai3O9kW52krIrW', 'Finance', '2026-11-29 07:54:51.875457+00', NULL),
	('wks1JC2W60Av22811vYjF', 'org1JCcYq1X5yxD0OxAQ2', 'Elsewhere', '2026-11-29 07:54:51.891253+00', NULL),
	('wks1hKmWe2S4sRj1E77Cw', 'org0g3rai3O9kW52krIrW', 'Sales', '2026-11-29 07:54:51.832066+00', '2026-11-29 07:54:52.301015+00'),
	('wks1c0jTe3md0u00KUQpd', 'org0g3rai3O9kW52krIrW', 'Support', '2026-11-29 07:54:51.859999+00', '2026-11-29 07:54:52.311915+00');


--
-- Name: audit_events_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_events_id_seq', 35, true);


--
-- Name: revocations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.revocations_id_seq', 1, false);


--
-- Name: security_notices_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.security_notices_id_seq', 1, false);


--
-- Name: app_changes app_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_changes
    ADD CONSTRAINT app_changes_pkey PRIMARY KEY (id);


--
-- Name: app_owners app_owners_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_owners
    ADD CONSTRAINT app_owners_pkey PRIMARY KEY (client_id, user_id);


--
-- Name: app_reviews app_reviews_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_reviews
    ADD CONSTRAINT app_reviews_pkey PRIMARY KEY (id);


--
-- Name: app_secrets app_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_secrets
    ADD CONSTRAINT app_secrets_pkey PRIMARY KEY (id);


--
-- Name: app_twins app_twins_client_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_twins
    ADD CONSTRAINT app_twins_client_id_key UNIQUE (client_id);


--
-- Name: app_twins app_twins_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_twins
    ADD CONSTRAINT app_twins_pkey PRIMARY KEY (legacy_client_id);


--
-- Name: apps apps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (client_id);


--
-- Name: asserted_connections asserted_connections_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asserted_connections
    ADD CONSTRAINT asserted_connections_pkey PRIMARY KEY (user_id, client_id, organization_id);


--
-- Name: asserted_subjects asserted_subjects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asserted_subjects
    ADD CONSTRAINT asserted_subjects_pkey PRIMARY KEY (organization_id, issuer, subject);


--
-- Name: audit_events audit_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (id);


--
-- Name: client_documents client_documents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.client_documents
    ADD CONSTRAINT client_documents_pkey PRIMARY KEY (client_id);


--
-- Name: client_hosts client_hosts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.client_hosts
    ADD CONSTRAINT client_hosts_pkey PRIMARY KEY (host);


--
-- Name: connection_epochs connection_epochs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_epochs
    ADD CONSTRAINT connection_epochs_pkey PRIMARY KEY (user_id, client_id, organization_id);


--
-- Name: consents consents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (user_id, organization_id, client_id);


--
-- Name: counters counters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_pkey PRIMARY KEY (key);


--
-- Name: families families_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.families
    ADD CONSTRAINT families_pkey PRIMARY KEY (id);


--
-- Name: grants grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);


--
-- Name: identity_providers identity_providers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_providers
    ADD CONSTRAINT identity_providers_pkey PRIMARY KEY (organization_id);


--
-- Name: install_requests install_requests_decision_check; Type: CHECK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.install_requests
    ADD CONSTRAINT install_requests_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text, 'used_up'::text]))) NOT VALID;


--
-- Name: install_requests install_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.install_requests
    ADD CONSTRAINT install_requests_pkey PRIMARY KEY (id);


--
-- Name: installs installs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.installs
    ADD CONSTRAINT installs_pkey PRIMARY KEY (id);


--
-- Name: key_set_secrets key_set_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_set_secrets
    ADD CONSTRAINT key_set_secrets_pkey PRIMARY KEY (id);


--
-- Name: key_sets key_sets_client_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_sets
    ADD CONSTRAINT key_sets_client_id_key UNIQUE (client_id);


--
-- Name: key_sets key_sets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_sets
    ADD CONSTRAINT key_sets_pkey PRIMARY KEY (id);


--
-- Name: left_families left_families_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.left_families
    ADD CONSTRAINT left_families_pkey PRIMARY KEY (id);


--
-- Name: logos logos_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.logos
    ADD CONSTRAINT logos_pkey PRIMARY KEY (digest);


--
-- Name: longest_token_lifetime longest_token_lifetime_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.longest_token_lifetime
    ADD CONSTRAINT longest_token_lifetime_pkey PRIMARY KEY (id);


--
-- Name: mail_choices mail_choices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_choices
    ADD CONSTRAINT mail_choices_pkey PRIMARY KEY (user_id, category);


--
-- Name: mail_events mail_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_events
    ADD CONSTRAINT mail_events_pkey PRIMARY KEY (id);


--
-- Name: mail_service mail_service_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_service
    ADD CONSTRAINT mail_service_pkey PRIMARY KEY (id);


--
-- Name: mails mails_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (user_id, event_id);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (organization_id, user_id);


--
-- Name: migrations migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);


--
-- Name: operator_tokens operator_tokens_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operator_tokens
    ADD CONSTRAINT operator_tokens_digest_key UNIQUE (digest);


--
-- Name: operator_tokens operator_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operator_tokens
    ADD CONSTRAINT operator_tokens_pkey PRIMARY KEY (id);


--
-- Name: operators operators_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (user_id);


--
-- Name: organization_policies organization_policies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organization_policies
    ADD CONSTRAINT organization_policies_pkey PRIMARY KEY (organization_id);


--
-- Name: organizations organizations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);


--
-- Name: passkeys passkeys_credential_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);


--
-- Name: passkeys passkeys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);


--
-- Name: permission_catalogue permission_catalogue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.permission_catalogue
    ADD CONSTRAINT permission_catalogue_pkey PRIMARY KEY (is_only);


--
-- Name: permissions permissions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.permissions
    ADD CONSTRAINT permissions_pkey PRIMARY KEY (interface, name);


--
-- Name: records records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (collection, key);


--
-- Name: reminders reminders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reminders
    ADD CONSTRAINT reminders_pkey PRIMARY KEY (id);


--
-- Name: resource_servers resource_servers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.resource_servers
    ADD CONSTRAINT resource_servers_pkey PRIMARY KEY (client_id);


--
-- Name: revocations revocations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.revocations
    ADD CONSTRAINT revocations_pkey PRIMARY KEY (id);


--
-- Name: revoked_tokens revoked_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.revoked_tokens
    ADD CONSTRAINT revoked_tokens_pkey PRIMARY KEY (jti);


--
-- Name: rsa_signing_keys rsa_signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rsa_signing_keys
    ADD CONSTRAINT rsa_signing_keys_pkey PRIMARY KEY (kid);


--
-- Name: sandboxes sandboxes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sandboxes
    ADD CONSTRAINT sandboxes_pkey PRIMARY KEY (organization_id);


--
-- Name: scim_groups scim_groups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scim_groups
    ADD CONSTRAINT scim_groups_pkey PRIMARY KEY (workspace_id);


--
-- Name: scim_tokens scim_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scim_tokens
    ADD CONSTRAINT scim_tokens_pkey PRIMARY KEY (id);


--
-- Name: scim_users scim_users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_pkey PRIMARY KEY (organization_id, user_id);


--
-- Name: security_notices security_notices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.security_notices
    ADD CONSTRAINT security_notices_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_lineage_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_lineage_hash_key UNIQUE (lineage_hash);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);


--
-- Name: sign_in_places sign_in_places_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_pkey PRIMARY KEY (user_id, place);


--
-- Name: signing_keys signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);


--
-- Name: test_people test_people_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.test_people
    ADD CONSTRAINT test_people_pkey PRIMARY KEY (user_id);


--
-- Name: token_reaches token_reaches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token_reaches
    ADD CONSTRAINT token_reaches_pkey PRIMARY KEY (id);


--
-- Name: usage_days usage_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (organization_id, day, client_id, outcome, reason);


--
-- Name: user_identities user_identities_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject);


--
-- Name: user_identities user_identities_user_id_issuer_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_id_issuer_key UNIQUE (user_id, issuer);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: webhook_deliveries webhook_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (webhook_id, id);


--
-- Name: webhook_secrets webhook_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_pkey PRIMARY KEY (id);


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);


--
-- Name: workspace_members workspace_members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspace_members
    ADD CONSTRAINT workspace_members_pkey PRIMARY KEY (user_id, workspace_id);


--
-- Name: workspaces workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);


--
-- Name: app_changes_app; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_changes_app ON public.app_changes USING btree (client_id, created_at DESC, id DESC);


--
-- Name: app_changes_decided; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_changes_decided ON public.app_changes USING btree (decided_at) WHERE (decided_at IS NOT NULL);


--
-- Name: app_changes_open; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX app_changes_open ON public.app_changes USING btree (client_id) WHERE (decided_at IS NULL);


--
-- Name: app_changes_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_changes_waiting ON public.app_changes USING btree (created_at, id) WHERE (decided_at IS NULL);


--
-- Name: app_owners_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_owners_user ON public.app_owners USING btree (user_id, client_id);


--
-- Name: app_reviews_client; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX app_reviews_client ON public.app_reviews USING btree (client_id);


--
-- Name: app_reviews_decided; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_reviews_decided ON public.app_reviews USING btree (decided_at) WHERE (decided_at IS NOT NULL);


--
-- Name: app_reviews_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_reviews_waiting ON public.app_reviews USING btree (created_at, id) WHERE (decided_at IS NULL);


--
-- Name: app_reviews_waiting_of_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_reviews_waiting_of_host ON public.app_reviews USING btree (host) WHERE (decided_at IS NULL);


--
-- Name: app_secrets_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_secrets_client ON public.app_secrets USING btree (client_id);


--
-- Name: app_secrets_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX app_secrets_expiry ON public.app_secrets USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: apps_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX apps_created ON public.apps USING btree (created_at, client_id);


--
-- Name: apps_listed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX apps_listed ON public.apps USING btree (lower(name), client_id) WHERE listed;


--
-- Name: apps_logo; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX apps_logo ON public.apps USING btree (logo_digest) WHERE (logo_digest IS NOT NULL);


--
-- Name: apps_logo_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX apps_logo_due ON public.apps USING btree (logo_due_at) WHERE (logo_due_at IS NOT NULL);


--
-- Name: apps_own_permissions; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX apps_own_permissions ON public.apps USING gin (permissions) WHERE (NOT (permissions <@ '{readData,insertData,updateData,deleteData,addFields,readMembers,records:create,records:update,records:delete,workspace_members:read,teams:read,documents:read,table:create,table:modify,rootTable:create}'::text[]));


--
-- Name: apps_public_origins; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX apps_public_origins ON public.apps USING gin (public.web_origins(redirect_uris)) WHERE ((interface = 'current'::text) AND (client_type = 'public'::text) AND (disabled_at IS NULL));


--
-- Name: asserted_connections_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX asserted_connections_client ON public.asserted_connections USING btree (client_id);


--
-- Name: asserted_connections_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX asserted_connections_organization ON public.asserted_connections USING btree (organization_id);


--
-- Name: asserted_subjects_of_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX asserted_subjects_of_user ON public.asserted_subjects USING btree (user_id);


--
-- Name: asserted_subjects_user; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX asserted_subjects_user ON public.asserted_subjects USING btree (organization_id, issuer, user_id);


--
-- Name: audit_events_actor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_actor ON public.audit_events USING btree (actor_id, id DESC) WHERE (actor_id IS NOT NULL);


--
-- Name: audit_events_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_client ON public.audit_events USING btree (client_id, id DESC);


--
-- Name: audit_events_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_organization ON public.audit_events USING btree (organization_id, id DESC);


--
-- Name: audit_events_organization_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_organization_at ON public.audit_events USING btree (organization_id, at);


--
-- Name: audit_events_request; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_request ON public.audit_events USING btree (request_id);


--
-- Name: audit_events_type; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_type ON public.audit_events USING btree (type, id DESC);


--
-- Name: audit_events_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_user ON public.audit_events USING btree (user_id, id DESC) WHERE (user_id IS NOT NULL);


--
-- Name: client_documents_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX client_documents_due ON public.client_documents USING btree (due_at);


--
-- Name: client_hosts_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX client_hosts_created ON public.client_hosts USING btree (created_at, host);


--
-- Name: connection_epochs_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_epochs_client ON public.connection_epochs USING btree (client_id);


--
-- Name: connection_epochs_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX connection_epochs_organization ON public.connection_epochs USING btree (organization_id);


--
-- Name: consents_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX consents_client ON public.consents USING btree (client_id);


--
-- Name: consents_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX consents_expiry ON public.consents USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: consents_idle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX consents_idle ON public.consents USING btree (user_id, organization_id, client_id) WHERE (idle_seconds IS NOT NULL);


--
-- Name: consents_install; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX consents_install ON public.consents USING btree (install_id);


--
-- Name: consents_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX consents_organization ON public.consents USING btree (organization_id);


--
-- Name: counters_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX counters_expiry ON public.counters USING btree (expires_at);


--
-- Name: delegations_actor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX delegations_actor ON public.delegations USING btree (actor_install_id);


--
-- Name: delegations_last_day; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX delegations_last_day ON public.delegations USING btree (last_day);


--
-- Name: delegations_parties; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX delegations_parties ON public.delegations USING btree (install_id, COALESCE(user_id, ''::text), actor_install_id);


--
-- Name: delegations_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX delegations_user ON public.delegations USING btree (user_id);


--
-- Name: families_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX families_expiry ON public.families USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: grants_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_client ON public.grants USING btree (client_id);


--
-- Name: grants_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_expiry ON public.grants USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: grants_install; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_install ON public.grants USING btree (install_id);


--
-- Name: grants_never_used; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_never_used ON public.grants USING btree (created_at, id) WHERE (NOT used);


--
-- Name: grants_of_connection; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_of_connection ON public.grants USING btree (user_id, install_id, ((expires_at IS NULL)), created_at, id) WHERE (ended_at IS NULL);


--
-- Name: grants_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_organization ON public.grants USING btree (organization_id);


--
-- Name: grants_superseded; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_superseded ON public.grants USING btree (ended_at) WHERE (ended_reason = 'superseded'::text);


--
-- Name: grants_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_user ON public.grants USING btree (user_id, client_id);


--
-- Name: identity_providers_issuer; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX identity_providers_issuer ON public.identity_providers USING btree (issuer, organization_id);


--
-- Name: install_requests_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX install_requests_client ON public.install_requests USING btree (client_id);


--
-- Name: install_requests_open; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX install_requests_open ON public.install_requests USING btree (organization_id, client_id, user_id) WHERE (decided_at IS NULL);


--
-- Name: install_requests_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX install_requests_organization ON public.install_requests USING btree (organization_id, client_id);


--
-- Name: install_requests_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX install_requests_user ON public.install_requests USING btree (user_id);


--
-- Name: install_requests_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX install_requests_waiting ON public.install_requests USING btree (created_at, id) WHERE ((decided_at IS NULL) AND (decision IS NULL));


--
-- Name: installs_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX installs_client ON public.installs USING btree (client_id);


--
-- Name: installs_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX installs_expiry ON public.installs USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (ended_at IS NULL));


--
-- Name: installs_idle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX installs_idle ON public.installs USING btree (id) WHERE ((idle_seconds IS NOT NULL) AND (ended_at IS NULL));


--
-- Name: installs_live; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX installs_live ON public.installs USING btree (organization_id, client_id) WHERE (ended_at IS NULL);


--
-- Name: installs_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX installs_organization ON public.installs USING btree (organization_id, client_id);


--
-- Name: installs_own_permissions; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX installs_own_permissions ON public.installs USING gin (permissions) WHERE ((ended_at IS NULL) AND (NOT (permissions <@ '{readData,insertData,updateData,deleteData,addFields,readMembers,records:create,records:update,records:delete,workspace_members:read,teams:read,documents:read,table:create,table:modify,rootTable:create}'::text[])));


--
-- Name: key_set_secrets_digest; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX key_set_secrets_digest ON public.key_set_secrets USING btree (digest);


--
-- Name: key_set_secrets_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX key_set_secrets_expiry ON public.key_set_secrets USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: key_set_secrets_key_set; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX key_set_secrets_key_set ON public.key_set_secrets USING btree (key_set_id);


--
-- Name: key_sets_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX key_sets_organization ON public.key_sets USING btree (organization_id);


--
-- Name: key_sets_own_permissions; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX key_sets_own_permissions ON public.key_sets USING gin (permissions) WHERE (NOT (permissions <@ '{readData,insertData,updateData,deleteData,addFields,readMembers,records:create,records:update,records:delete,workspace_members:read,teams:read,documents:read,table:create,table:modify,rootTable:create}'::text[]));


--
-- Name: logos_released; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX logos_released ON public.logos USING btree (released_at) WHERE (released_at IS NOT NULL);


--
-- Name: mail_events_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_events_created_at ON public.mail_events USING btree (created_at);


--
-- Name: mail_events_type; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_events_type ON public.mail_events USING btree (type, created_at);


--
-- Name: mails_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_created_at ON public.mails USING btree (created_at);


--
-- Name: mails_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_due ON public.mails USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);


--
-- Name: mails_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_organization ON public.mails USING btree (organization_id, created_at);


--
-- Name: mails_recent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_recent ON public.mails USING btree (user_id, created_at);


--
-- Name: mails_turns; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mails_turns ON public.mails USING btree ((
CASE
    WHEN (category = ANY (ARRAY['account'::text, 'security'::text])) THEN category
    ELSE 'other'::text
END), COALESCE(
CASE
    WHEN (type <> 'app.asks_for_more'::text) THEN organization_id
    ELSE NULL::text
END, client_id, type), next_attempt_at) WHERE (next_attempt_at IS NOT NULL);


--
-- Name: members_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_user ON public.members USING btree (user_id);


--
-- Name: operator_tokens_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operator_tokens_expiry ON public.operator_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: operators_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operators_created ON public.operators USING btree (created_at, user_id);


--
-- Name: organizations_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX organizations_created ON public.organizations USING btree (created_at, id);


--
-- Name: organizations_logo; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX organizations_logo ON public.organizations USING btree (logo_digest) WHERE (logo_digest IS NOT NULL);


--
-- Name: organizations_logo_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX organizations_logo_due ON public.organizations USING btree (logo_due_at) WHERE (logo_due_at IS NOT NULL);


--
-- Name: passkeys_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);


--
-- Name: permissions_for_reading; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX permissions_for_reading ON public.permissions USING btree (interface) WHERE read_permission;


--
-- Name: records_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX records_expiry ON public.records USING btree (expires_at);


--
-- Name: reminders_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reminders_expires_at ON public.reminders USING btree (expires_at);


--
-- Name: resource_servers_resource; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX resource_servers_resource ON public.resource_servers USING gin (resource);


--
-- Name: revocations_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX revocations_subject ON public.revocations USING btree (type, subject_id, user_id);


--
-- Name: revocations_until; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX revocations_until ON public.revocations USING btree (until);


--
-- Name: revoked_tokens_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX revoked_tokens_expiry ON public.revoked_tokens USING btree (expires_at);


--
-- Name: rsa_signing_keys_one_active; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX rsa_signing_keys_one_active ON public.rsa_signing_keys USING btree (status) WHERE (status = 'active'::text);


--
-- Name: rsa_signing_keys_one_next; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX rsa_signing_keys_one_next ON public.rsa_signing_keys USING btree (status) WHERE (status = 'next'::text);


--
-- Name: sandboxes_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX sandboxes_owner ON public.sandboxes USING btree (owner_id);


--
-- Name: scim_tokens_digest; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX scim_tokens_digest ON public.scim_tokens USING btree (digest);


--
-- Name: scim_tokens_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scim_tokens_organization ON public.scim_tokens USING btree (organization_id, id);


--
-- Name: scim_users_external_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scim_users_external_id ON public.scim_users USING btree (organization_id, external_id);


--
-- Name: scim_users_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX scim_users_name ON public.scim_users USING btree (organization_id, lower(user_name));


--
-- Name: scim_users_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scim_users_user ON public.scim_users USING btree (user_id);


--
-- Name: security_notices_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX security_notices_expires_at ON public.security_notices USING btree (expires_at);


--
-- Name: security_notices_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX security_notices_user ON public.security_notices USING btree (user_id, id);


--
-- Name: sessions_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_expires_at ON public.sessions USING btree (expires_at);


--
-- Name: sessions_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_user ON public.sessions USING btree (user_id, created_at);


--
-- Name: sign_in_places_seen_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_places_seen_at ON public.sign_in_places USING btree (seen_at);


--
-- Name: signing_keys_one_active; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX signing_keys_one_active ON public.signing_keys USING btree (status) WHERE (status = 'active'::text);


--
-- Name: signing_keys_one_next; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX signing_keys_one_next ON public.signing_keys USING btree (status) WHERE (status = 'next'::text);


--
-- Name: test_people_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX test_people_organization ON public.test_people USING btree (organization_id, created_at);


--
-- Name: token_reaches_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_reaches_expiry ON public.token_reaches USING btree (expires_at);


--
-- Name: usage_days_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_days_client ON public.usage_days USING btree (client_id, day);


--
-- Name: usage_days_day; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_days_day ON public.usage_days USING btree (day);


--
-- Name: users_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX users_created ON public.users USING btree (created_at, id);


--
-- Name: users_email; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));


--
-- Name: webhook_deliveries_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (created_at);


--
-- Name: webhook_deliveries_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);


--
-- Name: webhook_deliveries_recent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_recent ON public.webhook_deliveries USING btree (webhook_id, created_at DESC, id DESC);


--
-- Name: webhook_deliveries_turns; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_turns ON public.webhook_deliveries USING btree (webhook_id, COALESCE(organization_id, (data ->> 'client_id'::text), ''::text), next_attempt_at) WHERE (next_attempt_at IS NOT NULL);


--
-- Name: webhook_secrets_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_secrets_expiry ON public.webhook_secrets USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: webhook_secrets_webhook; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_secrets_webhook ON public.webhook_secrets USING btree (webhook_id);


--
-- Name: webhooks_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhooks_client ON public.webhooks USING btree (client_id);


--
-- Name: workspace_members_workspace; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspace_members_workspace ON public.workspace_members USING btree (workspace_id);


--
-- Name: workspaces_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspaces_organization ON public.workspaces USING btree (organization_id);


--
-- Name: apps app_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER app_changed AFTER UPDATE OF permissions, disabled_at, families_epoch ON public.apps DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.permissions IS DISTINCT FROM new.permissions) OR (old.disabled_at IS DISTINCT FROM new.disabled_at)) OR (old.families_epoch IS DISTINCT FROM new.families_epoch))) EXECUTE FUNCTION public.app_changed();


--
-- Name: apps app_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER app_deleted AFTER DELETE ON public.apps DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.app_changed();


--
-- Name: apps app_organizations; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER app_organizations BEFORE DELETE ON public.apps FOR EACH ROW EXECUTE FUNCTION public.remember_organizations('client_id');


--
-- Name: connection_epochs connection_ended; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER connection_ended AFTER INSERT OR UPDATE OF epoch ON public.connection_epochs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.connection_ended();


--
-- Name: users continue_user; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER continue_user BEFORE INSERT ON public.users FOR EACH ROW EXECUTE FUNCTION public.continue_user();


--
-- Name: grants grant_ended; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER grant_ended AFTER UPDATE OF ended_at ON public.grants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION public.grant_ended();


--
-- Name: grants grants_left; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER grants_left AFTER DELETE ON public.grants REFERENCING OLD TABLE AS gone FOR EACH STATEMENT WHEN ((pg_trigger_depth() > 0)) EXECUTE FUNCTION public.keep_left_families();


--
-- Name: installs install_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER install_changed AFTER UPDATE OF permissions, workspace_ids, suspended_at, ended_at ON public.installs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((((old.permissions IS DISTINCT FROM new.permissions) OR (old.workspace_ids IS DISTINCT FROM new.workspace_ids)) OR (old.suspended_at IS DISTINCT FROM new.suspended_at)) OR (old.ended_at IS DISTINCT FROM new.ended_at))) EXECUTE FUNCTION public.install_changed();


--
-- Name: installs install_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER install_deleted AFTER DELETE ON public.installs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.install_deleted();


--
-- Name: key_sets key_set_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER key_set_changed AFTER UPDATE OF permissions, workspace_ids ON public.key_sets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.permissions IS DISTINCT FROM new.permissions) OR (old.workspace_ids IS DISTINCT FROM new.workspace_ids))) EXECUTE FUNCTION public.key_set_changed();


--
-- Name: key_sets key_set_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER key_set_deleted AFTER DELETE ON public.key_sets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.key_set_changed();


--
-- Name: key_set_secrets key_set_secret_retired; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER key_set_secret_retired AFTER UPDATE OF expires_at ON public.key_set_secrets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.expires_at IS DISTINCT FROM new.expires_at)) EXECUTE FUNCTION public.key_set_secret_retired();


--
-- Name: key_sets key_set_workloads_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER key_set_workloads_changed AFTER UPDATE OF workloads ON public.key_sets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.workloads IS DISTINCT FROM new.workloads)) EXECUTE FUNCTION public.key_set_changed();


--
-- Name: apps logo_released; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER logo_released AFTER DELETE OR UPDATE OF logo_uri, logo_digest ON public.apps FOR EACH ROW WHEN ((old.logo_digest IS NOT NULL)) EXECUTE FUNCTION public.logo_released();


--
-- Name: organizations logo_released; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER logo_released AFTER DELETE OR UPDATE OF logo_uri, logo_digest ON public.organizations FOR EACH ROW WHEN ((old.logo_digest IS NOT NULL)) EXECUTE FUNCTION public.logo_released();


--
-- Name: apps logo_requested; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER logo_requested BEFORE INSERT OR UPDATE OF logo_uri ON public.apps FOR EACH ROW EXECUTE FUNCTION public.logo_requested();


--
-- Name: organizations logo_requested; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER logo_requested BEFORE INSERT OR UPDATE OF logo_uri ON public.organizations FOR EACH ROW EXECUTE FUNCTION public.logo_requested();


--
-- Name: members member_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER member_changed AFTER INSERT OR DELETE ON public.members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.member_changed();


--
-- Name: members members_admin_added; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER members_admin_added AFTER INSERT ON public.members FOR EACH ROW WHEN ((new.role = 'admin'::text)) EXECUTE FUNCTION public.mark_admins_of_member();


--
-- Name: members members_admin_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER members_admin_changed AFTER UPDATE OF role ON public.members FOR EACH ROW WHEN ((old.role IS DISTINCT FROM new.role)) EXECUTE FUNCTION public.mark_admins_of_member();


--
-- Name: members members_admin_removed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER members_admin_removed AFTER DELETE ON public.members FOR EACH ROW WHEN ((old.role = 'admin'::text)) EXECUTE FUNCTION public.mark_admins_of_member();


--
-- Name: organizations organization_created; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER organization_created AFTER INSERT ON public.organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.organization_created();


--
-- Name: organizations organization_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER organization_deleted AFTER DELETE ON public.organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.organization_deleted();


--
-- Name: app_owners refuse_test_person; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_test_person BEFORE INSERT OR UPDATE OF user_id ON public.app_owners FOR EACH ROW EXECUTE FUNCTION public.refuse_test_person();


--
-- Name: members refuse_test_person; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_test_person BEFORE INSERT OR UPDATE OF organization_id, user_id ON public.members FOR EACH ROW EXECUTE FUNCTION public.refuse_test_person();


--
-- Name: operators refuse_test_person; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_test_person BEFORE INSERT OR UPDATE OF user_id ON public.operators FOR EACH ROW EXECUTE FUNCTION public.refuse_test_person();


--
-- Name: scim_users scim_users_removed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER scim_users_removed AFTER DELETE ON public.scim_users FOR EACH ROW WHEN (((old.kept_role = 'admin'::text) OR (old.kept_workspaces <> '{}'::text[]))) EXECUTE FUNCTION public.mark_kept_groups();


--
-- Name: scim_users scim_users_role_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER scim_users_role_changed AFTER UPDATE OF kept_role ON public.scim_users FOR EACH ROW WHEN ((old.kept_role IS DISTINCT FROM new.kept_role)) EXECUTE FUNCTION public.mark_admins_of_member();


--
-- Name: grants set_connection_epoch; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER set_connection_epoch BEFORE INSERT ON public.grants FOR EACH ROW WHEN ((new.connection_epoch IS NULL)) EXECUTE FUNCTION public.set_connection_epoch();


--
-- Name: test_people test_person_gone; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER test_person_gone AFTER DELETE ON public.test_people FOR EACH ROW EXECUTE FUNCTION public.test_person_gone();


--
-- Name: revoked_tokens token_revoked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER token_revoked AFTER INSERT ON public.revoked_tokens DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.token_revoked();


--
-- Name: users user_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER user_changed AFTER UPDATE OF disabled_at, credentials_epoch ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.disabled_at IS DISTINCT FROM new.disabled_at) OR (old.credentials_epoch IS DISTINCT FROM new.credentials_epoch))) EXECUTE FUNCTION public.user_changed();


--
-- Name: users user_created; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER user_created AFTER INSERT ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.user_created();


--
-- Name: users user_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER user_deleted AFTER DELETE ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.user_changed();


--
-- Name: users user_organizations; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER user_organizations BEFORE DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION public.remember_organizations('id');


--
-- Name: users users_profile_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER users_profile_changed BEFORE UPDATE ON public.users FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.email IS DISTINCT FROM new.email) OR (old.verified_email IS DISTINCT FROM new.verified_email))) EXECUTE FUNCTION public.profile_changed();


--
-- Name: workspaces workspace_created; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER workspace_created AFTER INSERT ON public.workspaces DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.workspace_created();


--
-- Name: workspaces workspace_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER workspace_deleted AFTER DELETE ON public.workspaces DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.workspace_deleted();


--
-- Name: workspace_members workspace_member_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER workspace_member_changed AFTER INSERT OR DELETE ON public.workspace_members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.workspace_member_changed();


--
-- Name: workspace_members workspace_members_added; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER workspace_members_added AFTER INSERT ON public.workspace_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.mark_workspaces_of_members();


--
-- Name: workspace_members workspace_members_removed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER workspace_members_removed AFTER DELETE ON public.workspace_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.mark_workspaces_of_members();


--
-- Name: workspaces workspaces_renamed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER workspaces_renamed BEFORE UPDATE OF name ON public.workspaces FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name)) EXECUTE FUNCTION public.mark_renamed_workspace();


--
-- Name: app_changes app_changes_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_changes
    ADD CONSTRAINT app_changes_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: app_owners app_owners_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_owners
    ADD CONSTRAINT app_owners_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: app_owners app_owners_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_owners
    ADD CONSTRAINT app_owners_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: app_secrets app_secrets_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_secrets
    ADD CONSTRAINT app_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: app_twins app_twins_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_twins
    ADD CONSTRAINT app_twins_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: app_twins app_twins_legacy_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_twins
    ADD CONSTRAINT app_twins_legacy_client_id_fkey FOREIGN KEY (legacy_client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: asserted_connections asserted_connections_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asserted_connections
    ADD CONSTRAINT asserted_connections_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: asserted_connections asserted_connections_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asserted_connections
    ADD CONSTRAINT asserted_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.identity_providers(organization_id) ON DELETE CASCADE;


--
-- Name: asserted_connections asserted_connections_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asserted_connections
    ADD CONSTRAINT asserted_connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: asserted_subjects asserted_subjects_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asserted_subjects
    ADD CONSTRAINT asserted_subjects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.identity_providers(organization_id) ON DELETE CASCADE;


--
-- Name: asserted_subjects asserted_subjects_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.asserted_subjects
    ADD CONSTRAINT asserted_subjects_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: client_documents client_documents_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.client_documents
    ADD CONSTRAINT client_documents_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: connection_epochs connection_epochs_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_epochs
    ADD CONSTRAINT connection_epochs_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: connection_epochs connection_epochs_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_epochs
    ADD CONSTRAINT connection_epochs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: connection_epochs connection_epochs_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.connection_epochs
    ADD CONSTRAINT connection_epochs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: consents consents_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: consents consents_install_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_install_id_fkey FOREIGN KEY (install_id) REFERENCES public.installs(id) ON DELETE CASCADE;


--
-- Name: consents consents_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: consents consents_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: delegations delegations_actor_install_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_actor_install_id_fkey FOREIGN KEY (actor_install_id) REFERENCES public.installs(id) ON DELETE CASCADE;


--
-- Name: delegations delegations_install_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_install_id_fkey FOREIGN KEY (install_id) REFERENCES public.installs(id) ON DELETE CASCADE;


--
-- Name: delegations delegations_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: grants grants_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: grants grants_install_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_install_id_fkey FOREIGN KEY (install_id) REFERENCES public.installs(id) ON DELETE CASCADE;


--
-- Name: grants grants_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: grants grants_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: identity_providers identity_providers_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.identity_providers
    ADD CONSTRAINT identity_providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: install_requests install_requests_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.install_requests
    ADD CONSTRAINT install_requests_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: install_requests install_requests_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.install_requests
    ADD CONSTRAINT install_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: install_requests install_requests_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.install_requests
    ADD CONSTRAINT install_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: installs installs_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.installs
    ADD CONSTRAINT installs_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: installs installs_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.installs
    ADD CONSTRAINT installs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: key_set_secrets key_set_secrets_key_set_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_set_secrets
    ADD CONSTRAINT key_set_secrets_key_set_id_fkey FOREIGN KEY (key_set_id) REFERENCES public.key_sets(id) ON DELETE CASCADE;


--
-- Name: key_sets key_sets_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_sets
    ADD CONSTRAINT key_sets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: mail_choices mail_choices_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_choices
    ADD CONSTRAINT mail_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: mails mails_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: members members_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: members members_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: operators operators_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: organization_policies organization_policies_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organization_policies
    ADD CONSTRAINT organization_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: passkeys passkeys_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: sandboxes sandboxes_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sandboxes
    ADD CONSTRAINT sandboxes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: sandboxes sandboxes_owner_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sandboxes
    ADD CONSTRAINT sandboxes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.users(id) ON DELETE SET NULL;


--
-- Name: scim_groups scim_groups_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scim_groups
    ADD CONSTRAINT scim_groups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: scim_tokens scim_tokens_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scim_tokens
    ADD CONSTRAINT scim_tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: scim_users scim_users_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: scim_users scim_users_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: security_notices security_notices_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.security_notices
    ADD CONSTRAINT security_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: sign_in_places sign_in_places_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_places
    ADD CONSTRAINT sign_in_places_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: test_people test_people_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.test_people
    ADD CONSTRAINT test_people_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.sandboxes(organization_id) ON DELETE CASCADE;


--
-- Name: test_people test_people_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.test_people
    ADD CONSTRAINT test_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: usage_days usage_days_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- Name: user_identities user_identities_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: webhook_secrets webhook_secrets_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;


--
-- Name: webhooks webhooks_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.apps(client_id) ON DELETE CASCADE;


--
-- Name: workspace_members workspace_members_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspace_members
    ADD CONSTRAINT workspace_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: workspace_members workspace_members_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspace_members
    ADD CONSTRAINT workspace_members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: workspaces workspaces_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict FzCdZu3aTDsS0hrtcK22aLQgeC1iJdYEM63Wk8fKq9i84P0HmQtfS8OrUehMIOb

