import { eventually } from '../support/eventually.ts'
import {
  credentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  post,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openTestStores } from '../support/open-stores.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { wordsOf } from './organization-visit.ts'

await onEachBackend('connected apps', async (t, { stores, running, issuer, world }) => {
  const { ana, kim, publicApp, legacyPublic } = world

  await t.test('an app that revoked its tokens still shows its last use', async (t) => {
    const code = await currentCode(running, publicApp, ana)
    const { body } = await exchangeCode(issuer, publicApp, code)
    const { status } = await post(`${issuer}/api/oauth/revoke`, {
      token: body.refresh_token,
      ...credentials(publicApp),
    })
    t.equal(status, 200)
    const said = async () => wordsOf(await code.visitor.get('/account/apps'))
    t.match(await said(), 'Last used')
    // The use of a grant is recorded a little later.
    await eventually(async () => !/Last used\s+never/.test(await said()))
    t.match(wordsOf(await code.visitor.get('/')), 'in Acme · Last used')
  })

  await t.test('an implicit-flow app counts as used when it gets its token', async (t) => {
    const visitor = createVisitor(issuer)
    const requested = legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token' })
    t.match((await walk(visitor, requested, kim)).left?.hash, /^#access_token=/)
    const said = async () => wordsOf(await visitor.get('/account/apps'))
    t.match(await said(), 'Last used')
    await eventually(async () => !/Last used\s+never/.test(await said()))
    // The grant expires with its token; the consent stays.
    await sql(
      stores,
      `update grants set expires_at = now() - interval '1 second' where user_id = $1`,
      [kim.id],
    )
    const opened = await openTestStores(stores)
    t.teardown(() => opened.close())
    await opened.removeExpired()
    t.same(await sql(stores, 'select id from grants where user_id = $1', [kim.id]), [])
    const later = await said()
    t.match(later, 'Last used')
    t.notMatch(later, /Last used\s+never/)
  })
})
