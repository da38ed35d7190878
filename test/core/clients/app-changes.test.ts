/** Owners change what widens nothing, and ask for the rest; one decision counts. */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Stores } from '../../../src/app/stores.ts'
import { versionOfSettings } from '../../../src/core/clients/app-change-rules.ts'
import { createAppChanges, type OwnerChange } from '../../../src/core/clients/app-changes.ts'
import { createApps, type NewApp } from '../../../src/core/clients/apps.ts'
import { createPermissionCatalogue } from '../../../src/core/clients/permission-catalogue.ts'
import { newId } from '../../../src/core/crypto/identifiers.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { createUsers } from '../../../src/core/people/users.ts'
import { textIn } from '../../../src/words/text.ts'
import { onEachStores } from '../../support/open-stores.ts'

const cause = {
  actor: { kind: 'operator', id: null },
  rights: { id: 'configured', permissions: ['*'], organizationIds: null },
  address: null,
  requestId: null,
} as const
const all = { limit: 50, after: null }
const added = ['https://app.example/cb', 'https://app.example/new']

const setUp = (stores: Stores) => {
  const catalogue = createPermissionCatalogue({
    store: stores.ownPermissions,
    builtIn: textIn('en').permissions,
  })
  const keyring = createKeyring([randomBytes(32)])
  const apps = createApps({
    store: stores.apps,
    keyring,
    lifetimes: { current: 3600, legacy: 7200 },
    catalogue,
    addresses: { allowPrivate: false },
    issuer: 'https://auth.example',
    renewLogo: stores.logos.renew,
    prepareKey: async () => undefined,
  })
  const users = createUsers({
    serviceNames: [],
    store: stores.users,
    hashPassword: async () => '',
    verifyPassword: async () => false,
  })
  const changes = createAppChanges({
    store: stores.appChanges,
    owners: stores.appOwners,
    apps,
    reachOf: stores.appUse.reach,
  })

  const newUser = async () => {
    const email = `${newId('user').toLowerCase()}@maker.test`
    return (await users.create({ email, name: 'Maker' }, cause)).id
  }
  const newApp = async (owner: string, part: Partial<NewApp> = {}) => {
    const settings: NewApp = {
      name: 'Letters',
      interface: 'current',
      clientType: 'confidential',
      redirectUris: ['https://app.example/cb'],
      permissions: ['records:create'],
      owners: [owner],
      ...part,
    }
    return (await apps.register(settings, cause)).app.clientId
  }
  const shownOf = async (clientId: string) => versionOfSettings(await apps.read(clientId))
  const propose = async (
    owner: string,
    clientId: string,
    patch: OwnerChange['patch'],
    part: Partial<OwnerChange> = {},
  ) => {
    const change = { ownerId: owner, clientId, patch, shown: await shownOf(clientId), ...part }
    return changes.propose(change, cause)
  }
  const requested = async (owner: string, clientId: string, patch: OwnerChange['patch']) => {
    const outcome = await propose(owner, clientId, patch)
    if (outcome.kind !== 'requested') throw new Error(outcome.kind)
    return outcome.request
  }
  const waiting = async (clientId: string) =>
    (await changes.list(all)).items.filter((one) => one.clientId === clientId)
  return { apps, changes, newUser, newApp, propose, requested, waiting, shownOf }
}

const rejectedWith = async (t: Test, reason: string, work: Promise<unknown>) =>
  t.rejects(work, { name: 'Conflict', reason }, reason)

await onEachStores(t, 'changes by owners', async (t, stores) => {
  const { apps, changes, newUser, newApp, propose, requested, waiting, shownOf } = setUp(stores)
  const [owner, other] = [await newUser(), await newUser()]

  await t.test('what widens nothing is changed at once', async (t) => {
    const clientId = await newApp(owner, {
      redirectUris: added,
      permissions: ['records:create', 'records:update'],
    })
    const narrower = {
      redirectUris: [added[0]!],
      permissions: ['records:update'],
      name: 'New name',
    }
    t.match(await propose(owner, clientId, narrower), { kind: 'changed', app: narrower })
    const jwksUri = 'https://app.example/jwks'
    t.match(await propose(owner, clientId, { jwksUri }), { kind: 'changed', app: { jwksUri } })
    t.match(await propose(owner, clientId, { jwksUri }), { kind: 'unchanged' })
    t.same(await changes.latest(clientId), [])
  })

  await t.test('what widens waits, and the approval makes exactly that', async (t) => {
    const clientId = await newApp(owner, { reviewed: true })
    const before = await apps.read(clientId)
    const { id } = await requested(owner, clientId, { redirectUris: added, name: 'Letters 2' })
    t.same(await apps.read(clientId), before, 'nothing has changed')
    t.match(await waiting(clientId), [
      {
        id,
        name: 'Letters',
        requestedBy: owner,
        outdated: false,
        changes: [
          { field: 'name', before: 'Letters', after: 'Letters 2' },
          { field: 'redirect_uris', before: [added[0]], after: added },
        ],
      },
    ])
    await apps.change(clientId, { retryWindowSeconds: 30 }, cause)
    const { app } = await changes.decide({ id, decision: 'approve', note: 'Fine' }, cause)
    t.match(app, { name: 'Letters 2', redirectUris: added, retryWindowSeconds: 30 })
    t.same(app?.reviewedAt, before.reviewedAt, 'the review stays')
    t.match(await changes.latest(clientId), [{ id, decision: 'approve', note: 'Fine' }])
    t.same(await waiting(clientId), [])
    await rejectedWith(t, 'review_decided', changes.decide({ id, decision: 'refuse' }, cause))
  })

  await t.test('each widening change is a request, and a new name of a reviewed app', async (t) => {
    const patches = [
      { redirectUris: added },
      { permissions: ['records:create', 'records:delete'] },
      { clientType: 'public' },
    ] as const
    for (const patch of patches) {
      const clientId = await newApp(owner)
      t.match(await propose(owner, clientId, patch as OwnerChange['patch']), { kind: 'requested' })
    }
    for (const patch of [
      { name: 'Other' },
      { description: 'D' },
      { logoUri: 'https://a.example/l' },
    ])
      t.match(await propose(owner, await newApp(owner, { reviewed: true }), patch), {
        kind: 'requested',
      })
  })

  await t.test('an outdated request cannot be approved, and can be refused', async (t) => {
    const clientId = await newApp(owner)
    const { id } = await requested(owner, clientId, { redirectUris: added })
    await apps.change(clientId, { redirectUris: ['https://app.example/moved'] }, cause)
    t.match(await waiting(clientId), [{ outdated: true }])
    await rejectedWith(t, 'change_outdated', changes.decide({ id, decision: 'approve' }, cause))
    t.equal((await waiting(clientId)).length, 1, 'it still waits')
    t.match(await changes.decide({ id, decision: 'refuse', note: 'Send it again' }, cause), {
      app: null,
    })
    t.match(await changes.latest(clientId), [{ decision: 'refuse', note: 'Send it again' }])
  })

  await t.test('users who are no owners reach nothing', async (t) => {
    const clientId = await newApp(owner)
    const { id } = await requested(owner, clientId, { redirectUris: added })
    await t.rejects(propose(other, clientId, { name: 'Mine' }), { name: 'NotFound' })
    await t.rejects(changes.withdraw({ ownerId: other, clientId, id }, cause), { name: 'NotFound' })
    const own = await newApp(other)
    await t.rejects(
      changes.withdraw({ ownerId: other, clientId: own, id }, cause),
      { name: 'NotFound' },
      'by another app',
    )
    await apps.change(clientId, { owners: [other] }, cause)
    await t.rejects(
      changes.withdraw({ ownerId: owner, clientId, id }, cause),
      { name: 'NotFound' },
      'a former one',
    )
    await changes.withdraw({ ownerId: other, clientId, id }, cause)
    t.same(await changes.latest(clientId), [])
    await t.rejects(changes.decide({ id, decision: 'approve' }, cause), { name: 'NotFound' })
  })

  await t.test('breaks no rule of apps, and no version that was not shown', async (t) => {
    const clientId = await newApp(owner)
    for (const patch of [
      { redirectUris: ['http://app.example/cb'] },
      { redirectUris: [] },
      { permissions: ['no:such'] },
      { jwksUri: 'https://127.0.0.1/keys' },
      { name: '' },
    ])
      await t.rejects(propose(owner, clientId, patch), { name: 'Invalid' }, JSON.stringify(patch))
    const shown = await shownOf(clientId)
    await apps.change(clientId, { name: 'Meanwhile' }, cause)
    const late = propose(owner, clientId, { name: 'Late' }, { shown })
    await rejectedWith(t, 'changed_meanwhile', late)
    t.match(await apps.read(clientId), { name: 'Meanwhile' })
    t.same(await waiting(clientId), [])
  })

  await t.test('of many requests at once, one waits', async (t) => {
    const clientId = await newApp(owner)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        propose(owner, clientId, { redirectUris: [...added, `https://app.example/${at}`] }),
      ),
    )
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of outcomes)
      if (one.status === 'rejected') t.match(one.reason, { reason: 'change_waits' })
    t.equal((await waiting(clientId)).length, 1)
  })

  await t.test('of many decisions at once, one counts', async (t) => {
    const clientId = await newApp(owner)
    const { id } = await requested(owner, clientId, { redirectUris: added })
    const decisions = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        changes.decide({ id, decision: at % 2 === 0 ? 'approve' : 'refuse' }, cause),
      ),
    )
    t.equal(decisions.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of decisions)
      if (one.status === 'rejected') t.match(one.reason, { reason: 'review_decided' })
    const { rows } = await stores.database.query<{ type: string }>(
      `select type from audit_events where client_id = $1 and type like 'app_change.%' order by id`,
      [clientId],
    )
    const [last] = await changes.latest(clientId)
    const decided = last?.decision === 'approve' ? 'app_change.approved' : 'app_change.refused'
    t.same(rows, [{ type: 'app_change.requested' }, { type: decided }])
    t.same(
      (await apps.read(clientId)).redirectUris,
      last?.decision === 'approve' ? added : [added[0]],
    )
  })
})
