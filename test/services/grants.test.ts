/** A replay while Postgres is away: the family ends at once, and the row follows when a token of it comes again. */
import t from 'tap'
import { StoreUnavailable } from '../../src/domain/errors.ts'
import { createKeyring } from '../../src/domain/keyring.ts'
import { decodeGrantToken } from '../../src/domain/token-format.ts'
import { createGrants } from '../../src/services/grants.ts'
import { currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { masterKey, startLatchkey } from '../support/latchkey.ts'
import { openTestStores } from '../support/open-stores.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { testStores } from '../support/stores.ts'
import { countRows, sql } from '../support/traces.ts'
import { createWorld } from '../support/world.ts'

const everything = { scope: undefined, workspaceIds: undefined }
const refused = (reason: string) => ({ name: 'OAuthError', reason })
const keyring = createKeyring([Buffer.from(masterKey, 'base64')])
const quiet = () => undefined

for (const setup of await testStores()) {
  void t.test(`a row that could not end with its family (${setup.name})`, async (t) => {
    const running = await startLatchkey(setup)
    const stores = await openTestStores(setup)
    t.teardown(async () => {
      await stores.close()
      await running.stop()
      await setup.drop()
    })
    const { issuer } = running
    const { confidential: app, ana } = await createWorld(running)
    const asker = await registerResourceServer(running)

    const grantsOf = (end = stores.grants.end) =>
      createGrants({
        store: { ...stores.grants, end },
        families: stores.families,
        keyring,
        events: { reuseDetected: quiet, ended: quiet, used: quiet, installUsed: quiet },
      })
    const failing = (error: Error) => grantsOf(() => Promise.reject(error))
    const away = failing(new StoreUnavailable('postgres'))
    const familyOf = (text: string) =>
      decodeGrantToken(keyring, 'refresh_token', text)?.familyId as string
    const redeem = async (grants: typeof away, text: string) => {
      const presented = grants.read('refresh_token', text)
      const loaded = await stores.grants.loadGrant(app.client_id, familyOf(text))
      if (!loaded) throw new Error('no such app')
      return grants.redeem(loaded.app, loaded.grant, presented, everything, null, null)
    }
    const endOf = async (text: string) =>
      (
        await sql(setup, 'select ended_reason as reason from grants where id = $1', [
          familyOf(text),
        ])
      )[0]
    const isActive = async (token: string) => (await introspectAt(issuer, asker, token)).body.active
    const replayedAway = async () => {
      const code = await currentCode(running, app, ana)
      const first = (await exchangeCode(issuer, app, code)).body.refresh_token as string
      const { body } = await refresh(issuer, app, first)
      await t.rejects(redeem(away, first), refused('refresh_token_reused'))
      return { spent: first, live: body.refresh_token as string, access: body.access_token }
    }

    t.test('ends when a refresh token of it comes, spent or not', async (t) => {
      for (const which of ['spent', 'live'] as const) {
        const tokens = await replayedAway()
        t.equal(await isActive(tokens.access), true, 'its row has not ended')
        await t.rejects(redeem(grantsOf(), tokens[which]), refused('family_ended'))
        t.same(await endOf(tokens.live), { reason: 'family_ended' }, which)
        t.equal(await isActive(tokens.access), false)
      }
    })

    t.test('is refused while Postgres stays away, and ends later', async (t) => {
      const { live } = await replayedAway()
      await t.rejects(redeem(away, live), refused('family_ended'))
      t.same(await endOf(live), { reason: null })
      await t.rejects(redeem(failing(new TypeError('a mistake')), live), TypeError, 'is not hidden')
      t.match(await refresh(issuer, app, live), { status: 400, body: { error: 'invalid_grant' } })
      t.same(await endOf(live), { reason: 'family_ended' })
    })

    t.test('does not end because a code of it comes late', async (t) => {
      const code = await currentCode(running, app, ana)
      await stores.families.end(decodeGrantToken(keyring, 'code', code.code)?.familyId as string)
      t.match(await exchangeCode(issuer, app, code), { status: 400 })
      t.equal(
        await countRows(setup, 'grants where ended_at is null'),
        1,
        'nobody has used it: it is removed with what has expired',
      )
    })
  })
}
