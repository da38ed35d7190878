/**
 * A replay while Postgres is unavailable: the family is revoked at once, and its row as soon as
 * Postgres allows.
 */
import t from 'tap'
import { createTargets } from '../../../src/core/clients/targets.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { createGrants } from '../../../src/core/grants/redeem.ts'
import { decodeGrantToken } from '../../../src/core/grants/token-format.ts'
import { createSettleReach } from '../../../src/core/grants/token-reach.ts'
import { StoreUnavailable } from '../../../src/core/language/errors.ts'
import { currentCode, exchangeCode, refresh } from '../../support/flows.ts'
import { type Json, masterKey, startLatchkey } from '../../support/latchkey.ts'
import { createSuccessor, exchange, legacyTokens } from '../../support/migration.ts'
import { openTestStores } from '../../support/open-stores.ts'
import { introspectAt, registerResourceServer } from '../../support/resource-server.ts'
import { testStores } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'
import { unsettledIn } from '../../support/unsettled.ts'
import { createWorld } from '../../support/world.ts'

const everything = { scope: undefined, workspaceIds: undefined }
const refused = (reason: string) => ({ name: 'OAuthError', reason })
const keyring = createKeyring([Buffer.from(masterKey, 'base64')])
const quiet = () => undefined

for (const setup of await testStores()) {
  void t.test(`a row ends with its family (${setup.name})`, async (t) => {
    const running = await startLatchkey(setup)
    const stores = await openTestStores(setup)
    t.teardown(async () => {
      await stores.close()
      await running.stop()
      await setup.drop()
    })
    const { issuer } = running
    const world = await createWorld(running)
    const { confidential: app, ana, legacy } = world
    const asker = await registerResourceServer(running)
    const twin = await createSuccessor(running, world, legacy)

    const told: string[] = []
    /**
     * @param failures outcomes of the first attempts to end a row @param when whether they fail
     * before or after the row has ended
     */
    const grantsWith = (failures: Error[], when: 'before' | 'after' = 'before') => {
      const left = [...failures]
      const end = async (grantId: string, reason: string) => {
        const failure = left.shift()
        if (failure && when === 'before') throw failure
        const wasLive = await stores.grants.end(grantId, reason)
        if (failure) throw failure
        return wasLive
      }
      return createGrants({
        store: { ...stores.grants, end },
        families: stores.families,
        unsettled: unsettledIn(stores),
        keyring,
        targets: createTargets({
          store: stores.resourceServers,
          defaultAudience: 'https://a.example',
        }),
        events: {
          reuseDetected: ({ id }) => void told.push(id),
          ended: quiet,
          used: quiet,
          takenOver: quiet,
        },
        settleReach: createSettleReach({
          store: stores.tokenReaches,
          accessTokens: { fits: () => true },
          lifetimeOf: () => 3600,
        }),
      })
    }
    const away = new StoreUnavailable('postgres')
    const familyOf = (text: string) =>
      decodeGrantToken(keyring, 'refresh_token', text)?.familyId as string
    /** @param meanwhile runs after the grant was read */
    const redeem = async (
      grants: ReturnType<typeof grantsWith>,
      text: string,
      by = app,
      meanwhile: () => Promise<unknown> = async () => undefined,
    ) => {
      const token = grants.read('refresh_token', text)
      const loaded = await stores.grants.loadGrant(by.client_id, familyOf(text))
      if (!loaded) throw new Error('no such app')
      await meanwhile()
      const { app, grant } = loaded
      return grants.redeem({
        app,
        loaded: grant,
        token,
        check: null,
        requested: everything,
        proof: null,
      })
    }
    const endOf = async (text: string) =>
      (
        await sql(setup, 'select ended_reason as reason from grants where id = $1', [
          familyOf(text),
        ])
      )[0]
    const isActive = async (token: string) => (await introspectAt(issuer, asker, token)).body.active
    /** A used refresh token, its successor, and an access token. */
    const refreshed = async () => {
      const code = await currentCode(running, app, ana)
      const spent = (await exchangeCode(issuer, app, code)).body.refresh_token as string
      const { body } = await refresh(issuer, app, spent)
      return { spent, live: body.refresh_token as string, access: body.access_token as string }
    }

    t.test('a row ends although a connection breaks at that moment', async (t) => {
      const { spent, access } = await refreshed()
      await t.rejects(redeem(grantsWith([away]), spent), refused('refresh_token_reused'))
      t.same(await endOf(spent), { reason: 'reuse_detected' })
      t.equal(await isActive(access), false)
    })

    t.test('the response does not depend on Postgres', async (t) => {
      const { spent, live } = await refreshed()
      await t.rejects(redeem(grantsWith([away, away]), spent), refused('refresh_token_reused'))
      t.same(await endOf(spent), { reason: null })
      t.match(await refresh(issuer, app, live), { status: 400, body: { error: 'invalid_grant' } })
    })

    t.test('a programming error is not hidden', async (t) => {
      const { spent } = await refreshed()
      await t.rejects(redeem(grantsWith([new TypeError('a programming error')]), spent), TypeError)
    })

    t.test('the row of a migrated grant’s successor ends too', async (t) => {
      for (const [when, isMovedLate] of [
        ['moved before it was read', false],
        ['moved since', true],
      ] as const) {
        const { refresh_token: old } = await legacyTokens(running, legacy, world)
        let moved: Json
        const move = async () => {
          moved = (await exchange(issuer, twin, old)).body
        }
        if (!isMovedLate) await move()
        const replay = redeem(grantsWith([away]), old, legacy, isMovedLate ? move : undefined)
        await t.rejects(replay, refused('moved'), when)
        t.same(await endOf(moved.refresh_token), { reason: 'reuse_detected' }, when)
        t.equal(await isActive(moved.access_token), false, when)
      }
    })

    t.test('a successor’s row ends although the earlier migration is unknown', async (t) => {
      const { refresh_token: old } = await legacyTokens(running, legacy, world)
      let moved: Json
      const replay = redeem(grantsWith([away, away]), old, legacy, async () => {
        moved = (await exchange(issuer, twin, old)).body
        // The state before the last step of a migration.
        await stores.families.create(familyOf(old), 2, 60)
      })
      await t.rejects(replay, refused('refresh_token_reused'))
      t.same(await endOf(moved.refresh_token), { reason: 'reuse_detected' })
      t.match(await refresh(issuer, twin, moved.refresh_token), { status: 400 })
    })

    t.test('a replay is audited once, although the first response was lost', async (t) => {
      const { refresh_token: old } = await legacyTokens(running, legacy, world)
      await exchange(issuer, twin, old)
      for (const failures of [[away], []])
        await t.rejects(redeem(grantsWith(failures, 'after'), old, legacy), refused('moved'))
      t.equal(told.filter((id) => id === familyOf(old)).length, 1)
    })
  })
}
