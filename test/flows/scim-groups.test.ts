/** Groups of SCIM (RFC 7643 §4.2) that are workspaces, and groups that are nothing else. */
import { eventually } from '../support/eventually.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { connectProvider, isScimError, newScimUser, patchOf } from '../support/scim.ts'
import { sql } from '../support/traces.ts'

for (const { kind, prefix, table, key } of [
  { kind: 'workspaces', prefix: 'wks', table: 'workspace_members', key: 'workspace_id' },
  { kind: 'groups', prefix: 'grp', table: 'directory_group_members', key: 'group_id' },
] as const)
  await onEachBackend(`groups of the kind ${kind}`, async (t, { running, world, stores }) => {
    const isWorkspace = kind === 'workspaces'
    const scim = await connectProvider(running, world.acme, kind)
    const users = await Promise.all(
      [1, 2, 3].map(
        async () => (await scim.call('POST', '/Users', newScimUser())).body.id as string,
      ),
    )
    const [one, two, three] = users as [string, string, string]
    const membersOf = async (id: string) =>
      (await scim.call('GET', `/Groups/${id}`)).body.members.map(({ value }: Json) => value)
    const patch = (id: string, ...operations: unknown[]) =>
      scim.call('PATCH', `/Groups/${id}`, patchOf(...operations))
    const changes = (part: string, ...all: string[]) =>
      all.map((one) => `${kind.slice(0, -1)}${part}.${one}`)

    t.test('a group is created, found, changed and deleted', async (t) => {
      const created = await scim.call('POST', '/Groups', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        externalId: 'g-1',
        displayName: 'Analysts',
        members: [{ value: one }],
      })
      t.equal(created.status, 201)
      const { id } = created.body
      t.match(created.body, {
        displayName: 'Analysts',
        externalId: 'g-1',
        members: [{ value: one }],
      })
      t.equal(id.slice(0, 3), prefix)
      const place = (await running.operator('GET', `/workspaces/${id}`)).body
      if (isWorkspace) t.match(place, { name: 'Analysts', organization_id: world.acme })
      else t.match(place, { title: 'Not Found' })
      const sorted = [one, two, three].sort()
      // Entra ID
      t.equal(
        (
          await patch(id, {
            op: 'Add',
            path: 'members',
            value: [{ value: two }, { $ref: null, value: three }],
          })
        ).status,
        204,
      )
      t.same(await membersOf(id), sorted)
      await patch(id, { op: 'Remove', path: 'members', value: [{ value: two }] })
      t.same(
        await membersOf(id),
        sorted.filter((user) => user !== two),
      )
      // Okta
      await patch(id, { op: 'remove', path: `members[value eq "${three}"]` })
      t.same(await membersOf(id), [one])
      await patch(id, { op: 'replace', value: { id, displayName: 'Renamed' } })
      await patch(id, {
        op: 'replace',
        path: 'members',
        value: [{ value: two, display: 'x' }, { value: three }],
      })
      t.same(await membersOf(id), [two, three].sort())
      t.same(
        (await scim.find('Groups', 'displayName eq "RENAMED"')).map((group) => group.id),
        [id],
      )
      t.same(
        (await scim.find('Groups', 'externalId eq "g-1"')).map((group) => group.id),
        [id],
      )
      t.same((await scim.find('Groups', `id eq "${id}" and members eq "${two}"`)).length, 1)
      t.same(await scim.find('Groups', `id eq "${id}" and members eq "${one}"`), [])
      const excluded = await scim.call('GET', `/Groups/${id}?excludedAttributes=members`)
      t.notOk('members' in excluded.body)
      const put = await scim.call('PUT', `/Groups/${id}`, {
        displayName: 'Put',
        members: [{ value: one }],
      })
      t.match(put, { status: 200, body: { displayName: 'Put', members: [{ value: one }] } })
      await patch(id, { op: 'remove', path: 'members' })
      t.same(await membersOf(id), [])
      isScimError(
        t,
        await patch(id, { op: 'add', path: 'members', value: [{ value: 'usr0' }] }),
        400,
        'invalidValue',
      )
      t.equal((await scim.call('DELETE', `/Groups/${id}`)).status, 204)
      isScimError(t, await scim.call('GET', `/Groups/${id}`), 404)
      const foreign = await scim.call('DELETE', `/Groups/${world.sales}`)
      if (isWorkspace) isScimError(t, foreign, 403, 'mutability')
      else isScimError(t, foreign, 404)
      t.equal((await running.operator('GET', `/workspaces/${world.sales}`)).status, 200)
      const events = await sql<{ type: string }>(
        stores,
        `select distinct type from audit_events where detail ->> $1 = $2 and detail ->> 'by' = 'scim' order by 1`,
        [key, id],
      )
      t.same(
        events.map(({ type }) => type),
        [
          ...changes('_member', 'added', 'removed'),
          ...changes('', 'changed', 'created', 'deleted'),
        ].sort(),
      )
    })

    t.test('SCM-07 a removal that names no member removes no member', async (t) => {
      const { id } = (
        await scim.call('POST', '/Groups', { displayName: 'Named', members: [{ value: one }] })
      ).body
      const roles = await connectProvider(running, world.acme, 'roles')
      const admins = async () => (await roles.call('GET', '/Groups/admin')).body.members
      const before = await admins()
      for (const value of [[], null]) {
        const operation = { op: 'Remove', path: 'members', value }
        t.equal((await patch(id, operation)).status, 204)
        t.same(await membersOf(id), [one], JSON.stringify(value))
        await roles.call('PATCH', '/Groups/admin', patchOf(operation))
        t.same(await admins(), before)
        const user = `/Users/${one}`
        const { emails } = (await scim.call('GET', user)).body
        await scim.call('PATCH', user, patchOf({ op: 'Remove', path: 'emails', value }))
        t.same((await scim.call('GET', user)).body.emails, emails)
      }
      isScimError(t, await patch(id, { op: 'replace', path: 'members' }), 400, 'invalidValue')
      t.same(await membersOf(id), [one])
      await patch(id, { op: 'replace', path: 'members', value: [] })
      t.same(await membersOf(id), [], 'a replacement may be empty')
      await patch(id, { op: 'add', path: 'members', value: [{ value: two }] })
      await patch(id, { op: 'remove', path: 'members' })
      t.same(await membersOf(id), [], 'without a value, all are meant')
      await scim.call('DELETE', `/Groups/${id}`)
    })

    t.test(
      'a PATCH answers with the attributes that are asked for (RFC 7644 §3.5.2)',
      async (t) => {
        const members = [{ value: one }]
        const { id } = (await scim.call('POST', '/Groups', { displayName: 'Asked', members })).body
        const ask = (query: string) =>
          scim.call(
            'PATCH',
            `/Groups/${id}?${query}`,
            patchOf({ op: 'add', path: 'members', value: members }),
          )
        const named = await ask('attributes=displayName')
        t.equal(named.status, 200)
        t.same(Object.keys(named.body), ['schemas', 'id', 'displayName'])
        t.match(await ask('attributes=members'), { status: 200, body: { members } })
        t.notOk('members' in (await ask('excludedAttributes=members')).body)
        t.match(await ask(''), { status: 204, body: undefined })
        isScimError(t, await ask('attributes=id&attributes=members'), 400, 'invalidValue')
        await scim.call('DELETE', `/Groups/${id}`)
      },
    )

    t.test('each change of a group moves its lastModified (RFC 7643 §3.1)', async (t) => {
      const { id } = (await scim.call('POST', '/Groups', { displayName: 'Dated' })).body
      const away = (await scim.call('POST', '/Users', newScimUser())).body.id
      const modified = async () =>
        (await scim.call('GET', `/Groups/${id}`)).body.meta.lastModified as string
      const moves = async (what: string, change: () => Promise<unknown>) => {
        const before = await modified()
        t.match(before, /^\d{4}-.*Z$/)
        await eventually(async () => new Date().toISOString() > before)
        await change()
        t.ok((await modified()) > before, what)
      }
      const active = (value: boolean) =>
        scim.call('PATCH', `/Users/${away}`, patchOf({ op: 'replace', value: { active: value } }))
      const add = (value: string) => patch(id, { op: 'add', path: 'members', value: [{ value }] })
      await moves('a member', () => add(two))
      await moves('a name', () => patch(id, { op: 'replace', value: { displayName: 'Dated 2' } }))
      await moves('an id', () => patch(id, { op: 'replace', value: { externalId: 'dated' } }))
      if (isWorkspace) {
        const name = { name: 'Dated 3' }
        await moves('the operator', () => running.operator('PATCH', `/workspaces/${id}`, name))
      }
      await moves('a member whom the operator removes', () =>
        running.operator('DELETE', `/organizations/${world.acme}/members/${two}`),
      )
      await active(false)
      await moves('a member who is not active', () => add(away))
      await moves('who is deleted', () => scim.call('DELETE', `/Users/${away}`))
      const { body } = await scim.call('POST', '/Users', newScimUser())
      await add(body.id)
      await moves('a member who is deleted', () => running.operator('DELETE', `/users/${body.id}`))
      const before = await modified()
      await patch(id, { op: 'remove', path: 'members', value: [{ value: one }] })
      t.equal(await modified(), before, 'a change that changes nothing')
      const found = await scim.find('Groups', `meta.lastModified ge "${before}" and id eq "${id}"`)
      t.equal(found.length, 1)

      await scim.call('DELETE', `/Groups/${id}`)
    })

    t.test('an inactive user keeps groups, and changes of them count on the return', async (t) => {
      const { id } = (
        await scim.call('POST', '/Groups', { displayName: 'Kept', members: [{ value: one }] })
      ).body
      const other = (await scim.call('POST', '/Groups', { displayName: 'Later' })).body.id
      const active = () =>
        sql<{ id: string }>(stores, `select ${key} as id from ${table} where user_id = $1`, [
          one,
        ]).then((rows) => rows.map((row) => row.id))
      await scim.call(
        'PATCH',
        `/Users/${one}`,
        patchOf({ op: 'replace', value: { active: false } }),
      )
      t.same(await membersOf(id), [one])
      await patch(id, { op: 'remove', path: `members[value eq "${one}"]` })
      await patch(other, { op: 'add', path: 'members', value: [{ value: one }] })
      t.same(await active(), [])
      await scim.call('PATCH', `/Users/${one}`, patchOf({ op: 'replace', value: { active: true } }))
      t.same(await active(), [other])
    })
  })
