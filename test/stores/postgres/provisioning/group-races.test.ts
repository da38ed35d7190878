/** Changes of groups that meet: none of them is lost, and no member stays in what is gone. */
import t, { type Test } from 'tap'
import { groupEvents } from '../../../../src/core/provisioning/group-events.ts'
import type { GroupChange } from '../../../../src/core/provisioning/group-patch.ts'
import type { UserChange } from '../../../../src/core/provisioning/scim-users.ts'
import { onEachStores } from '../../../support/open-stores.ts'

const cause = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const
const rounds = 15

await onEachStores(t, 'races of groups', async (t, stores) => {
  const { database } = stores
  const userIds = Array.from({ length: 20 }, (_, at) => `usr${at + 10}`)
  const [one, two] = userIds as [string, string]
  await database.query(`insert into organizations (id, name) values ('org', 'Org'), ('far', 'Far')`)
  for (const id of userIds) {
    await database.query(
      `insert into users (id, email, name) values ($1, $1 || '@a.test', 'Kim')`,
      [id],
    )
    for (const organization of ['org', 'far'])
      await stores.members.put(
        { organizationId: organization, userId: id, role: 'member' },
        () => [],
      )
  }

  const move = (id: string, membership: UserChange['membership'], keepsRole = false) =>
    stores.scimUsers.change('org', id, (user) => ({
      userName: user.userName,
      externalId: null,
      attributes: {},
      email: null,
      name: null,
      locale: null,
      membership,
      keepsRole,
      events: [],
    }))

  t.test('no role is lost while an admin returns', async (t) => {
    const { memberEvent, renamed } = groupEvents(
      { id: 'sct', organizationId: 'org', groupKind: 'roles', isLimited: false },
      cause,
    )
    const change = (part: Partial<GroupChange>) => {
      const given = { empties: false, add: new Set<string>(), remove: new Set<string>(), ...part }
      return stores.scimGroups.roles.change('org', 'admin', given, renamed('admin'), memberEvent)
    }
    const roleOf = async (userId: string) => (await stores.members.find('org', userId))?.role
    for (let round = 0; round < rounds; round++) {
      await change({ add: new Set([one]) })
      await move(one, 'leave', true)
      await move(two, 'leave', true)
      await Promise.all([
        change(round % 2 ? { empties: true } : { remove: new Set([one]) }),
        move(one, 'join'),
      ])
      t.equal(await roleOf(one), 'member')
      await Promise.all([change({ add: new Set([two]) }), move(two, 'join')])
      t.equal(await roleOf(two), 'admin')
      await change({ empties: true })
    }
  })

  for (const { kind, members, key, kept } of [
    {
      kind: 'workspaces',
      members: 'workspace_members',
      key: 'workspace_id',
      kept: 'kept_workspaces',
    },
    { kind: 'groups', members: 'directory_group_members', key: 'group_id', kept: 'kept_groups' },
  ] as const) {
    const groups = stores.scimGroups[kind]
    let counter = 0
    const eventsIn = (organizationId: string) =>
      groupEvents({ id: 'sct', organizationId, groupKind: kind, isLimited: false }, cause)
    const create = async (memberIds: string[], organization = 'org'): Promise<string> => {
      const id = `${kind}${++counter}`
      const { created, memberEvent } = eventsIn(organization)
      const group = { id, displayName: 'Group', externalId: null }
      await groups.add(organization, group, memberIds, created(id), memberEvent)
      return id
    }
    const change = (id: string, part: { add?: string[]; remove?: string[]; empties?: boolean }) => {
      const { renamed, memberEvent } = eventsIn('org')
      const { add = [], remove = [], empties = false } = part
      const given: GroupChange = { empties, add: new Set(add), remove: new Set(remove) }
      return groups.change('org', id, given, renamed(id), memberEvent)
    }
    const remove = (id: string) => groups.remove('org', id, eventsIn('org').deleted(id))
    /** Members of the group: those of its rows, and those who keep it. */
    const stored = async (id: string) => ({
      rows: await database.values<string>(
        `select user_id from ${members} where ${key} = $1 order by 1`,
        [id],
      ),
      keeping: await database.values<string>(
        `select user_id from scim_users where $1 = any(${kept}) order by 1`,
        [id],
      ),
    })
    const test = (title: string, run: (t: Test) => Promise<void>) =>
      t.test(`${kind}: ${title}`, run)

    test('changes at once are all kept', async (t) => {
      const id = await create(userIds.slice(0, 10))
      await Promise.all(
        userIds.slice(10).map((user, at) => change(id, { add: [user], remove: [userIds[at]!] })),
      )
      t.same(await stored(id), { rows: userIds.slice(10), keeping: [] })
      await Promise.all([
        change(id, { empties: true, add: [one] }),
        change(id, { empties: true, add: [two] }),
      ])
      const { rows } = await stored(id)
      t.ok(rows.length === 1 && [one, two].includes(rows[0]!), 'one of two replacements')
    })

    test('a deleted group has no members, whatever is changed meanwhile', async (t) => {
      for (let round = 0; round < rounds; round++) {
        const id = await create([one])
        await move(one, 'leave')
        const [, gone] = await Promise.all([
          change(id, { add: userIds }),
          remove(id),
          move(one, 'join'),
          change(id, { remove: userIds }),
        ])
        t.equal(gone, true)
        t.equal(await groups.byId('org', id), null)
        t.same((await stored(id)).rows, [])
        t.equal(await change(id, { add: [one] }), null)
        t.equal(await remove(id), false)
      }
    })

    for (const [membership, before] of [
      ['join', 'leave'],
      ['leave', null],
    ] as const)
      test(`no change is lost while a user ${membership}s`, async (t) => {
        for (let round = 0; round < rounds; round++) {
          const [from, replaced, to] = [await create([one]), await create([one]), await create([])]
          if (before) await move(one, before)
          const answers = await Promise.all([
            change(to, { add: [one] }),
            move(one, membership),
            change(from, { remove: [one] }),
            change(replaced, { empties: true, add: [two] }),
          ])
          t.notOk(answers.includes('unknown_member'))
          const where = membership === 'join' ? 'rows' : 'keeping'
          t.same(await stored(to), { rows: [], keeping: [], [where]: [one] })
          t.same(await stored(from), { rows: [], keeping: [] })
          t.same(await stored(replaced), { rows: [two], keeping: [] })
          if (membership === 'leave') await move(one, 'join')
          t.same((await stored(to)).rows, [one], 'back on the return')
        }
      })

    test('who leaves the organization leaves its groups only', async (t) => {
      const [id, foreign] = [await create([one, two]), await create([one, two], 'far')]
      await move(two, 'leave')
      t.same(await stored(id), { rows: [one], keeping: [two] })
      t.same(await stored(foreign), { rows: [one, two], keeping: [] })
      await stores.members.remove({ organizationId: 'org', userId: one }, () => [])
      await stores.scimUsers.remove('org', two, [])
      t.same(await stored(id), { rows: [], keeping: [] })
      t.same(await stored(foreign), { rows: [one, two], keeping: [] })
      for (const userId of [one, two])
        await stores.members.put({ organizationId: 'org', userId, role: 'member' }, () => [])
      t.same((await stored(id)).rows, [], 'a new membership begins without them')
    })
  }
})
