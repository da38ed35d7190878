import { authorizeUrl, challengeOf, exchangeCode, newVerifier } from '../support/flows.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { look } from './looks.ts'
import { press } from './press.ts'
import { answer, atApp, inChromium, signIn } from './scene.ts'

await inChromium(
  'the pages around it',
  async ({ running, world, app, current, legacy, test }) => {
    const { issuer } = running
    const { ana, kim } = world

    test('home, sign out', async (t, { page }) => {
      await page.goto(issuer)
      await look(t, page, 'home-signed-out')
      await page.goto(`${issuer}/login`)
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Hello")')
      await look(t, page, 'home')
      await page.goto(`${issuer}/logout`)
      await look(t, page, 'sign-out')
      await press(page, 'main form button.primary')
      await page.waitForSelector('h1:has-text("You are signed out")')
      await look(t, page, 'signed-out')
    })

    test('sessions', async (t, { page }) => {
      const elsewhere = createVisitor(issuer)
      await walk(elsewhere, `${issuer}/login?return_to=/account/sessions`, kim)
      await page.goto(`${issuer}/account/sessions`)
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Sessions")')
      await look(t, page, 'account-sessions')
      await page.locator('button[value="end"]').first().click()
      await page.waitForSelector('[role="status"]')
      t.match(await page.locator('[role="status"]').innerText(), 'The session has ended')
      await look(t, page, 'account-sessions-ended')
    })

    test('what is new', async (t, { page }) => {
      const thief = createVisitor(issuer)
      const path = `/organizations/${world.acme}/keys/new?interface=current`
      const form = await walk(thief, `${issuer}/login?return_to=${encodeURIComponent(path)}`, kim)
      await thief.submit(form, { decision: 'create', name: 'Nightly export' })
      await page.goto(`${issuer}/account/apps`)
      await signIn(page, kim)
      await page.waitForSelector('.told')
      await look(t, page, 'account-told')
      await page.locator('.told button').click()
      await page.waitForSelector('.told', { state: 'detached' })
    })

    test('connected apps', async (t, { page }) => {
      await page.goto(`${issuer}/account/apps`)
      await signIn(page, ana)
      await page.waitForSelector('h1:has-text("Connected apps")')
      await look(t, page, 'account-apps-none')
      const verifier = newVerifier()
      const requested = { code_challenge: challengeOf(verifier) }
      await page.goto(authorizeUrl(issuer, current, requested))
      await answer(page, 'approve')
      await atApp(page, app)
      const code = app.last().get('code') ?? ''
      await exchangeCode(issuer, current, { code, verifier })
      const query = new URLSearchParams({ client_id: legacy.client_id, response_type: 'code' })
      await page.goto(`${issuer}/oauth/authorize?${query}`)
      await answer(page, 'approve')
      await atApp(page, app)
      await page.goto(`${issuer}/account/apps`)
      await look(t, page, 'account-apps')
      await page.locator('details.danger > summary').first().click()
      await look(t, page, 'account-apps-disconnect')
      await page.locator('details.danger[open] button').click()
      await page.waitForSelector('[role="status"]')
      await look(t, page, 'account-apps-disconnected')
    })

    test('errors', async (t, { page }) => {
      await page.goto(`${issuer}/authorize?client_id=app000000000000000000`)
      await page.click('summary')
      await look(t, page, 'error-unknown-app')
      await page.goto(authorizeUrl(issuer, { ...current, redirect_uri: 'https://x.example' }, {}))
      await look(t, page, 'error-redirect-uri')
      await page.goto(`${issuer}/interaction/${'x'.repeat(43)}`)
      await look(t, page, 'error-expired')
      await page.goto(`${issuer}/nowhere`)
      await look(t, page, 'error-not-found')
      await page.goto(`${issuer}/login`)
      await page.evaluate(`document.querySelector('input[name="_csrf"]').value = 'x'`)
      await signIn(page, ana)
      await page.waitForSelector('h1:has-text("You were signed out")')
      await look(t, page, 'error-form')
    })

    test('too many wrong passwords', async (t, { page }) => {
      await page.goto(`${issuer}/login`)
      for (let tries = 0; tries < 11; tries++) {
        await signIn(page, { email: 'guess@acme.test', password: 'wrong' })
        await page.waitForSelector('[role="alert"]')
      }
      t.match(await page.locator('[role="alert"]').innerText(), 'Too many attempts')
      await look(t, page, 'sign-in-too-many')
    })
  },
  { onlyOn: 'embedded' },
)
