import { type OldServer, peopleStatement } from './old-server.ts'

const tokens = 'oauth_access_tokens'
const hexDigest = /^[0-9a-f]{64}$/

/** Revocation may lie in the future: `revoke_in` of older versions. */
const isLive = (alias: string) =>
  `(${alias}.revoked_at is null or ${alias}.revoked_at > current_timestamp)`

/** Doorkeeper on Rails, with people of Devise. */
export const doorkeeper: OldServer = {
  name: 'doorkeeper',
  title: 'Doorkeeper',
  tables: { apps: 'oauth_applications', tokens, access: tokens, people: 'users' },
  person: 'resource_owner_id',
  statements: (column, people, since) => {
    // A polymorphic owner may be another model with the same id.
    const type = column(tokens, 'resource_owner_type', "'User'")
    const predecessor = column(tokens, 'previous_refresh_token', "''")
    const refreshTokens = (columns: string, condition: string) =>
      `select t.application_id as app, u.id as person, t.refresh_token as token, t.created_at as issued, ${columns}
        from (select ${tokens}.*, ${predecessor} as predecessor, ${type} as owner_type from ${tokens}) t
        left join "${people}" u on u.id = t.resource_owner_id and t.owner_type = 'User'
        where t.refresh_token <> '' and ${condition}`
    const pair = `select 1 from ${tokens} p where p.refresh_token = t.predecessor and ${isLive('p')}`
    return {
      apps: `select id as app, uid as client_id, name, secret, redirect_uri as redirect_uris,
        ${column('oauth_applications', 'scopes', "''")} as scopes, null as grant_type, null as algorithm,
        ${column('oauth_applications', 'confidential', "'1'")} as confidential from oauth_applications order by id`,
      people: peopleStatement(column, people, "'0'"),
      scopes: `select distinct application_id as app, scopes,
        case when resource_owner_id is null then '1' else '0' end as machine from ${tokens} t where ${isLive('t')}`,
      tokens: `${refreshTokens(
        `t.scopes, '0' as reused, null as renewed, case when exists (${pair}) then '1' else '0' end as pair`,
        isLive('t'),
      )} order by u.id, t.application_id, t.created_at desc, t.id desc`,
      revoked: refreshTokens(
        'null as scopes',
        `t.revoked_at > '${since}' and t.revoked_at <= current_timestamp`,
      ),
      access: `select application_id as app, created_at as issued, expires_in, null as ends
        from ${tokens} t where ${isLive('t')}`,
      repeated: `select distinct app from (select application_id as app, ${predecessor} as predecessor
        from ${tokens}) t where predecessor <> '' group by app, predecessor having count(*) > 1`,
    }
  },
  // Doorkeeper before 5.0 made ids and secrets of 64 hexadecimal digits, which look like a digest.
  secretOf: ({ client_id, secret }) => {
    if (!secret) return null
    if (secret.startsWith('$')) return { secret_hash: secret }
    return hexDigest.test(secret) && !hexDigest.test(client_id ?? '')
      ? { secret_hash: `sha256:${secret}` }
      : { secret }
  },
  tokenOf: (text) =>
    hexDigest.test(text) ? { refresh_token_sha256: text } : { refresh_token: text },
}
