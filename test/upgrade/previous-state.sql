--
-- PostgreSQL database dump
--

\restrict D7YflKHtvxucCcLLnG4Xr2I9ffEOJ24DTGZxkLYtC8aBoEsT7Pgk4HDYYK9a0kZ

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
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_advisory_xact_lock(hashtext('latchkey'), hashtext('revocations'));
  insert into revocations (type, subject_id, user_id, state, until)
  values (kind, subject, person, now_is, clock_timestamp() + interval '2 hours 10 minutes');
end
$$;


--
-- Name: app_changed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.app_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce('app', coalesce(new.client_id, old.client_id), null, jsonb_build_object(
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
  perform announce('connection', new.organization_id, new.user_id, jsonb_build_object(
    'active', true, 'client_id', new.client_id, 'epoch', new.epoch));
  return null;
end
$$;


--
-- Name: grant_ended(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.grant_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce('grant', new.id::text, null, '{"active": false}');
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
  perform announce('install', new.id, null, jsonb_build_object(
    'active', new.suspended_at is null and new.ended_at is null,
    'permissions', new.permissions, 'workspace_ids', new.workspace_ids));
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
  perform announce('key_set', old.client_id, null, jsonb_build_object('active', new.id is not null));
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
  perform announce('key_set', client_id, null, '{"active": true}')
    from key_sets where id = new.key_set_id;
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
      perform announce('member', new.organization_id, new.user_id, '{"active": true}');
    end if;
  -- What went with the organization or with the user is told once, as that.
  elsif exists (select 1 from organizations where id = old.organization_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce('member', old.organization_id, old.user_id, '{"active": false}');
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
  perform announce('organization', old.id, null, '{"active": false}');
  return null;
end
$$;


--
-- Name: set_connection_epoch(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.set_connection_epoch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.connection_epoch := coalesce((
    select epoch from connection_epochs
     where user_id = new.user_id and client_id = new.client_id and organization_id = new.organization_id), 0);
  return new;
end
$$;


--
-- Name: token_revoked(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.token_revoked() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform announce('token', new.jti, null, '{"active": false}');
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
  perform announce('user', coalesce(new.id, old.id), null, jsonb_build_object(
    'active', new.id is not null and new.disabled_at is null,
    'epoch', coalesce(new.credentials_epoch, old.credentials_epoch)));
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
-- Name: workspace_deleted(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.workspace_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select 1 from organizations where id = old.organization_id) then
    perform announce('workspace', old.id, null, '{"active": false}');
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
      perform announce('workspace_member', new.workspace_id, new.user_id, '{"active": true}');
    end if;
  elsif exists (select 1 from workspaces where id = old.workspace_id)
    and exists (select 1 from users where id = old.user_id) then
    perform announce('workspace_member', old.workspace_id, old.user_id, '{"active": false}');
  end if;
  return null;
end
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

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
    CONSTRAINT apps_client_type_check CHECK ((client_type = ANY (ARRAY['confidential'::text, 'public'::text]))),
    CONSTRAINT apps_interface_check CHECK ((interface = ANY (ARRAY['legacy'::text, 'current'::text]))),
    CONSTRAINT apps_retry_window_seconds_check CHECK (((retry_window_seconds >= 0) AND (retry_window_seconds <= 60)))
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
    last_used_at timestamp with time zone
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
    unsettled jsonb
)
WITH (fillfactor='85');


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
    CONSTRAINT install_requests_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'refused'::text, 'withdrawn'::text])))
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
    last_used_at timestamp with time zone
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
    CONSTRAINT key_sets_interface_check CHECK ((interface = ANY (ARRAY['legacy'::text, 'current'::text])))
);


--
-- Name: left_families; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.left_families (
    id uuid NOT NULL
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
    digest_key_id text
);


--
-- Name: organizations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.organizations (
    id text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
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
-- Name: resource_servers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.resource_servers (
    client_id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    digest_key_id text
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
    until timestamp with time zone NOT NULL
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
    expires_at timestamp with time zone NOT NULL
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
    verified_email text
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
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Data for Name: app_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.app_secrets VALUES
	('sec180b714HbAJE4fywh0', 'app1aaRDY2ByYz91yBXVr', '\xfdf7e21a740b5b75fb45a37863678b8cfcfee1fd83da76bf2d13b1a67df267ba', '…L1aA', '2026-11-25 05:55:37.313953+00', NULL, NULL, '5f4af40d54e1'),
	('sec1nR4150NiSRO0fCDsQ', 'app47evTJ2LvVVQ0cjB2y', '\xaeb64fe95933d7017f099e452714ce6c7d75911dd289c5caecf19d15597ce86d', '…pren', '2026-11-25 05:55:37.303033+00', '2026-11-25 05:55:37.673921+00', NULL, '5f4af40d54e1'),
	('sec4UOZn80gsWJK1Pcbap', 'app37aWja1iJDV12bmoGt', '\x02a8104ec1fe76d0ae98f77228ce11b02d59446dade31bd96910b98252ab9580', '…BlvK', '2026-11-25 05:55:37.324108+00', '2026-11-25 05:55:38.675496+00', NULL, '5f4af40d54e1');


--
-- Data for Name: app_twins; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: apps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.apps VALUES
	('app47evTJ2LvVVQ0cjB2y', 'Report Builder', 'current', 'confidential', '{https://app.example/cb}', '{records:create,records:update,workspace_members:read}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-25 05:55:37.300689+00', '2026-11-25 05:55:37.300689+00', false, '{}', false, false, NULL),
	('app1aaRDY2ByYz91yBXVr', 'Second', 'current', 'confidential', '{https://app.example/cb}', '{records:create,records:update,workspace_members:read}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-25 05:55:37.312803+00', '2026-11-25 05:55:37.312803+00', false, '{}', false, false, NULL),
	('app3PtZy53iZ3Pr2au6Jw', 'Pocket Tables', 'current', 'public', '{https://spa.example/cb}', '{records:create,records:update,workspace_members:read}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-25 05:55:37.317982+00', '2026-11-25 05:55:37.317982+00', false, '{}', false, false, NULL),
	('app37aWja1iJDV12bmoGt', 'Sheet Sync', 'legacy', 'confidential', '{https://app.example/cb}', '{readData,insertData,deleteData}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-25 05:55:37.323225+00', '2026-11-25 05:55:37.323225+00', false, '{}', false, false, NULL),
	('app3wzohm3WHkDp3epvOZ', 'Sheet View', 'legacy', 'public', '{https://view.example/cb}', '{readData,insertData,deleteData}', NULL, NULL, NULL, NULL, 0, 0, NULL, '2026-11-25 05:55:37.330287+00', '2026-11-25 05:55:37.330287+00', false, '{}', false, false, NULL);


--
-- Data for Name: audit_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-25 05:55:36.937339+00', 'organization.created', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, NULL, '127.0.0.1', 'req_YpS65X6gqUNKaSvs', '{}'),
	(2, '2026-11-25 05:55:36.97646+00', 'organization.created', 'operator', 'configured', 'org2gu3iu2Z1uOR0EKHFK', NULL, NULL, '127.0.0.1', 'req_YuVVqkeANRa1pyZB', '{}'),
	(3, '2026-11-25 05:55:36.990828+00', 'workspace.created', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, NULL, '127.0.0.1', 'req_k-Orqd6kO9F74gRT', '{"workspace_id": "wks4KnZVX3Uhlx426O57n"}'),
	(4, '2026-11-25 05:55:37.007279+00', 'workspace.created', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, NULL, '127.0.0.1', 'req_MXDqjCs7W7A8XgCL', '{"workspace_id": "wks08hTAX11WpKq1LhSN7"}'),
	(5, '2026-11-25 05:55:37.015774+00', 'workspace.created', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, NULL, '127.0.0.1', 'req_NlLzp64arudpBvuC', '{"workspace_id": "wks1mktgu0o5V4f2D79i3"}'),
	(6, '2026-11-25 05:55:37.027354+00', 'workspace.created', 'operator', 'configured', 'org2gu3iu2Z1uOR0EKHFK', NULL, NULL, '127.0.0.1', 'req_VUtu6yRpilLtXvGu', '{"workspace_id": "wks1BFXI307fqbu3u9COL"}'),
	(7, '2026-11-25 05:55:37.127131+00', 'user.created', 'operator', 'configured', NULL, NULL, 'usr3tIflE4Y7uUY3A7WKs', '127.0.0.1', 'req_6FAhe9kmZwkPw0-t', '{}'),
	(8, '2026-11-25 05:55:37.171808+00', 'user.created', 'operator', 'configured', NULL, NULL, 'usr2IAveg211AWo1k9nsE', '127.0.0.1', 'req_QUDy9ZyE59CoQanD', '{}'),
	(9, '2026-11-25 05:55:37.208896+00', 'user.created', 'operator', 'configured', NULL, NULL, 'usr3YJLEy3lWVnF2SsPPD', '127.0.0.1', 'req_yIhdFOB6rVcBgAvN', '{}'),
	(10, '2026-11-25 05:55:37.216936+00', 'member.added', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, 'usr3tIflE4Y7uUY3A7WKs', '127.0.0.1', 'req_rO_ba9MMPfVmm7q-', '{"role": "admin"}'),
	(11, '2026-11-25 05:55:37.23918+00', 'member.added', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, 'usr2IAveg211AWo1k9nsE', '127.0.0.1', 'req_4nSy5duMD1RqEeGj', '{"role": "member"}'),
	(12, '2026-11-25 05:55:37.244145+00', 'member.added', 'operator', 'configured', 'org2gu3iu2Z1uOR0EKHFK', NULL, 'usr3YJLEy3lWVnF2SsPPD', '127.0.0.1', 'req_31LAvJiuKIfHCU8N', '{"role": "member"}'),
	(13, '2026-11-25 05:55:37.250572+00', 'workspace_member.added', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, 'usr3tIflE4Y7uUY3A7WKs', '127.0.0.1', 'req_8XndHlOwSLL73yeK', '{"workspace_id": "wks4KnZVX3Uhlx426O57n"}'),
	(14, '2026-11-25 05:55:37.264423+00', 'workspace_member.added', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, 'usr2IAveg211AWo1k9nsE', '127.0.0.1', 'req_7erRcks4NjCEGxRF', '{"workspace_id": "wks4KnZVX3Uhlx426O57n"}'),
	(15, '2026-11-25 05:55:37.271084+00', 'workspace_member.added', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, 'usr3tIflE4Y7uUY3A7WKs', '127.0.0.1', 'req_yleRUKmpuo-aflOu', '{"workspace_id": "wks08hTAX11WpKq1LhSN7"}'),
	(16, '2026-11-25 05:55:37.275356+00', 'workspace_member.added', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', NULL, 'usr2IAveg211AWo1k9nsE', '127.0.0.1', 'req_IrC8CMr5cgoU4eyd', '{"workspace_id": "wks08hTAX11WpKq1LhSN7"}'),
	(17, '2026-11-25 05:55:37.300689+00', 'app.created', 'operator', 'configured', NULL, 'app47evTJ2LvVVQ0cjB2y', NULL, '127.0.0.1', 'req_8r2JwHGtAci_WDgs', '{"interface": "current", "secret_id": "sec1nR4150NiSRO0fCDsQ", "client_type": "confidential", "permissions": ["records:create", "records:update", "workspace_members:read"]}'),
	(18, '2026-11-25 05:55:37.312803+00', 'app.created', 'operator', 'configured', NULL, 'app1aaRDY2ByYz91yBXVr', NULL, '127.0.0.1', 'req_ZhaI7h2K1NcI6tnp', '{"interface": "current", "secret_id": "sec180b714HbAJE4fywh0", "client_type": "confidential", "permissions": ["records:create", "records:update", "workspace_members:read"]}'),
	(19, '2026-11-25 05:55:37.317982+00', 'app.created', 'operator', 'configured', NULL, 'app3PtZy53iZ3Pr2au6Jw', NULL, '127.0.0.1', 'req_P-NVawInfX0SsruR', '{"interface": "current", "client_type": "public", "permissions": ["records:create", "records:update", "workspace_members:read"]}'),
	(20, '2026-11-25 05:55:37.323225+00', 'app.created', 'operator', 'configured', NULL, 'app37aWja1iJDV12bmoGt', NULL, '127.0.0.1', 'req_RY3Ms9Mywi48kZzf', '{"interface": "legacy", "secret_id": "sec4UOZn80gsWJK1Pcbap", "client_type": "confidential", "permissions": ["readData", "insertData", "deleteData"]}'),
	(21, '2026-11-25 05:55:37.330287+00', 'app.created', 'operator', 'configured', NULL, 'app3wzohm3WHkDp3epvOZ', NULL, '127.0.0.1', 'req_H_oZUBUoCoYnzZ3s', '{"interface": "legacy", "client_type": "public", "permissions": ["readData", "insertData", "deleteData"]}'),
	(22, '2026-11-25 05:55:37.339682+00', 'install.approved', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', 'app47evTJ2LvVVQ0cjB2y', NULL, '127.0.0.1', 'req_b9UlDc9GfNKeIM8g', '{"install_id": "ins2UDWqh2NFUuB43km9k", "permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(23, '2026-11-25 05:55:37.350838+00', 'install.approved', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', 'app1aaRDY2ByYz91yBXVr', NULL, '127.0.0.1', 'req__1yY0BWgHsX_DB7s', '{"install_id": "ins0941Q94ACN5P2YpD0I", "permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(24, '2026-11-25 05:55:37.36054+00', 'install.approved', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', 'app3PtZy53iZ3Pr2au6Jw', NULL, '127.0.0.1', 'req_cdVFhkvEVlKAgbSm', '{"install_id": "ins0ZFMsX2kNPUg00TTcv", "permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(25, '2026-11-25 05:55:37.367548+00', 'install.approved', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', 'app37aWja1iJDV12bmoGt', NULL, '127.0.0.1', 'req_5Bf2Oyawx9_9i9VO', '{"install_id": "ins4XfmPu0hp0bp12uPWV", "permissions": ["readData", "insertData", "deleteData"], "workspace_ids": null}'),
	(26, '2026-11-25 05:55:37.374092+00', 'install.approved', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', 'app3wzohm3WHkDp3epvOZ', NULL, '127.0.0.1', 'req_0mSnD8-DAMX6WJP5', '{"install_id": "ins3jX4qr1JwdfL1bVHt8", "permissions": ["readData", "insertData", "deleteData"], "workspace_ids": null}'),
	(27, '2026-11-25 05:55:37.543024+00', 'consent.granted', 'user', 'usr2IAveg211AWo1k9nsE', 'org37wJna3LbAZ21bmIyF', 'app47evTJ2LvVVQ0cjB2y', 'usr2IAveg211AWo1k9nsE', '127.0.0.1', 'req_oSU4XFeSeQsE4gB6', '{"permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(28, '2026-11-25 05:55:37.652312+00', 'consent.granted', 'user', 'usr3tIflE4Y7uUY3A7WKs', 'org37wJna3LbAZ21bmIyF', 'app47evTJ2LvVVQ0cjB2y', 'usr3tIflE4Y7uUY3A7WKs', '127.0.0.1', 'req_ZIezrAwNIF63fj9O', '{"permissions": ["records:create", "records:update", "workspace_members:read"], "workspace_ids": null}'),
	(29, '2026-11-25 05:55:37.673237+00', 'session.signed_in', 'user', 'usr2IAveg211AWo1k9nsE', NULL, NULL, 'usr2IAveg211AWo1k9nsE', '127.0.0.1', 'req_IolSl-y9Q968w3WD', '{"method": "password", "session_id": "ses15lr1h4bIPYx2YC3fJ"}'),
	(30, '2026-11-25 05:55:37.673237+00', 'session.signed_in', 'user', 'usr3tIflE4Y7uUY3A7WKs', NULL, NULL, 'usr3tIflE4Y7uUY3A7WKs', '127.0.0.1', 'req_gbhzZ2SUvLv8zXeQ', '{"method": "password", "session_id": "ses0ojaLh0BbUez1e1bBh"}'),
	(31, '2026-11-25 05:55:38.24845+00', 'operator_token.created', 'operator', 'command-line', NULL, NULL, NULL, NULL, NULL, '{"operator_token_id": "opt4Qbru730dDa12Gps5w"}'),
	(32, '2026-11-25 05:55:38.271023+00', 'resource_server.created', 'operator', 'configured', NULL, 'rsv1HykYD22iG9s1N68cT', NULL, '127.0.0.1', 'req_eoKuM3OBVUntCuZG', '{}'),
	(33, '2026-11-25 05:55:38.352555+00', 'key_set.created', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', 'kcl1njKWv0sfcUY019sUA', NULL, '127.0.0.1', 'req_kpAeo8JmRNdvH_Ta', '{"interface": "current", "key_set_id": "kst4bHgLc3jsVyy0UVC3E", "permissions": ["records:create", "records:delete"], "workspace_ids": null}'),
	(34, '2026-11-25 05:55:38.360769+00', 'key_set.created', 'operator', 'configured', 'org37wJna3LbAZ21bmIyF', 'kcl3QWu5b21PfbE3KoMbk', NULL, '127.0.0.1', 'req_2gyL3WKidPT1j-99', '{"interface": "legacy", "key_set_id": "kst0HN5xo41cLDX0kt1Bj", "permissions": ["readData", "insertData"], "workspace_ids": null}'),
	(35, '2026-11-25 05:55:38.671892+00', 'session.signed_in', 'user', 'usr2IAveg211AWo1k9nsE', NULL, NULL, 'usr2IAveg211AWo1k9nsE', '127.0.0.1', 'req_QQSiPZoxtwNfOM_F', '{"method": "password", "session_id": "ses08f2BI4N5ym12DW9zg"}');


--
-- Data for Name: connection_epochs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: consents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.consents VALUES
	('usr2IAveg211AWo1k9nsE', 'org37wJna3LbAZ21bmIyF', 'app47evTJ2LvVVQ0cjB2y', 'ins2UDWqh2NFUuB43km9k', '{records:create,records:update,workspace_members:read}', '{records:create,records:update,workspace_members:read}', NULL, '2026-11-25 05:55:37.543024+00', '2026-11-25 05:55:37.543024+00', '{}', NULL, NULL),
	('usr3tIflE4Y7uUY3A7WKs', 'org37wJna3LbAZ21bmIyF', 'app47evTJ2LvVVQ0cjB2y', 'ins2UDWqh2NFUuB43km9k', '{records:create,records:update,workspace_members:read}', '{records:create,records:update,workspace_members:read}', NULL, '2026-11-25 05:55:37.652312+00', '2026-11-25 05:55:37.652312+00', '{}', NULL, NULL);


--
-- Data for Name: counters; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.counters VALUES
	('NNo3ikRdmDRA7F23BTpYwC', 1, '2026-11-25 06:05:37.538847+00'),
	('TvvwTNDFgDIZz-Ud9gyNDt', 1, '2026-11-25 06:05:37.601031+00'),
	('HTtVk6RlJoh8nAZfb6-S2u', 0, '2026-11-25 06:05:37.599363+00'),
	('6TpVODuHq9kWyancEf68Ub', 1, '2026-11-25 06:05:37.64932+00'),
	('Fw1uT2_HuBk6Wt5ICs6bbr', 3, '2026-11-25 06:05:37.440651+00'),
	('36uSJLgE8XjuefWBph5ZAS', 2, '2026-11-25 06:05:37.438059+00'),
	('dAK1o9gtMVKLEVoNALh18e', 0, '2026-11-25 06:05:37.422756+00'),
	('1bqDy9rOzcYDkxdHJht38X', 0, '2026-11-25 06:05:37.442041+00'),
	('G3PRU9iS8WPMpekE9uIDbC', 0, '2026-11-25 06:05:37.396424+00');


--
-- Data for Name: families; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.families VALUES
	('14fe3c8d-1349-44d2-85f0-019d8b136656', 1, 'xfoftunYNU9g', '2026-11-25 05:55:37.571018+00', NULL, NULL),
	('e72a561f-6570-4966-9836-353a4db2069f', 2, 'k4t-mLl9mg7O', '2026-11-25 05:55:37.684025+00', NULL, NULL),
	('7eeddba9-1799-463f-99bb-3911d4e38c01', 1, 'dTpf2f3OV0nm', '2026-11-25 05:55:38.341381+00', NULL, NULL);


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.grants VALUES
	('14fe3c8d-1349-44d2-85f0-019d8b136656', 'usr2IAveg211AWo1k9nsE', 'app47evTJ2LvVVQ0cjB2y', 'org37wJna3LbAZ21bmIyF', 'ins2UDWqh2NFUuB43km9k', 0, 0, '{records:create,records:update,workspace_members:read}', NULL, 'https://app.example/cb', 'pZhD7em15DUxvyRTIq7HX1CzxNQx03Q9SP14uoGvClA', '2026-11-25 05:55:37.555467+00', '2026-11-25 05:55:37.671632+00', NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
	('e72a561f-6570-4966-9836-353a4db2069f', 'usr3tIflE4Y7uUY3A7WKs', 'app47evTJ2LvVVQ0cjB2y', 'org37wJna3LbAZ21bmIyF', 'ins2UDWqh2NFUuB43km9k', 0, 0, '{records:create,records:update,workspace_members:read}', NULL, 'https://app.example/cb', '2L1qkcDNV9RFrFVSNtQu99YOK3ZPiG7N9wFacWcABpE', '2026-11-25 05:55:37.661106+00', '2026-11-25 05:55:38.674949+00', NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
	('7eeddba9-1799-463f-99bb-3911d4e38c01', 'usr2IAveg211AWo1k9nsE', 'app37aWja1iJDV12bmoGt', 'org37wJna3LbAZ21bmIyF', 'ins4XfmPu0hp0bp12uPWV', 0, 0, '{readData,insertData,deleteData}', NULL, 'https://app.example/cb', NULL, '2026-11-25 05:55:38.330202+00', '2026-11-25 05:55:38.674949+00', NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);


--
-- Data for Name: install_requests; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: installs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.installs VALUES
	('ins0941Q94ACN5P2YpD0I', 'org37wJna3LbAZ21bmIyF', 'app1aaRDY2ByYz91yBXVr', '{records:create,records:update,workspace_members:read}', NULL, NULL, '2026-11-25 05:55:37.350838+00', '2026-11-25 05:55:37.350838+00', NULL, NULL, '{}', NULL),
	('ins0ZFMsX2kNPUg00TTcv', 'org37wJna3LbAZ21bmIyF', 'app3PtZy53iZ3Pr2au6Jw', '{records:create,records:update,workspace_members:read}', NULL, NULL, '2026-11-25 05:55:37.36054+00', '2026-11-25 05:55:37.36054+00', NULL, NULL, '{}', NULL),
	('ins4XfmPu0hp0bp12uPWV', 'org37wJna3LbAZ21bmIyF', 'app37aWja1iJDV12bmoGt', '{readData,insertData,deleteData}', NULL, NULL, '2026-11-25 05:55:37.367548+00', '2026-11-25 05:55:37.367548+00', NULL, NULL, '{}', NULL),
	('ins3jX4qr1JwdfL1bVHt8', 'org37wJna3LbAZ21bmIyF', 'app3wzohm3WHkDp3epvOZ', '{readData,insertData,deleteData}', NULL, NULL, '2026-11-25 05:55:37.374092+00', '2026-11-25 05:55:37.374092+00', NULL, NULL, '{}', NULL),
	('ins2UDWqh2NFUuB43km9k', 'org37wJna3LbAZ21bmIyF', 'app47evTJ2LvVVQ0cjB2y', '{records:create,records:update,workspace_members:read}', NULL, NULL, '2026-11-25 05:55:37.339682+00', '2026-11-25 05:55:37.339682+00', NULL, NULL, '{}', '2026-11-25 05:55:38.675863+00');


--
-- Data for Name: key_set_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.key_set_secrets VALUES
	('sec4KfPkH2fBmlz3D8BiO', 'kst4bHgLc3jsVyy0UVC3E', '\xeb141fa7a66e5ffc15ed0b43149a78988529d4757432d55340b57caeb4f0135f', '\x581ad659c88d6916c0444a2ff3ecbf899ff0d0d9868b4d16fbf922e10f477b970f35b8a0a4ef6d0c039c6e84f1995cbadfdeb4b2654c119e4b7b9f2c76ace517b7e84d8e95df330cdca873195d4004123b8f10063f10729b', '…MIb9', '2026-11-25 05:55:38.35421+00', NULL, NULL, NULL, '5f4af40d54e1'),
	('sec3YxW513po1ox0cd6i8', 'kst0HN5xo41cLDX0kt1Bj', '\x291aa888b10dd2be7323fa44b22fc10d72e85403adc52aae9e5ec71a6c237eb7', NULL, '…I7XN', '2026-11-25 05:55:38.36445+00', NULL, NULL, NULL, '5f4af40d54e1');


--
-- Data for Name: key_sets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.key_sets VALUES
	('kst4bHgLc3jsVyy0UVC3E', 'kcl1njKWv0sfcUY019sUA', 'org37wJna3LbAZ21bmIyF', 'current', 'Nightly 841e7e', NULL, '{records:create,records:delete}', NULL, '2026-11-25 05:55:38.352555+00', '2026-11-25 05:55:38.352555+00', NULL),
	('kst0HN5xo41cLDX0kt1Bj', 'kcl3QWu5b21PfbE3KoMbk', 'org37wJna3LbAZ21bmIyF', 'legacy', 'Nightly 037473', NULL, '{readData,insertData}', NULL, '2026-11-25 05:55:38.360769+00', '2026-11-25 05:55:38.360769+00', NULL);


--
-- Data for Name: left_families; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.members VALUES
	('org37wJna3LbAZ21bmIyF', 'usr3tIflE4Y7uUY3A7WKs', 'admin', '2026-11-25 05:55:37.216936+00'),
	('org37wJna3LbAZ21bmIyF', 'usr2IAveg211AWo1k9nsE', 'member', '2026-11-25 05:55:37.23918+00'),
	('org2gu3iu2Z1uOR0EKHFK', 'usr3YJLEy3lWVnF2SsPPD', 'member', '2026-11-25 05:55:37.244145+00');


--
-- Data for Name: migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migrations VALUES
	('0001_initial.sql', '077d234cf5fdbd09b6722f3a3b89f11a5d34717986674ac2d3d74dd38d2955b4', '2026-11-25 05:55:36.457095+00'),
	('0002_key_set_workspaces.sql', 'c7dbdf72090b00bceffcbe4f7dc97b4033aa4e05cfbc9f2fa9f247b0c315be15', '2026-11-25 05:55:36.506172+00'),
	('0003_sign_in.sql', '9e82c73bf5374604dafcc78c55170704596fd86074dd6e9b6d5df88d1ea14a95', '2026-11-25 05:55:36.514368+00'),
	('0004_usage.sql', 'c0e9e4774de0f7ecc9cf61b2a0030fb68fa3273a1c5e5a81552098984a5151f9', '2026-11-25 05:55:36.522591+00'),
	('0005_revocations.sql', 'c30ec5eee00e6bfc7345070dc065a02c25596e91b3f2d86526c07c36d028be91', '2026-11-25 05:55:36.529981+00'),
	('0006_webhooks.sql', 'f53b4a25cdb397d03ddee1d67b42e0f14e1176c7052d08ff6a30cd75200be096', '2026-11-25 05:55:36.539603+00'),
	('0007_withdrawn_requests.sql', '8f38cf13de1d4dad6ad8e06675f7c0e9fe208a708459f63af3ffae81e639d99d', '2026-11-25 05:55:36.551329+00'),
	('0008_sessions_epoch.sql', 'd63a825ca5dd1f27a8d0a8bb7828dcc0252599591b16236c0145062ede4c3e1b', '2026-11-25 05:55:36.55584+00'),
	('0010_master_key_ids.sql', 'c238a64006a22d58ff75d102228899ebe9a2b27e285c62e35216f3f5baee0237', '2026-11-25 05:55:36.56+00'),
	('0011_growth.sql', 'a10bee7b8b46071910860dbdeaa19b09ca2cd769e304cdb3114e8a08abfd6c6f', '2026-11-25 05:55:36.564208+00'),
	('0012_openid.sql', 'd299e748a9c8e7a62fa61717abb09c1f6510c39cf326b28e95d4107b76d8bd5b', '2026-11-25 05:55:36.57353+00'),
	('0013_grants_that_expire.sql', '4819e1dcfb355bc8baa0e4286aeb394deb6b326a233fb8e2a7aa26ff8be9f68c', '2026-11-25 05:55:36.579237+00'),
	('0014_moving.sql', '1dec1d3f487a921b4f8b2e71de3cc8e8d8cdacbb95d00143ed019e4a60dd273e', '2026-11-25 05:55:36.583511+00'),
	('0015_devices.sql', 'e0f23f39cd6bdbef1a8884cd90d6ac0eae4d8ae8cd7434a849ed45667e1b7d3e', '2026-11-25 05:55:36.589916+00'),
	('0016_proof_of_possession.sql', '6a557e3f0062258dc66bbec73ec032077bb830e3c43be156ac65b8045bf1957c', '2026-11-25 05:55:36.594884+00'),
	('0017_offered_workspaces.sql', '79c3695848bced1519d87b5048029a958d45d53a02ba768051c97d1c6b08d8a6', '2026-11-25 05:55:36.599316+00'),
	('0018_claimed_once.sql', '564df0900299f426f13c756144a9ad0ff3fe9ddbd2e72dba54c24adae18b39e7', '2026-11-25 05:55:36.603002+00'),
	('0019_left_families.sql', '42a9d9e6ed06a13e35069b2b4d0531db5556db2a35cf5182b8b5f116fc041190', '2026-11-25 05:55:36.606855+00'),
	('0020_kept_last_use.sql', 'd48538195dea9a7a4eb4208f9e27f5f8948d097e164c727d20e53fd0f5215325', '2026-11-25 05:55:36.612563+00'),
	('0023_sessions.sql', 'f6b7eebf966237f7af1f2abb4e13e8305caf99216ed5cd269e2a0ba9a640dbf5', '2026-11-25 05:55:36.6163+00'),
	('0024_security_notices.sql', 'f417410d088af4d60d5f2f7ea0ff9dcd72bba8ef6ec8ecaa306cc070d5aa4a43', '2026-11-25 05:55:36.622532+00'),
	('0025_reviewed_apps.sql', '3b50ad551f59611822b946eaba3b610e8f173346418729834b044494b6e4bdf2', '2026-11-25 05:55:36.628589+00'),
	('0027_connection_epochs.sql', '68c988875439e9ad33faeecf9db8a9f6a152f10e3ea2ff22a6f155505ac44dc0', '2026-11-25 05:55:36.63325+00'),
	('0029_unsettled_requests.sql', '24dfd359903cc008466197475a0c50b3b849dccba87e6663a0aa327c06833459', '2026-11-25 05:55:36.640227+00');


--
-- Data for Name: operator_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operator_tokens VALUES
	('opt4Qbru730dDa12Gps5w', 'earlier', '\x670567f32ce2f2cc1cfb7c46a710ab092de3b169a01b630ca159c1f9d9fd2593', '…GGRz', '2026-11-25 05:55:38.24845+00', NULL, NULL, '5f4af40d54e1');


--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.organizations VALUES
	('org37wJna3LbAZ21bmIyF', 'Acme', '2026-11-25 05:55:36.937339+00'),
	('org2gu3iu2Z1uOR0EKHFK', 'Other', '2026-11-25 05:55:36.97646+00');


--
-- Data for Name: passkeys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.records VALUES
	('authorization', 'okxEJ4CutIAtSgUAPvNbx1jOc0otFE6SkWZyC9wSLEa', 'answered', '{"interface":"current","clientId":"app47evTJ2LvVVQ0cjB2y","redirectUri":"https://app.example/cb","responseType":"code","state":"the-state","permissions":null,"workspaceIds":null,"organizationHint":null,"loginHint":null,"prompts":[],"isSilent":false,"codeChallenge":"pZhD7em15DUxvyRTIq7HX1CzxNQx03Q9SP14uoGvClA","openid":null,"webMessage":null,"browser":"1GK15VR0Z14H3dQt1yW5TQmpS8Heu0KzjMLA50LGFcs","countedAs":"G3PRU9iS8WPMpekE9uIDbC","id":"okxEJ4CutIAtSgUAPvNbx1jOc0otFE6SkWZyC9wSLEa","createdAt":1795586137403,"organizationId":null,"answer":{"kind":"approved","grantId":"14fe3c8d-1349-44d2-85f0-019d8b136656","userId":"usr2IAveg211AWo1k9nsE","organizationId":"org37wJna3LbAZ21bmIyF","installId":"ins2UDWqh2NFUuB43km9k","appEpoch":0,"userEpoch":0,"permissions":["records:create","records:update","workspace_members:read"],"workspaceIds":null,"openidScopes":[],"signIn":null}}', '2026-11-25 06:55:37.398623+00'),
	('authorization', '70htRMdAkoh-sBPq9_9cv000kjnJ-sU6h4HRyxTgDvS', 'answered', '{"interface":"current","clientId":"app47evTJ2LvVVQ0cjB2y","redirectUri":"https://app.example/cb","responseType":"code","state":"the-state","permissions":null,"workspaceIds":null,"organizationHint":null,"loginHint":null,"prompts":[],"isSilent":false,"codeChallenge":"2L1qkcDNV9RFrFVSNtQu99YOK3ZPiG7N9wFacWcABpE","openid":null,"webMessage":null,"browser":"aPQHEmFt7CpQ1YOLzgdgF-0ByDBM0z8GhCc9QoHibY8","countedAs":"G3PRU9iS8WPMpekE9uIDbC","id":"70htRMdAkoh-sBPq9_9cv000kjnJ-sU6h4HRyxTgDvS","createdAt":1795586137576,"organizationId":null,"answer":{"kind":"approved","grantId":"e72a561f-6570-4966-9836-353a4db2069f","userId":"usr3tIflE4Y7uUY3A7WKs","organizationId":"org37wJna3LbAZ21bmIyF","installId":"ins2UDWqh2NFUuB43km9k","appEpoch":0,"userEpoch":0,"permissions":["records:create","records:update","workspace_members:read"],"workspaceIds":null,"openidScopes":[],"signIn":null}}', '2026-11-25 06:55:37.579758+00'),
	('authorization', 'GrccKsqMNoONG6EdMTQ8xBar1KARBbOf', 'answered', '{"interface":"legacy","clientId":"app37aWja1iJDV12bmoGt","redirectUri":"https://app.example/cb","responseType":"code","state":"the-state","permissions":null,"workspaceIds":null,"organizationHint":"org37wJna3LbAZ21bmIyF","loginHint":null,"prompts":[],"codeChallenge":null,"webMessage":null,"isSilent":false,"browser":"JSwBlBZsiSw8fzOGzaraPr8FhglWWpCimwyuAsn7uKQ","countedAs":"G3PRU9iS8WPMpekE9uIDbC","id":"GrccKsqMNoONG6EdMTQ8xBar1KARBbOf","createdAt":1795586138277,"organizationId":null,"answer":{"kind":"approved","grantId":"7eeddba9-1799-463f-99bb-3911d4e38c01","userId":"usr2IAveg211AWo1k9nsE","organizationId":"org37wJna3LbAZ21bmIyF","installId":"ins4XfmPu0hp0bp12uPWV","appEpoch":0,"userEpoch":0,"permissions":["readData","insertData","deleteData"],"workspaceIds":null,"openidScopes":[],"signIn":null}}', '2026-11-25 06:55:38.27922+00');


--
-- Data for Name: resource_servers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.resource_servers VALUES
	('rsv1HykYD22iG9s1N68cT', 'Data API', '\x8b960c63193e616bd7bf50679c4b5c44554b66efd115946f5a74763333d1a575', '…qsqv', '2026-11-25 05:55:38.271023+00', '5f4af40d54e1');


--
-- Data for Name: revocations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: revoked_tokens; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: security_notices; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES
	('ses15lr1h4bIPYx2YC3fJ', 'QU1rOD6iN4IZ3HGhWLoEue9MxkD2FQaLwxQ0mohS6Lo', 'N8Fippdd_T3arRFzH4upfOpjlPXyaSZmZWp9_X5IlSg', 'usr2IAveg211AWo1k9nsE', 0, 0, '{password}', '{}', 1795586137521, '127.0.0.1', NULL, NULL, '2026-11-25 05:55:37.516965+00', '2026-11-25 05:55:37.516965+00', '2026-11-25 17:55:37.517864+00'),
	('ses0ojaLh0BbUez1e1bBh', 'O9sulR629iU4ADWieI-yhTP90D7xP5SxxWEnFFkue1Y', 'fl4U23b1RBuXlEIdGo83g2q6IcGbZTSOp2RxSrGt_Ng', 'usr3tIflE4Y7uUY3A7WKs', 0, 0, '{password}', '{}', 1795586137623, '127.0.0.1', NULL, NULL, '2026-11-25 05:55:37.627344+00', '2026-11-25 05:55:37.627344+00', '2026-11-25 17:55:37.628233+00'),
	('ses08f2BI4N5ym12DW9zg', '0IaPRiJkNZWlO1x-ZRV3qTqA61u79gAtIAW1B0LhH-c', 'jFFR08XyvMgKSNVeT3J-ImIlgqM3_yGXKxE3LaEuFaA', 'usr2IAveg211AWo1k9nsE', 0, 0, '{password}', '{}', 1795586138311, '127.0.0.1', NULL, NULL, '2026-11-25 05:55:38.313488+00', '2026-11-25 05:55:38.313488+00', '2026-11-25 17:55:38.314276+00');


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.signing_keys VALUES
	('vBvUJOajBiZkK3cPQltxzrKZvRHF4pC4s4ZtUMRW14Q', 'ES256', '{"x": "P42CWdPpL7sY68BR3UMJFHW3Zn_5XVFJHdvVQx1lwHA", "y": "r6Dxts2i3Nt6VIIGPR6YZjULtmWKWsr9aqYmnQD5VA8", "alg": "ES256", "crv": "P-256", "kid": "vBvUJOajBiZkK3cPQltxzrKZvRHF4pC4s4ZtUMRW14Q", "kty": "EC", "use": "sig"}', '\x58091f3c91126d9e32b85cd734a9454da1f678168951e6bc1f1dd262e6e69395cfc2dae3303722b115e950204bb655472f2dfd97a89e9d7da2d5c4f77e3bede084c2aa07e1d243362c3f1b24ac93641f71763199f52c029e738421ac8190afd79080fd53c8010e03da6b7b9ddafab89a1300239ee1f42ad80bca191b4c96e8064c4fcb75997e521bf61fdb9c7c399ad82051efcf4964229ed067f11cc030c77bc446e321c2e0d0', 'active', '2026-11-25 05:55:36.673041+00', '2026-11-25 05:55:36.673041+00', NULL),
	('DyTWrLdcZBoCZr9xZNoaTRWYlxPc3J9sGOepCac9uYE', 'ES256', '{"x": "Nzq0k89YP4AyUGROEyUsiJR7lq5z90u0B2LGapATsV4", "y": "_CFGvhWFu4seWtU1LcpUTH9_R9U6KeCZpi5cGauROGQ", "alg": "ES256", "crv": "P-256", "kid": "DyTWrLdcZBoCZr9xZNoaTRWYlxPc3J9sGOepCac9uYE", "kty": "EC", "use": "sig"}', '\x586579038ff79c27e7ad1130cd35b18937cfcf82091ada4726d10bf09bf1c44f525e91531402596cbe829cfb9689d427161f59c0bb0dc2298c1e67d8abe2a427e409b9d8b4e9e7574ac562322c2bbdcc56884d88a30a9e0e6116122baf8498a748dadc6f8d1ad7a8d48e8999f4b4a58a99b396ac252d83a52ab984eb7f6ce7b5e025703dd7a9d9085fa8c389e9b8121c3f2cc837e25fe1516f1b95c803586a0cecf9214c05eb2a', 'next', '2026-11-25 05:55:36.673041+00', NULL, NULL);


--
-- Data for Name: usage_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.usage_days VALUES
	('org37wJna3LbAZ21bmIyF', '2026-11-25', 'app37aWja1iJDV12bmoGt', 'issued', 'authorization_code', 1),
	('org37wJna3LbAZ21bmIyF', '2026-11-25', 'app47evTJ2LvVVQ0cjB2y', 'issued', 'authorization_code', 2),
	('org37wJna3LbAZ21bmIyF', '2026-11-25', 'app47evTJ2LvVVQ0cjB2y', 'issued', 'client_credentials', 1),
	('org37wJna3LbAZ21bmIyF', '2026-11-25', 'app47evTJ2LvVVQ0cjB2y', 'issued', 'refresh_token', 1);


--
-- Data for Name: user_identities; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.users VALUES
	('usr3tIflE4Y7uUY3A7WKs', 'kim1@acme.test', 'kim', '$argon2id$v=19$m=19456,t=2,p=1$PeqgXfoshU0VqNV04GJh/Q$JCn69R/bI7vamjJwBy6mWNjoGPYVaphX2OZvv24xQVc', 0, NULL, '2026-11-25 05:55:37.127131+00', 0, NULL),
	('usr2IAveg211AWo1k9nsE', 'ana2@acme.test', 'ana', '$argon2id$v=19$m=19456,t=2,p=1$GNwH6tBFElnvoq01Wr5LAw$hr66uY7h85IKY2jYZ70V1j1ZUVTv7wwijvSHN0Zr2lU', 0, NULL, '2026-11-25 05:55:37.171808+00', 0, NULL),
	('usr3YJLEy3lWVnF2SsPPD', 'zoe3@acme.test', 'zoe', '$argon2id$v=19$m=19456,t=2,p=1$unABXr1lw9MaNx0+he541w$GC0Xu0GSxGoaDMgO/XcKgU7+eGLHqdD/7dAWI/0PpLk', 0, NULL, '2026-11-25 05:55:37.208896+00', 0, NULL);


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
	('wks4KnZVX3Uhlx426O57n', 'usr3tIflE4Y7uUY3A7WKs', '2026-11-25 05:55:37.250572+00'),
	('wks4KnZVX3Uhlx426O57n', 'usr2IAveg211AWo1k9nsE', '2026-11-25 05:55:37.264423+00'),
	('wks08hTAX11WpKq1LhSN7', 'usr3tIflE4Y7uUY3A7WKs', '2026-11-25 05:55:37.271084+00'),
	('wks08hTAX11WpKq1LhSN7', 'usr2IAveg211AWo1k9nsE', '2026-11-25 05:55:37.275356+00');


--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspaces VALUES
	('wks4KnZVX3Uhlx426O57n', 'org37wJna3LbAZ21bmIyF', 'Sales', '2026-11-25 05:55:36.990828+00'),
	('wks08hTAX11WpKq1LhSN7', 'org37wJna3LbAZ21bmIyF', 'Support', '2026-11-25 05:55:37.007279+00'),
	('wks1mktgu0o5V4f2D79i3', 'org37wJna3LbAZ21bmIyF', 'Finance', '2026-11-25 05:55:37.015774+00'),
	('wks1BFXI307fqbu3u9COL', 'org2gu3iu2Z1uOR0EKHFK', 'Elsewhere', '2026-11-25 05:55:37.027354+00');


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
-- Name: audit_events audit_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (id);


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
-- Name: records records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (collection, key);


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
-- Name: signing_keys signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);


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
-- Name: apps_public_origins; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX apps_public_origins ON public.apps USING gin (public.web_origins(redirect_uris)) WHERE ((interface = 'current'::text) AND (client_type = 'public'::text) AND (disabled_at IS NULL));


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
-- Name: installs_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX installs_client ON public.installs USING btree (client_id);


--
-- Name: installs_live; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX installs_live ON public.installs USING btree (organization_id, client_id) WHERE (ended_at IS NULL);


--
-- Name: installs_organization; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX installs_organization ON public.installs USING btree (organization_id, client_id);


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
-- Name: members_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_user ON public.members USING btree (user_id);


--
-- Name: operator_tokens_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operator_tokens_expiry ON public.operator_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);


--
-- Name: organizations_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX organizations_created ON public.organizations USING btree (created_at, id);


--
-- Name: passkeys_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);


--
-- Name: records_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX records_expiry ON public.records USING btree (expires_at);


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
-- Name: signing_keys_one_active; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX signing_keys_one_active ON public.signing_keys USING btree (status) WHERE (status = 'active'::text);


--
-- Name: signing_keys_one_next; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX signing_keys_one_next ON public.signing_keys USING btree (status) WHERE (status = 'next'::text);


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
-- Name: connection_epochs connection_ended; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER connection_ended AFTER INSERT OR UPDATE OF epoch ON public.connection_epochs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.connection_ended();


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
-- Name: members member_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER member_changed AFTER INSERT OR DELETE ON public.members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.member_changed();


--
-- Name: organizations organization_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER organization_deleted AFTER DELETE ON public.organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.organization_deleted();


--
-- Name: grants set_connection_epoch; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER set_connection_epoch BEFORE INSERT ON public.grants FOR EACH ROW WHEN ((new.connection_epoch IS NULL)) EXECUTE FUNCTION public.set_connection_epoch();


--
-- Name: revoked_tokens token_revoked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER token_revoked AFTER INSERT ON public.revoked_tokens DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.token_revoked();


--
-- Name: users user_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER user_changed AFTER UPDATE OF disabled_at, credentials_epoch ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.disabled_at IS DISTINCT FROM new.disabled_at) OR (old.credentials_epoch IS DISTINCT FROM new.credentials_epoch))) EXECUTE FUNCTION public.user_changed();


--
-- Name: users user_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER user_deleted AFTER DELETE ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.user_changed();


--
-- Name: workspaces workspace_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER workspace_deleted AFTER DELETE ON public.workspaces DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.workspace_deleted();


--
-- Name: workspace_members workspace_member_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER workspace_member_changed AFTER INSERT OR DELETE ON public.workspace_members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.workspace_member_changed();


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
-- Name: passkeys passkeys_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


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

\unrestrict D7YflKHtvxucCcLLnG4Xr2I9ffEOJ24DTGZxkLYtC8aBoEsT7Pgk4HDYYK9a0kZ

