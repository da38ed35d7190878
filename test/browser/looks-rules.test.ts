import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { createApp, install } from '../support/world.ts'
import { look } from './looks.ts'
import { answer, atApp, inChromium, signIn } from './scene.ts'

await inChromium('rules and review', async ({ running, world, test, app, register }) => {
  const { issuer, operator } = running
  const { acme, ana, kim } = world
  const organization = `${issuer}/organizations/${acme}`
  const rule = (connect: string) =>
    operator('PUT', `/organizations/${acme}/policy`, { connect, default_expires_days: 90 })

  test('the rules', async (t, { page }) => {
    await rule('ask')
    await page.goto(`${organization}/policy`)
    await signIn(page, kim)
    await page.waitForSelector('h1:has-text("Rules for apps in Acme")')
    await look(t, page, 'organization-policy')
    await page.fill('#default_idle_days', 'soon')
    await page.click('main button.primary')
    await page.waitForSelector('[role="alert"]')
    await look(t, page, 'organization-policy-fault')
  })

  test('the review', async (t, { page }) => {
    await page.goto(`${organization}/review`)
    await signIn(page, kim)
    await page.waitForSelector('h1:has-text("Access to review in Acme")')
    await look(t, page, 'organization-review-empty')
    await operator('PUT', `/organizations/${acme}/policy`, {
      connect: 'all',
      default_expires_days: 10,
      default_idle_days: 30,
    })
    for (const name of ['Letter Press', 'A name as long as some makers of apps choose']) {
      const client = await register({ name })
      await install(running, acme, client)
      await page.context().clearCookies()
      await page.goto(authorizeUrl(issuer, client, { code_challenge: challengeOf(newVerifier()) }))
      await signIn(page, ana)
      await answer(page, 'approve')
      await atApp(page, app)
    }
    await page.context().clearCookies()
    await page.goto(`${organization}/review`)
    await signIn(page, kim)
    await page.waitForSelector('th:has-text("Letter Press")')
    await look(t, page, 'organization-review')
    await page.context().clearCookies()
    await page.goto(`${issuer}/account/apps`)
    await signIn(page, ana)
    await page.waitForSelector('dt:has-text("Ends")')
    await look(t, page, 'account-apps-ends')
  })

  test('a member asks for the approval to connect', async (t, { page }) => {
    await rule('ask')
    const client = await createApp(running, { name: 'Night Press' })
    await install(running, acme, client)
    await page.goto(authorizeUrl(issuer, client, { code_challenge: challengeOf(newVerifier()) }))
    await signIn(page, ana)
    await page.waitForSelector('h1:has-text("Ask an admin to let you use")')
    await look(t, page, 'ask-admin-connect')
    await page.fill('textarea[name="reason"]', 'For the proofs')
    await answer(page, 'request')
    await page.waitForSelector('h1:has-text("Your request is with the admins")')
    await page.context().clearCookies()
    await page.goto(`${organization}/apps`)
    await signIn(page, kim)
    await page.waitForSelector('h1:has-text("Apps in Acme")')
    await page.waitForSelector('button:has-text("Approve")')
    await rule('installed')
    await page.context().clearCookies()
    const other = await createApp(running, { name: 'Closed Shop' })
    await page.goto(authorizeUrl(issuer, other, { code_challenge: challengeOf(newVerifier()) }))
    await signIn(page, ana)
    await page.waitForSelector('h1:has-text("This app is not installed")')
    await look(t, page, 'apps-closed')
  })
})
