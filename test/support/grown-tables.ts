/** Tables as large as after years, because plans of empty tables prove nothing. */
import type pg from 'pg'

/** One row, or created by operators by hand: some dozens at most, and one a day for each. */
const small = new Set([
  'audit_streams',
  'client_hosts',
  'longest_token_lifetime',
  'mail_service',
  'migrations',
  'operator_tokens',
  'operators',
  'permission_catalogue',
  'permissions',
  'resource_server_days',
  'resource_servers',
  'rsa_signing_keys',
  'signing_keys',
  'verification_keys',
  'webhook_secrets',
  'webhooks',
])

const rows = 20_000
const organizations = 2000
const series = `generate_series(1, ${rows}) n`
const of = (kind: string) => `'${kind}' || n`
const owner = `'gorg' || (n % ${organizations})`
const time = `now() - n * interval '1 minute'`
const hash = (what: string) => `sha256(convert_to('${what}' || n, 'UTF8'))`

const inserts: Record<string, string> = {
  applied_imports: `(subject, digest, kind, ref)
    select ${hash('subject')}, ${hash('digest')}, case when n % 3 = 0 then 'grant' else 'consent' end, 'r' from ${series}`,
  users: `(id, email, name, created_at) select ${of('gusr')}, n || '@grown.test', 'N', ${time} from ${series}`,
  organizations: `(id, name, created_at) select ${of('gorg')}, 'O', ${time} from generate_series(0, ${rows}) n`,
  members: `(organization_id, user_id, role) select ${owner}, ${of('gusr')}, case when n % 5 = 0 then 'admin' else 'member' end from ${series}`,
  workspaces: `(id, organization_id, name) select ${of('gwks')}, ${owner}, 'W' from ${series}`,
  workspace_members: `(workspace_id, user_id) select ${of('gwks')}, ${of('gusr')} from ${series}`,
  apps: `(client_id, name, interface, client_type, redirect_uris, permissions, listed, logo_digest, created_at)
    select ${of('gapp')}, 'App ' || n, 'current', case when n % 3 = 0 then 'public' else 'confidential' end,
      array['https://app' || n || '.test/cb'], '{}', n % 50 = 0, ${of('glog')}, ${time} from ${series}`,
  logos: `(digest, image, released_at)
    select ${of('glog')}, 'x', case when n % 50 = 0 then now() end from ${series}`,
  app_twins: `(legacy_client_id, client_id, worth) select ${of('glgc')}, ${of('gapp')}, '{}' from ${series}`,
  app_owners: `(client_id, user_id, position) select ${of('gapp')}, ${of('gusr')}, 1 from ${series}`,
  client_documents: `(client_id, scopes, due_at) select ${of('gapp')}, '{}', now() + n * interval '1 minute' from ${series}`,
  app_reviews: `(id, client_id, host, document, decided_at, decision)
    select ${of('garv')}, 'https://h' || n % 1000 || '.test/' || n, 'h' || n % 1000 || '.test', '{}',
      case when n % 50 > 0 then now() - interval '1 day' end, case when n % 50 > 0 then 'refuse' end from ${series}`,
  sandboxes: `(organization_id, owner_id) select ${of('gorg')}, ${of('gusr')} from ${series}`,
  test_people: `(user_id, organization_id) select ${of('gusr')}, ${of('gorg')} from ${series}`,
  app_changes: `(id, client_id, before, after, requested_by, decided_at, decision)
    select ${of('gach')}, ${of('gapp')}, '{}', '{}', ${of('gusr')},
      case when n % 50 > 0 then now() - interval '1 day' end, case when n % 50 > 0 then 'refuse' end from ${series}`,
  app_secrets: `(id, client_id, digest, hint, expires_at)
    select ${of('gsec')}, ${of('gapp')}, ${hash('s')}, '', case when n % 10 = 0 then now() + interval '1 day' end from ${series}`,
  installs: `(id, organization_id, client_id, permissions, ended_at)
    select ${of('gins')}, ${owner}, ${of('gapp')}, '{}', case when n % 4 = 0 then now() end from ${series}`,
  install_requests: `(id, organization_id, client_id, user_id, permissions, decided_at, decision)
    select ${of('greq')}, ${owner}, ${of('gapp')}, ${of('gusr')}, '{}', case when n % 5 > 0 then ${time} end,
      case when n % 5 > 0 then 'refused' end from ${series}`,
  consents: `(user_id, organization_id, client_id, install_id, offered, permissions)
    select ${of('gusr')}, ${owner}, ${of('gapp')}, ${of('gins')}, '{}', '{}' from ${series}`,
  grants: `(id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions, redirect_uri,
      created_at, last_used_at, used)
    select gen_random_uuid(), ${of('gusr')}, ${of('gapp')}, ${owner}, ${of('gins')}, 0, 0, '{}', '', ${time}, now(), true
    from ${series}, generate_series(1, 2)`,
  delegations: `(install_id, user_id, actor_install_id, last_day)
    select ${of('gins')}, ${of('gusr')}, 'gins' || (n + 1), current_date - n % 30 from ${series}`,
  key_sets: `(id, client_id, organization_id, interface, name, permissions)
    select ${of('gkst')}, ${of('gkcl')}, ${owner}, 'current', 'K', '{}' from ${series}`,
  key_set_secrets: `(id, key_set_id, digest, sealed, hint)
    select ${of('gkss')}, ${of('gkst')}, ${hash('k')}, 'x', '' from ${series}`,
  scim_tokens: `(id, organization_id, name, group_kind, digest, hint)
    select ${of('gsct')}, ${owner}, 'T', 'workspaces', ${hash('t')}, '' from ${series}`,
  scim_users: `(organization_id, user_id, user_name, external_id, attributes)
    select ${owner}, ${of('gusr')}, ${of('guser')}, ${of('gext')}, '{}' from ${series}`,
  directory_groups: `(id, organization_id, name) select ${of('ggrp')}, ${owner}, 'G' from ${series}`,
  directory_group_members: `(group_id, user_id) select ${of('ggrp')}, ${of('gusr')} from ${series}`,
  scim_groups: `(workspace_id, external_id, is_own) select ${of('gwks')}, ${of('gext')}, true from ${series}`,
  denied_people: `(user_id, client_id, organization_id) select ${of('gusr')}, ${of('gapp')}, ${owner} from ${series}`,
  organization_policies: `(organization_id, connect) select ${of('gorg')}, 'ask' from ${series}`,
  identity_providers: `(organization_id, issuer) select ${of('gorg')}, 'https://idp' || (n % 5000) from ${series}`,
  asserted_subjects: `(organization_id, issuer, subject, user_id)
    select ${of('gorg')}, 'https://idp.test', ${of('gsub')}, ${of('gusr')} from ${series}`,
  asserted_connections: `(user_id, client_id, organization_id, install_id)
    select ${of('gusr')}, ${of('gapp')}, ${of('gorg')}, ${of('gins')} from ${series}`,
  audit_events: `(at, type, actor_kind, actor_id, organization_id, client_id, user_id, request_id)
    select now() - (${rows} - n) * interval '1 minute', 'type.' || (n % 40), 'user', ${of('gusr')}, ${owner},
      ${of('gapp')}, ${of('gusr')}, 'req_g' || n from ${series}`,
  families: `(id, generation) select gen_random_uuid(), 1 from ${series}`,
  left_families: `(id) select gen_random_uuid() from ${series}`,
  records: `(collection, key, state, value, expires_at)
    select 'session', ${of('g')}, '', '', now() + n * interval '1 second' from ${series}`,
  counters: `(key, count, expires_at) select ${of('g')}, 1, now() + n * interval '1 second' from ${series}`,
  user_identities: `(issuer, subject, user_id, email_verified)
    select 'https://grown.test', ${of('g')}, ${of('gusr')}, true from ${series}`,
  connection_epochs: `(user_id, client_id, organization_id, epoch)
    select ${of('gusr')}, ${of('gapp')}, ${owner}, 1 from ${series}`,
  passkeys: `(id, user_id, credential_id, public_key, counter, transports, name)
    select ${of('gpky')}, ${of('gusr')}, ${of('g')}, 'x', 0, '{}', 'P' from ${series}`,
  sessions: `(id, lineage_hash, token_hash, user_id, credentials_epoch, sessions_epoch, methods, passkey_ids, authenticated_at, expires_at)
    select ${of('gses')}, ${of('g')}, ${of('g')}, ${of('gusr')}, 0, 0, '{password}', array['gpky' || n], 0,
      now() + n * interval '1 second' from ${series}`,
  security_notices: `(user_id, type, session_id, expires_at)
    select ${of('gusr')}, 'passkey.added', ${of('gses')}, now() + n * interval '1 second' from ${series}`,
  mail_events: `(id, type, created_at) select ${of('gmev')}, 'x', now() - n * interval '1 second' from ${series}`,
  mails: `(user_id, event_id, type, category, detail, created_at, sent_at)
    select ${of('gusr')}, ${of('gmev')}, 'x', 'apps', '{}', ${time}, now() from ${series}`,
  mail_choices: `(user_id, category) select ${of('gusr')}, 'apps' from ${series}`,
  refused_pages: `(request_id, at, detail) select ${of('greq_')}, ${time}, '{}' from ${series}`,
  sign_in_places: `(user_id, place, seen_at) select ${of('gusr')}, 'device x', ${time} from ${series}`,
  reminders: `(id, expires_at) select ${of('grem')}, now() + n * interval '1 minute' from ${series}`,
  usage_days: `(organization_id, day, client_id, outcome, reason, count)
    select ${owner}, current_date - n % 300, ${of('gapp')}, 'issued', 'refresh_token', 1 from ${series}`,
  permission_days: `(organization_id, client_id, permission, day, count)
    select ${owner}, ${of('gapp')}, 'read', current_date - n % 300, 1 from ${series}`,
  usage_keys: `(client_id, key, at)
    select ${of('grsv')}, n::text, now() - n * interval '4 seconds' from ${series}`,
  revoked_tokens: `(jti, expires_at) select ${of('g')}, now() + n * interval '1 second' from ${series}`,
  token_reaches: `(id, workspace_ids, expires_at)
    select ${of('g')}, '{}', now() + n * interval '1 second' from ${series}`,
  revocations: `(type, subject_id, state, until)
    select 'grant', ${of('g')}, '{}', now() + n * interval '1 second' from ${series}`,
  feed_readers: `(resource_server, reader, position, last_poll_at)
    select client_id, ${of('g')}, n, ${time} from resource_servers, generate_series(1, 500) n`,
  stops: `(id, at, position, organization_ids) select ${of('gstp')}, ${time}, ${rows} - n, array[${owner}] from ${series}`,
  stop_answers: `(stop_id, resource_server, at, is_complete)
    select ${of('gstp')}, client_id, ${time}, true from (select min(client_id) as client_id from resource_servers) r, ${series}`,
  webhook_deliveries: `(webhook_id, id, type, data, created_at, next_attempt_at, delivered_at)
    select 'gwhk' || n % 20, ${of('gmsg')}, 'x', '{}', ${time}, null, now() from ${series}`,
}

/** Fills every growing table, next to existing rows. @returns the names of these tables */
export const growTables = async (client: pg.Client): Promise<string[]> => {
  const { rows: found } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const growing = found.map((row) => row.name).filter((name) => !small.has(name))
  const unknown = growing.filter((name) => !inserts[name])
  if (unknown.length > 0) throw new Error(`say how ${unknown} grow, or that they do not`)
  // Neither foreign keys nor triggers of the revocation feed: these rows only fill the tables.
  await client.query('set session_replication_role = replica')
  for (const name of growing) await client.query(`insert into ${name} ${inserts[name]}`)
  await client.query('reset session_replication_role')
  await client.query('analyze')
  return growing
}
