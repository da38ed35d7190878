// The pages before and after a flow: errors that stay here, signing out, disconnecting.
import {
  authorizeUrl,
  challengeOf,
  exchangeCode,
  legacyAuthorizeUrl,
  newVerifier,
} from '../support/flows.ts'
import type { TestApp } from '../support/world.ts'
import { answer, atApp, headingOf, inChromium, signIn } from './scene.ts'

await inChromium('ends and errors in a browser', async (scene) => {
  const { running, world, app, current, legacy, test } = scene
  const { issuer } = running
  const { ana, kim } = world

  const urlOf = (client: TestApp) => {
    const verifier = newVerifier()
    const requested = { code_challenge: challengeOf(verifier), prompt: 'consent' }
    return { url: authorizeUrl(issuer, client, requested), verifier }
  }

  test('a user signs out', async (t, { page }) => {
    await page.goto(`${issuer}/account/apps`)
    await signIn(page, ana)
    await page.waitForURL('**/account/apps')
    await page.getByRole('link', { name: 'Sign out' }).click()
    t.equal(await headingOf(page), 'Sign out?')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForSelector('h1:has-text("You are signed out")')
    await page.goto(`${issuer}/account/apps`)
    t.equal(await headingOf(page), 'Sign in')
  })

  test('a connected app is disconnected', async (t, { page }) => {
    const { url, verifier } = urlOf(current)
    await page.goto(url)
    await signIn(page, kim)
    await answer(page, 'approve')
    await atApp(page, app)
    const code = app.last().get('code') ?? ''
    t.equal((await exchangeCode(issuer, current, { code, verifier })).status, 200)
    await page.goto(`${issuer}/account/apps`)
    await page.locator('summary', { hasText: 'Disconnect' }).first().click()
    await page.getByRole('button', { name: 'Disconnect Report Builder' }).click()
    await page.waitForSelector('[role="status"]')
    t.match(await page.locator('[role="status"]').innerText(), 'can no longer act for you')
  })

  test('errors that must not be redirected are shown with a reference', async (t, { page }) => {
    const stray = 'https://evil.example/cb'
    const cases: [string, string, string][] = [
      [
        'unknown client',
        urlOf({ ...current, client_id: 'app000000000000000000' }).url,
        'This app is unknown here',
      ],
      [
        'wrong redirect URI',
        urlOf({ ...current, redirect_uri: stray }).url,
        'This app wants to send you to an unregistered address',
      ],
      [
        'wrong redirect URI of a program on this device',
        urlOf({ ...current, redirect_uri: 'http://localhost:33418/cb' }).url,
        'This program returns to an unregistered address',
      ],
      [
        'legacy, unknown client',
        legacyAuthorizeUrl(issuer, { ...legacy, client_id: 'app000000000000000000' }),
        'This app is unknown here',
      ],
      [
        'legacy, wrong redirect URI',
        legacyAuthorizeUrl(issuer, legacy, { redirect_uri: stray }),
        'This app wants to send you to an unregistered address',
      ],
      ['an expired page', `${issuer}/interaction/${'x'.repeat(43)}`, 'This took too long'],
    ]
    for (const [what, url, heading] of cases) {
      const response = await page.goto(url)
      t.equal(response?.status(), 400, what)
      t.equal(await headingOf(page), heading, what)
      const id = (await response?.headerValue('x-request-id')) ?? ''
      t.match(id, /^req_/)
      t.match(await page.locator('.reference').innerText(), id)
    }
    const response = await page.goto(`${issuer}/nowhere`)
    t.equal(response?.status(), 404)
    t.equal(await headingOf(page), 'Page not found')
  })

  test('a request of another browser is refused', async (t, { page }) => {
    const elsewhere = await fetch(urlOf(current).url, { redirect: 'manual' })
    await page.goto(new URL(elsewhere.headers.get('location') ?? '', issuer).href)
    t.equal(await headingOf(page), 'This took too long')
  })
})
