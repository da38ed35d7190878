// What people do between the pages: other accounts, the back button, tabs, old links.
import type { Page } from 'playwright-core'
import {
  authorizeUrl,
  challengeOf,
  exchangeCode,
  legacyAuthorizeUrl,
  newVerifier,
} from '../support/flows.ts'
import type { TestApp } from '../support/world.ts'
import { answer, atApp, headingOf, inChromium, signIn } from './scene.ts'

await inChromium('detours in a browser', async (scene) => {
  const { running, world, app, current, legacy, test } = scene
  const { issuer } = running
  const { ana, kim } = world

  const urlOf = (client: TestApp, more: Record<string, string> = {}) => {
    const verifier = newVerifier()
    const asked = { code_challenge: challengeOf(verifier), prompt: 'consent', ...more }
    return { url: authorizeUrl(issuer, client, asked), verifier }
  }
  const consentPage = (page: Page) =>
    page.waitForSelector('button[name="decision"][value="approve"]')

  test('not you: another account, and on with the same request', async (t, { page }) => {
    const { url, verifier } = urlOf(current)
    await page.goto(url)
    await signIn(page, ana)
    await consentPage(page)
    await page.getByRole('button', { name: 'Not you?' }).click()
    t.match(await page.locator('.lead').innerText(), 'to continue to Report Builder')
    await signIn(page, kim)
    await consentPage(page)
    t.match(await page.locator('main').innerText(), kim.email)
    await answer(page, 'approve')
    await atApp(page, app)
    const code = app.last().get('code') ?? ''
    t.equal((await exchangeCode(issuer, current, { code, verifier })).status, 200)
  })

  test('back after the answer: nothing can be answered twice', async (t, { page }) => {
    await page.goto(urlOf(current).url)
    await signIn(page, ana)
    await consentPage(page)
    await answer(page, 'approve')
    await atApp(page, app)
    const { length } = app.arrivals
    await page.goBack()
    t.equal(await headingOf(page), 'This took too long')
    t.equal(app.arrivals.length, length)
    await page.getByRole('link', { name: 'To the start' }).click()
    t.match(await headingOf(page), 'Hello')
  })

  test('one request in two tabs: the first answer stands', async (t, { page, context }) => {
    await page.goto(urlOf(current).url)
    await signIn(page, ana)
    await consentPage(page)
    const second = await context.newPage()
    await second.goto(page.url())
    await consentPage(second)
    await answer(page, 'approve')
    await atApp(page, app)
    await answer(second, 'deny')
    await second.waitForSelector('h1:has-text("This took too long")')
    t.equal(app.last().get('error'), null)
  })

  test('two requests in two tabs, both at the sign-in', async (t, { page, context }) => {
    const second = await context.newPage()
    await page.goto(urlOf(current).url)
    await second.goto(legacyAuthorizeUrl(issuer, legacy, { force_prompt: '1' }))
    await signIn(page, ana)
    await consentPage(page)
    await signIn(second, ana)
    await consentPage(second)
    await answer(page, 'approve')
    await atApp(page, app)
    await answer(second, 'approve')
    await atApp(second, app)
    t.match(app.last().get('code') ?? '', /^lkac_/)
  })

  test('another account in another tab: the page asks again, as who one is now', async (t, {
    page,
    context,
  }) => {
    await page.goto(urlOf(current).url)
    await signIn(page, ana)
    await consentPage(page)
    const second = await context.newPage()
    await second.goto(`${issuer}/logout`)
    await second.click('main form button.primary')
    await second.goto(`${issuer}/login`)
    await signIn(second, kim)
    await second.waitForURL(`${issuer}/`)
    const { length } = app.arrivals
    await answer(page, 'approve')
    await page.waitForSelector('h1:has-text("This form could not be accepted")')
    t.equal(app.arrivals.length, length, 'nothing was approved in the name of another')
    await page.getByRole('link', { name: 'Load the page again' }).click()
    await consentPage(page)
    t.match(await page.locator('main').innerText(), kim.email)
  })

  test('signed out meanwhile: sign in, and on', async (t, { page, context }) => {
    await page.goto(urlOf(current).url)
    await signIn(page, ana)
    await consentPage(page)
    await context.clearCookies({ name: /session/ })
    await answer(page, 'approve')
    await page.waitForSelector('h1')
    if ((await headingOf(page)) !== 'Sign in')
      await page.getByRole('link', { name: 'Load the page again' }).click()
    await signIn(page, ana)
    await consentPage(page)
    t.match(await headingOf(page), 'Report Builder')
  })

  test('sign out', async (t, { page }) => {
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
    t.match(await page.locator('[role="status"]').innerText(), 'disconnected')
  })

  test('errors that must not be redirected say so, with a reference', async (t, { page }) => {
    const stray = 'https://evil.example/cb'
    const cases: [string, string, string][] = [
      [
        'unknown client',
        urlOf({ ...current, client_id: 'app000000000000000000' }).url,
        'This app is not known here',
      ],
      [
        'wrong redirect URI',
        urlOf({ ...current, redirect_uri: stray }).url,
        'This app wants to send you to a place it did not register',
      ],
      [
        'legacy, unknown client',
        legacyAuthorizeUrl(issuer, { ...legacy, client_id: 'app000000000000000000' }),
        'This app is not known here',
      ],
      [
        'legacy, wrong redirect URI',
        legacyAuthorizeUrl(issuer, legacy, { redirect_uri: stray }),
        'This app wants to send you to a place it did not register',
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
    t.equal(await headingOf(page), 'There is nothing here')
  })

  test("another browser's page is not for this one", async (t, { page }) => {
    const elsewhere = await fetch(urlOf(current).url, { redirect: 'manual' })
    await page.goto(new URL(elsewhere.headers.get('location') ?? '', issuer).href)
    t.equal(await headingOf(page), 'This took too long')
  })
})
