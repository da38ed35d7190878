/**
 * A token exchange that a store failure interrupts: nothing is lost, and nothing is given twice.
 */
import t from 'tap'
import type { App } from '../../../src/core/clients/app.ts'
import { successorGrantId } from '../../../src/core/clients/successor-rules.ts'
import { createTargets } from '../../../src/core/clients/targets.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import type { Narrowing } from '../../../src/core/grants/approval.ts'
import type { FamilyStore } from '../../../src/core/grants/families.ts'
import { createMigration } from '../../../src/core/grants/migration.ts'
import type { LoadedMigration, MigrationStore } from '../../../src/core/grants/migration-rules.ts'
import type { GrantStore } from '../../../src/core/grants/store.ts'
import { decodeGrantToken, encodeGrantToken } from '../../../src/core/grants/token-format.ts'
import { createSettleReach } from '../../../src/core/grants/token-reach.ts'
import { StoreUnavailable } from '../../../src/core/language/errors.ts'
import { legacyToken } from '../../support/flows.ts'
import { masterKey, startLatchkey } from '../../support/latchkey.ts'
import { createSuccessor, legacyTokens } from '../../support/migration.ts'
import { openTestStores } from '../../support/open-stores.ts'
import { testStores } from '../../support/stores.ts'
import { unsettledIn } from '../../support/unsettled.ts'
import { createWorld } from '../../support/world.ts'

const key = Buffer.from(masterKey, 'base64')
const replay = Object.assign(new Error(), { name: 'OAuthError', reason: 'refresh_token_reused' })
const everything = { scope: undefined, workspaceIds: undefined }

/** The same store, failing once or several times, before or after it has run the call. */
const leaving = <Store extends object>(
  store: Store,
  method: keyof Store,
  when: 'before' | 'after',
  nth = 1,
  times = 1,
) => {
  let calls = 0
  const original = store[method] as (...values: unknown[]) => Promise<unknown>
  const replaced = async (...values: unknown[]) => {
    calls++
    const isAway = calls >= nth && calls < nth + times
    if (isAway && when === 'before') throw new StoreUnavailable('postgres')
    const answer = await original(...values)
    if (isAway) throw new StoreUnavailable('postgres')
    return answer
  }
  return { ...store, [method]: replaced }
}

/** The same store, with calls of one method held until they are released. */
const holding = <Store extends object>(store: Store, method: keyof Store) => {
  let [arrive, letGo] = [() => {}, () => {}]
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const original = store[method] as (...values: unknown[]) => Promise<unknown>
  const replaced = async (...values: unknown[]) => {
    arrive()
    await released
    return original(...values)
  }
  return { store: { ...store, [method]: replaced }, reached, letGo: () => letGo() }
}

for (const setup of await testStores()) {
  void t.test(`migration during a store failure (${setup.name})`, async (t) => {
    const running = await startLatchkey(setup)
    const stores = await openTestStores(setup)
    t.teardown(async () => {
      await stores.close()
      await running.stop()
      await setup.drop()
    })
    const keyring = createKeyring([key])
    const world = await createWorld(running)
    const twin = await createSuccessor(running, world, world.legacy)
    const cause = {
      actor: { kind: 'client', id: twin.client_id },
      address: null,
      requestId: null,
    } as const

    const migrationOn = (
      families: FamilyStore,
      store: MigrationStore,
      grants: Pick<GrantStore, 'end' | 'loadGrant'> = stores.grants,
    ) =>
      createMigration({
        store,
        grants,
        families,
        unsettled: unsettledIn(stores),
        keyring,
        targets: createTargets({
          store: stores.resourceServers,
          defaultAudience: 'https://a.example',
        }),
        events: { reuseDetected: () => undefined, ended: () => undefined, used: () => undefined },
        bound: { countUpTo: 0, admit: async () => undefined, keep: async () => undefined },
        settleReach: createSettleReach({
          store: stores.tokenReaches,
          accessTokens: { fits: () => true },
          lifetimeOf: () => 3600,
        }),
      })
    type Migration = ReturnType<typeof migrationOn>
    const redeem = async (
      migration: Migration,
      text: string,
      requested: Narrowing = everything,
    ) => {
      const token = decodeGrantToken(keyring, 'refresh_token', text)
      const loaded = (await migration.load(
        twin.client_id,
        token?.familyId ?? null,
      )) as LoadedMigration
      const app: App = loaded.app
      return migration.redeem(
        { app, loaded, requested, proof: null, cause, onWait: () => undefined },
        token,
      )
    }
    const tokenOf = async (): Promise<string> =>
      (await legacyTokens(running, world.legacy, world)).refresh_token
    const whole = migrationOn(stores.families, stores.migration)

    const unclaimable = () => leaving(stores.migration, 'claim', 'before', 1, 2)

    const places: [string, () => Migration][] = [
      [
        'before anything',
        () => migrationOn(leaving(stores.families, 'create', 'before'), stores.migration),
      ],
      [
        'before it is consumed',
        () => migrationOn(leaving(stores.families, 'advance', 'before'), stores.migration),
      ],
      [
        'after it is consumed',
        () => migrationOn(leaving(stores.families, 'advance', 'after'), stores.migration),
      ],
      [
        'before the rows',
        () => migrationOn(stores.families, leaving(stores.migration, 'migrate', 'before')),
      ],
      [
        'after the rows',
        () => migrationOn(stores.families, leaving(stores.migration, 'migrate', 'after')),
      ],
      [
        'before its family is opened',
        () => migrationOn(leaving(stores.families, 'advance', 'before', 2), stores.migration),
      ],
      [
        'after its family is opened',
        () => migrationOn(leaving(stores.families, 'advance', 'after', 2), stores.migration),
      ],
      ['before the answer', () => migrationOn(stores.families, unclaimable())],
    ]
    for (const [where, migration] of places) {
      t.test(`${where}: the same exchange continues`, async (t) => {
        const text = await tokenOf()
        await t.rejects(redeem(migration(), text), { name: 'StoreUnavailable' })
        const answer = await redeem(whole, text)
        const familyId = decodeGrantToken(keyring, 'refresh_token', text)?.familyId as string
        const expected = { familyId: successorGrantId(familyId), generation: 1 }
        t.equal(answer.refreshToken?.token, encodeGrantToken(keyring, expected))
        await t.rejects(redeem(whole, text), { name: 'OAuthError' }, 'only once')
        t.equal(await stores.families.live(expected.familyId), null, 'a replay has revoked it')
      })
    }

    for (const when of ['before', 'after'] as const)
      t.test(`a connection that breaks ${when} the decision costs nothing`, async (t) => {
        const text = await tokenOf()
        await redeem(migrationOn(stores.families, leaving(stores.migration, 'claim', when)), text)
        await t.rejects(redeem(whole, text), replay, 'it is given once')
      })

    t.test('a claim whose reply is lost is repeated once', async (t) => {
      const text = await tokenOf()
      const tooMuch = { ...everything, scope: 'records:update' }
      for (let tries = 0; tries < 3; tries++) {
        const migration = migrationOn(
          stores.families,
          leaving(stores.migration, 'claim', 'after', 1, 2),
        )
        await t.rejects(redeem(migration, text), { name: 'StoreUnavailable' })
        await t.rejects(redeem(whole, text, tooMuch), { code: 'invalid_scope' }, 'revokes nothing')
      }
      await redeem(whole, text)
      await t.rejects(redeem(whole, text), replay)
    })

    t.test('after an unanswered exchange the legacy token is still valid', async (t) => {
      const text = await tokenOf()
      const migration = migrationOn(leaving(stores.families, 'advance', 'after'), stores.migration)
      await t.rejects(redeem(migration, text), { name: 'StoreUnavailable' })
      const requested = { grant_type: 'refresh_token', refresh_token: text }
      t.equal((await legacyToken(running.issuer, world.legacy, requested)).status, 200)
      await t.rejects(redeem(whole, text), replay, 'once')
    })

    t.test('an interrupted exchange continues although its family has expired', async (t) => {
      const text = await tokenOf()
      const migration = migrationOn(stores.families, leaving(stores.migration, 'migrate', 'after'))
      await t.rejects(redeem(migration, text), { name: 'StoreUnavailable' })
      const familyId = decodeGrantToken(keyring, 'refresh_token', text)?.familyId as string
      await stores.families.end(successorGrantId(familyId))
      await redeem(whole, text)
      await t.rejects(redeem(whole, text), replay)
    })

    t.test('a refused request does not revoke a grant that was never delivered', async (t) => {
      const text = await tokenOf()
      const tooMuch = { ...everything, scope: 'records:update' }
      const refused = { name: 'OAuthError', code: 'invalid_scope' }
      await t.rejects(redeem(migrationOn(stores.families, unclaimable()), text), {
        name: 'StoreUnavailable',
      })
      await t.rejects(redeem(whole, text, tooMuch), refused)
      await redeem(whole, text)
      await t.rejects(redeem(whole, text, tooMuch), replay, 'but a delivered one')
    })

    t.test('of concurrent exchanges after a failed one, one succeeds', async (t) => {
      const text = await tokenOf()
      await t.rejects(redeem(migrationOn(stores.families, unclaimable()), text), {
        name: 'StoreUnavailable',
      })
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, () => redeem(whole, text)),
      )
      t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
      const familyId = decodeGrantToken(keyring, 'refresh_token', text)?.familyId as string
      t.equal(
        await stores.families.live(successorGrantId(familyId)),
        null,
        'a replay has revoked it',
      )
    })

    t.test('a delayed request gets nothing', async (t) => {
      const text = await tokenOf()
      const slow = holding(stores.families, 'create')
      const late = redeem(migrationOn(slow.store, stores.migration), text)
      await slow.reached
      await redeem(whole, text)
      // The replay has revoked the family; its row is not updated yet.
      const ending = holding(stores.grants, 'end')
      const again = redeem(migrationOn(stores.families, stores.migration, ending.store), text)
      await ending.reached
      slow.letGo()
      await t.rejects(late, replay)
      ending.letGo()
      await t.rejects(again, replay)
    })

    t.test('a replay ends the row although a connection breaks at that moment', async (t) => {
      const text = await tokenOf()
      await redeem(whole, text)
      const { familyId, generation } = decodeGrantToken(keyring, 'refresh_token', text) as {
        familyId: string
        generation: number
      }
      const older = encodeGrantToken(keyring, { familyId, generation: generation + 1 })
      const breaking = leaving(stores.grants, 'end', 'before')
      await t.rejects(
        redeem(migrationOn(stores.families, stores.migration, breaking), older),
        replay,
      )
      const loaded = await stores.grants.loadGrant(twin.client_id, successorGrantId(familyId))
      t.equal(loaded?.grant?.standing.ended, true)
    })

    t.test('an older token of the family cannot continue the exchange', async (t) => {
      const text = await tokenOf()
      const { familyId, generation } = decodeGrantToken(keyring, 'refresh_token', text) as {
        familyId: string
        generation: number
      }
      const migration = migrationOn(
        leaving(stores.families, 'advance', 'before', 2),
        stores.migration,
      )
      await t.rejects(redeem(migration, text), { name: 'StoreUnavailable' })
      const older = encodeGrantToken(keyring, { familyId, generation: generation + 1 })
      await t.rejects(redeem(whole, older), replay)
      await t.rejects(
        redeem(whole, text),
        { name: 'OAuthError' },
        'it is revoked for the right one too',
      )
    })
  })
}
