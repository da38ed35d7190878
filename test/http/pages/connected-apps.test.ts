import { eventually } from '../../support/eventually.ts'
import { credentials, currentCode, exchangeCode, post } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { wordsOf } from './organization-visit.ts'

await onEachBackend('connected apps', async (t, { running, issuer, world }) => {
  const { ana, publicApp } = world

  await t.test('an app that gave its tokens back has been used all the same', async () => {
    const code = await currentCode(running, publicApp, ana)
    const { body } = await exchangeCode(issuer, publicApp, code)
    const { status } = await post(`${issuer}/api/oauth/revoke`, {
      token: body.refresh_token,
      ...credentials(publicApp),
    })
    t.equal(status, 200)
    const said = async () => wordsOf(await code.visitor.get('/account/apps'))
    t.match(await said(), 'Last used')
    // That a grant is in use is written down a little later.
    await eventually(async () => !/Last used\s+never/.test(await said()))
  })
})
