/** What the identity provider of an organization may ask for and change, and how much of it. */
import { onEachBackend } from '../support/on-each-backend.ts'
import { connectProvider, patchOf } from '../support/scim.ts'
import { sql } from '../support/traces.ts'

await onEachBackend('limits of a provider', async (t, { running, stores }) => {
  const { operator } = running
  const made = async (path: string, body: object): Promise<string> =>
    (await operator('POST', path, body)).body.id

  for (const webhook of [1, 2]) await made('/webhooks', { url: `https://hooks.example/${webhook}` })
  for (const [kind, subject, key] of [
    ['workspaces', 'workspace_member', 'workspace_id'],
    ['groups', 'group_member', 'group_id'],
  ] as const)
    t.test(`each change of ${kind} has an event, and a message for each webhook`, async (t) => {
      const organization = await made('/organizations', { name: 'Group' })
      await sql(
        stores,
        `with added as (insert into users (id, email, name)
         select '${kind}' || n, '${kind}' || n || '@b.test', 'G' from generate_series(1, 1200) n returning id)
       insert into members (organization_id, user_id, role) select $1, id, 'member' from added`,
        [organization],
      )
      const scim = await connectProvider(running, organization, kind)
      const members = Array.from({ length: 1200 }, (_, at) => ({ value: `${kind}${at + 1}` }))
      const group = await scim.call('POST', '/Groups', { displayName: 'All', members })
      t.equal(group.status, 201)
      await scim.call('PUT', `/Groups/${group.body.id}`, {
        displayName: 'All',
        members: members.slice(200),
      })
      for (const [type, count] of [
        [`${subject}.added`, 1200],
        [`${subject}.removed`, 200],
      ] as const) {
        const [events] = await sql<{ users: number; all: number }>(
          stores,
          `select count(distinct user_id)::integer as users, count(*)::integer as all from audit_events
          where organization_id = $1 and type = $2 and detail - 'stop_id' = $3`,
          [organization, type, JSON.stringify({ [key]: group.body.id, by: 'scim' })],
        )
        t.same(events, { users: count, all: count }, type)
        const [messages] = await sql<object>(
          stores,
          `select count(distinct data ->> 'user_id')::integer as users, count(distinct id)::integer as ids,
                count(*)::integer as all
           from webhook_deliveries where organization_id = $1 and type = $2`,
          [organization, type],
        )
        t.same(messages, { users: count, ids: count, all: 2 * count }, type)
      }
    })

  t.test('SCM-06 Postgres answers filters in an organization of any size', async (t) => {
    const organization = await made('/organizations', { name: 'Large' })
    await sql(
      stores,
      `with added as (insert into users (id, email, name)
         select 'usrLARGE' || n, 'large' || n || '@b.test', 'Large ' || n
           from generate_series(1, 2500) n returning id)
       insert into members (organization_id, user_id, role) select $1, id, 'member' from added`,
      [organization],
    )
    const scim = await connectProvider(running, organization)
    const total = async (filter: string) => {
      const { status, body } = await scim.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      return status === 200 ? body.totalResults : [status, body.scimType]
    }
    t.equal(await total('displayName sw "large 24"'), 111)
    t.equal(await total('active eq true and not (emails.value ew "7@b.test")'), 2250)
    t.equal(await total('emails[type eq "work" and value co "e99"]'), 11)
    t.equal(await total('displayName co "ä"'), 0)
    t.same(await total('title pr'), [400, 'tooMany'], 'the process compares 2,000 at most')
    const many = Array(60).fill('displayName co "x"').join(' or ')
    t.equal(await total(many), 0)
    await sql(
      stores,
      `with added as (insert into users (id, email, name)
         select 'usrLARGER' || n, 'larger' || n || '@b.test', 'Larger ' || n
           from generate_series(1, 15000) n returning id)
       insert into members (organization_id, user_id, role) select $1, id, 'member' from added`,
      [organization],
    )
    t.same(await total(many), [400, 'tooMany'], 'and Postgres a million terms')
    t.equal(await total(`(${many}) and userName eq "large7@b.test"`), 0)
  })

  for (const [what, remove] of [
    ['an operation without members', patchOf({ op: 'remove', path: 'members' })],
    ['a list without members', patchOf({ op: 'replace', path: 'members', value: [] })],
  ] as const)
    t.test(`SCM-06 members whom ${what} removes count as changes`, async (t) => {
      const organization = await made('/organizations', { name: 'Limits' })
      const group = await made(`/organizations/${organization}/workspaces`, { name: 'Sales' })
      for (let at = 0; at < 6; at++) {
        const user = await made('/users', { email: `${organization}.${at}@a.test`, name: 'Kim' })
        await operator('PUT', `/organizations/${organization}/members/${user}`, { role: 'member' })
        t.equal((await operator('PUT', `/workspaces/${group}/members/${user}`, {})).status, 201)
      }
      const scim = await connectProvider(running, organization)
      const patch = async (body: object) =>
        (await scim.call('PATCH', `/Groups/${group}`, body)).status
      // Each of its three lists has values that count, and so does the request.
      const listing = (most: number) =>
        patchOf({ op: 'remove', path: 'members', value: Array(most - 3).fill('none') })
      for (const changes of [20_000, 20_000, 19_996]) t.equal(await patch(listing(changes)), 204)
      t.equal(await patch(remove), 204, 'four places are left')
      t.equal(await patch(patchOf({ op: 'replace', path: 'displayName', value: 'Other' })), 429)
    })
})
