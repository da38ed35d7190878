/** What Postgres decides of a filter of SCIM is what the process would decide (RFC 7644 §3.4.2.2). */
import fc from 'fast-check'
import t from 'tap'
import { type Filter, meets, readFilter } from '../../../../src/core/provisioning/filter.ts'
import type { ProvisionedGroup } from '../../../../src/core/provisioning/scim-groups.ts'
import type { SearchStore } from '../../../../src/core/provisioning/search.ts'
import { keysIn } from '../../../../src/core/provisioning/search.ts'
import { createWorkBudget } from '../../../../src/core/provisioning/work-budget.ts'
import { groupResource, userResource } from '../../../../src/http/scim/resources.ts'
import { onEachStores } from '../../../support/open-stores.ts'
import { holds } from '../../../support/property.ts'

const people = [
  { name: 'Ana_1 100%', userName: 'Ana@corp.test', externalId: 'Ext1', isMember: true },
  { name: 'Zoë Müller', userName: 'zoë@corp.test', externalId: null, isMember: false },
  { name: 'Kim\\Lee İ', userName: 'kim', externalId: 'ext1', isMember: true },
  { name: 'MÜLLER', userName: 'm@corp.test', externalId: 'müller', isMember: true },
  { name: 'own', userName: null, externalId: null, isMember: true },
  { name: 'disabled', userName: 'off', externalId: '', isMember: true },
]

const attributesOf = (at: number, name: string) =>
  [
    { displayName: name, emails: [{ value: `${name}@a.test`, type: 'Work', primary: true }] },
    {
      name: { givenName: name, familyName: 'Ng' },
      emails: [{ value: 'x@a.test' }, { value: 'Y@b.test', type: 'home', display: name }],
      locale: 'de-CH',
    },
    { displayName: 'plain', preferredLanguage: 'fr' },
  ][at % 3]

const texts = [
  'ana',
  'Ana@corp.test',
  'Ext1',
  'ext1',
  '%',
  '_',
  '\\\\',
  'ü',
  'MÜLLER',
  'İ',
  '@',
  '',
  'x@a.test',
  'work',
  'true',
  'usr1',
  '1',
  '2024-06',
]
const names = [
  'id',
  'userName',
  'externalId',
  'active',
  'displayName',
  'name.givenName',
  'name.familyName',
  'name.formatted',
  'name',
  'emails',
  'emails.value',
  'emails.type',
  'emails.primary',
  'emails.nothing',
  'locale',
  'preferredLanguage',
  'title',
  'meta.created',
  'meta.lastModified',
  'meta.resourceType',
  'members',
  'members.value',
  'members.display',
]
const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'lt', 'ge', 'le']

const literal = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...texts).map((one) => `"${one}"`) },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', '1') },
)
const termOf = (name: fc.Arbitrary<string>) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(name, fc.constantFrom(...operators), literal).map((one) => one.join(' ')),
    },
    { weight: 1, arbitrary: name.map((one) => `${one} pr`) },
  )
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    termOf(fc.constantFrom(...names)),
    fc
      .tuple(
        fc.constantFrom('emails', 'members', 'name'),
        termOf(fc.constantFrom('value', 'type', 'primary', 'givenName')),
        fc.constantFrom('and', 'or'),
        termOf(fc.constantFrom('value', 'display')),
      )
      .map(([list, one, word, other]) => `${list}[${one} ${word} ${other}]`),
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
      .map(([one, word, other]) => `(${one}) ${word} (${other})`),
    tie('filter').map((one) => `not (${one})`),
  ),
}))

await onEachStores(t, 'filters of SCIM', async (t, stores) => {
  const { database } = stores
  await database.query(`insert into organizations (id, name) values ('org', 'Org'), ('far', 'Far')`)
  for (const [at, { name, userName, externalId, isMember }] of people.entries()) {
    const id = `usr${at}`
    await database.query(
      `insert into users (id, email, name, locale, disabled_at) values ($1, $2, $3, 'de', $4)`,
      [id, `own${at}@a.test`, name, name === 'disabled' ? new Date() : null],
    )
    for (const organization of ['org', 'far'])
      if (isMember || organization === 'far')
        await database.query(
          'insert into members (organization_id, user_id, role) values ($1, $2, $3)',
          [organization, id, 'member'],
        )
    if (userName !== null)
      await database.query(
        `insert into scim_users (organization_id, user_id, user_name, external_id, attributes, created_at, updated_at)
         values ('org', $1, $2, $3, $4, '2024-05-06T07:08:09.1239Z', '2024-06-01T00:00:00.5Z')`,
        [id, userName, externalId, JSON.stringify(attributesOf(at, name))],
      )
  }
  for (const [at, name] of ['Sales', 'müller', 'A_%', 'Empty'].entries()) {
    const externalId = at % 2 === 0 ? `Ext${at}` : null
    await database.query(
      `insert into workspaces (id, organization_id, name) values ($1, 'org', $2)`,
      [`wks${at}`, name],
    )
    if (externalId !== null)
      await database.query(
        `insert into scim_groups (workspace_id, external_id, is_own) values ($1, $2, true)`,
        [`wks${at}`, externalId],
      )
    await database.query(
      `insert into directory_groups (id, organization_id, name, external_id) values ($1, 'org', $2, $3)`,
      [`grp${at}`, name, externalId],
    )
  }
  await database.query(
    `insert into workspace_members (workspace_id, user_id) values ('wks0', 'usr0'), ('wks1', 'usr2')`,
  )
  await database.query(
    `insert into directory_group_members (group_id, user_id) values ('grp0', 'usr0'), ('grp1', 'usr2')`,
  )
  await database.query(
    `update scim_users set kept_workspaces = '{wks2}', kept_groups = '{grp2}' where user_id = 'usr1'`,
  )

  const all = { start: 0, count: 100 }
  const compare = async <Resource extends { id: string }>(
    store: SearchStore<Resource>,
    text: string,
    accepts: (resource: Resource, filter: Filter) => boolean,
  ) => {
    const parsed = readFilter(text)
    const requested = { filter: parsed, keys: keysIn(parsed, store.indexed) }
    const known = (await store.find('org', null, all))?.resources ?? []
    const expected = known.filter((one) => accepts(one, parsed)).map(({ id }) => id)
    const found = await store.find('org', requested, all)
    if (found) {
      t.same(
        found.resources.map(({ id }) => id),
        expected,
        text,
      )
      t.equal(found.total, expected.length, text)
    }
    const candidates = (await store.candidates('org', requested, 100)).map(({ id }) => id)
    t.same(
      expected.filter((id) => !candidates.includes(id)),
      [],
      `${text}: candidates`,
    )
    return found !== null
  }
  const userOf = userResource('https://id.example')
  const ofUsers = (text: string) =>
    compare(stores.scimUsers, text, (user, one) => meets(userOf(user), one, createWorkBudget()))
  const ofGroups = async (text: string) => {
    const known = []
    for (const [kind, prefix] of [
      ['workspaces', 'wks'],
      ['groups', 'grp'],
    ] as const) {
      const store = stores.scimGroups[kind]
      const ids = [0, 1, 2, 3].map((at) => `${prefix}${at}`)
      const all = await store.members('org', ids, 100)
      const accepts = (group: ProvisionedGroup, one: Filter) => {
        const members = all.filter(({ groupId }) => groupId === group.id)
        const resource = groupResource('https://id.example', group, members)
        return meets(resource, one, createWorkBudget())
      }
      known.push(await compare(store, text, accepts))
    }
    return known.every(Boolean)
  }

  t.test('each attribute with a column is decided by Postgres', async (t) => {
    for (const text of [
      'userName eq "ANA@corp.test"',
      'displayName co "a" and active eq true',
      'emails.value ew "@A.test" or emails[type eq "home" and value sw "y"]',
      'not (emails.type eq "work") and externalId ne "Ext1"',
      'name.familyName eq "ng" or locale sw "de"',
      'meta.lastModified gt "2024-05-31T00:00:00Z"',
      'active eq "False"',
      'displayName co "100%" or displayName co "a_1"',
    ])
      t.ok(await ofUsers(text), text)
    for (const text of [
      'displayName sw "sal" and members eq "usr0"',
      'members.value eq "usr1" or externalId eq "Ext0"',
      'not (members[value eq "usr2"])',
    ])
      t.ok(await ofGroups(text), text)
  })

  holds(
    t,
    'filters select the same in Postgres and in the process',
    fc.asyncProperty(filter, async (text) => {
      await ofUsers(text)
      await ofGroups(text)
      return t.passing()
    }),
    150,
  )

  t.test('pages and the number of all', async (t) => {
    const page = (start: number, count: number) =>
      stores.scimUsers.find(
        'org',
        { filter: readFilter('userName pr'), keys: null },
        { start, count },
      )
    t.match(await page(1, 2), { total: people.length, resources: [{ id: 'usr1' }, { id: 'usr2' }] })
    t.same(await page(0, 0), { total: people.length, resources: [] })
    t.same(await page(90, 2), { total: people.length, resources: [] })
  })
})
