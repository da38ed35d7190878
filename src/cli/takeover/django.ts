import { type OldServer, peopleStatement } from './old-server.ts'

const apps = 'oauth2_provider_application'
const access = 'oauth2_provider_accesstoken'
const refresh = 'oauth2_provider_refreshtoken'

/** The names of Django's hashers, before the first dollar sign. */
const hashed = /^[a-z0-9_]{2,40}\$./

/** Django OAuth Toolkit, with the user model of the site. */
export const django: OldServer = {
  name: 'django',
  title: 'Django OAuth Toolkit',
  tables: { apps, tokens: refresh, access, people: 'auth_user' },
  person: 'user_id',
  statements: (column, people, since) => ({
    apps: `select id as app, client_id, name, client_secret as secret, redirect_uris, '' as scopes,
      authorization_grant_type as grant_type, ${column(apps, 'algorithm')} as algorithm,
      case client_type when 'public' then '0' else '1' end as confidential from ${apps} order by id`,
    people: peopleStatement(
      column,
      people,
      `case when ${column(people, 'is_active', '(1 = 1)')} then '0' else '1' end`,
    ),
    scopes: `select distinct application_id as app, scope as scopes,
      case when user_id is null then '1' else '0' end as machine from ${access}
      where expires > current_timestamp or id in (select access_token_id from ${refresh} where revoked is null)
        or source_refresh_token_id in (select id from ${refresh} where revoked is null)`,
    // Without its access token, a refresh token has the scope of the one that came from it.
    tokens: `select r.application_id as app, u.id as person, coalesce(a.scope, s.scope) as scopes, r.token,
      r.created as issued, '0' as pair, case when s.id is null then '0' else '1' end as reused, a.updated as renewed
      from ${refresh} r left join ${access} a on a.id = r.access_token_id
      left join ${access} s on s.source_refresh_token_id = r.id left join "${people}" u on u.id = r.user_id
      where r.revoked is null or r.revoked > current_timestamp
      order by u.id, r.application_id, r.created desc, r.id desc`,
    // A token may be stored twice, once revoked.
    revoked: `select r.application_id as app, u.id as person, null as scopes, r.token, r.created as issued
      from ${refresh} r left join "${people}" u on u.id = r.user_id
      where r.revoked > '${since}' and r.revoked <= current_timestamp and not exists (
        select 1 from ${refresh} l where l.token = r.token and (l.revoked is null or l.revoked > current_timestamp))`,
    access: `select application_id as app, null as issued, null as expires_in, expires as ends from ${access}
      where expires > current_timestamp`,
    repeated: 'select null as app where 1 = 0',
  }),
  secretOf: ({ secret }) => {
    if (!secret) return null
    return hashed.test(secret) ? { secret_hash: secret } : { secret }
  },
  tokenOf: (text) => ({ refresh_token: text }),
}
