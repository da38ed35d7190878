import type { ProvisionedUser } from '../../../core/provisioning/scim-users.ts'
import type { Search } from '../../../core/provisioning/search.ts'
import type { NamePart } from '../../../core/provisioning/user-attributes.ts'
import { type Columns, computed, plain, plainOf, selected } from '../connection/columns.ts'
import type { Queryable } from '../connection/database.ts'
import { type Attributes, collectValues, conditionOf, given, timeText } from './filter-condition.ts'

const since = 'coalesce(s.created_at, m.created_at)'

const userColumns: Columns<ProvisionedUser> = {
  ...plain('id', 'email', 'name', 'locale'),
  userName: computed('coalesce(s.user_name, u.email)'),
  ...plainOf('s', 'externalId', 'attributes'),
  active: computed('m.user_id is not null and u.disabled_at is null'),
  isMember: computed('m.user_id is not null'),
  createdAt: computed(since),
  updatedAt: computed('coalesce(s.updated_at, m.created_at)'),
}

const joined = `
  from users u
  left join members m on m.organization_id = $1 and m.user_id = u.id
  left join scim_users s on s.organization_id = $1 and s.user_id = u.id`

/** The users of the organization $1 among these. @param ids a query of user ids */
export const usersIn = (ids: string) => `
select ${selected(userColumns, 'u')} ${joined}
 where u.id in (${ids}) and (m.user_id is not null or s.user_id is not null)
 order by ${since}, u.id`

export const everyone = `
select user_id from members where organization_id = $1
union select user_id from scim_users where organization_id = $1`

/** As `everyone`, and since when. */
const everyoneSince = `
select id, since from (
  select user_id, created_at from scim_users where organization_id = $1
  union all
  select user_id, created_at from members m where organization_id = $1
     and not exists (select from scim_users s where s.organization_id = $1 and s.user_id = m.user_id)
) known (id, since) where true`

/** The account's own data, until a provider has described the user. */
const described = (path: string, own: string) => ({
  sql: `case when s.attributes is null then ${own} else s.attributes #>> '{${path}}' end`,
})
const text = (name: string) => ({ sql: `one ->> '${name}'` })

const ownNames: Record<NamePart, string> = {
  formatted: 'u.name',
  familyName: 'null',
  givenName: 'null',
  middleName: 'null',
  honorificPrefix: 'null',
  honorificSuffix: 'null',
}

const attributes: Attributes = {
  values: {
    id: { sql: 'u.id', isExact: true },
    externalid: { sql: 's.external_id', isExact: true },
    username: { sql: 'coalesce(s.user_name, u.email)' },
    active: { sql: '(m.user_id is not null and u.disabled_at is null)::text', isFlag: true },
    displayname: described('displayName', 'u.name'),
    preferredlanguage: described('preferredLanguage', 'u.locale'),
    locale: described('locale', 'u.locale'),
    ...Object.fromEntries(
      Object.entries(ownNames).map(([part, own]) => [
        `name.${part.toLowerCase()}`,
        described(`name,${part}`, own),
      ]),
    ),
    'meta.created': { sql: timeText(since) },
    'meta.lastmodified': { sql: timeText('coalesce(s.updated_at, m.created_at)') },
  },
  lists: {
    emails: {
      from: `jsonb_array_elements(case when s.attributes is null
        then jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary', true))
        else coalesce(s.attributes -> 'emails', '[]') end) one`,
      values: {
        value: text('value'),
        type: text('type'),
        display: text('display'),
        primary: { ...text('primary'), isFlag: true },
      },
    },
  },
}

/** Users with one value of an attribute, by an index. */
export const withKey: Record<string, (value: string) => string> = {
  id: (value) => `select ${value}`,
  username: (value) => `
    select user_id from scim_users where organization_id = $1 and lower(user_name) = lower(${value})
    union select id from users where lower(email) = lower(${value})`,
  externalid: (value) =>
    `select user_id from scim_users where organization_id = $1 and external_id = ${value}`,
}

/** The query of the ids that the filter leaves, and since when they exist, with $1 and $2; `isWhole`: it decides each term. */
export const chosen = (search: Search | null) => {
  const { values, put } = collectValues()
  if (!search) return { text: `${everyoneSince} and ${given}`, values, isWhole: true }
  const from = search.keys
    ? search.keys.map(({ attribute, value }) => withKey[attribute]?.(put(value))).join(' union ')
    : everyone
  const condition = conditionOf(search.filter, attributes, put)
  const text = `select u.id, ${since} ${joined} where u.id in (${from}) and ${given} and (${condition?.text ?? true})`
  return { text, values, isWhole: condition?.isWhole === true }
}

export const read = (on: Queryable, organizationId: string, id: string) =>
  on.row<ProvisionedUser>(usersIn('$2'), [organizationId, id])
