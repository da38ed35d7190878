// Detours of users: other accounts, the back button, tabs, old links.
import type { Page } from 'playwright-core'
import {
  authorizeUrl,
  challengeOf,
  exchangeCode,
  legacyAuthorizeUrl,
  newVerifier,
} from '../support/flows.ts'
import type { TestApp } from '../support/world.ts'
import { press } from './press.ts'
import { answer, atApp, headingOf, inChromium, signIn } from './scene.ts'

await inChromium('detours in a browser', async (scene) => {
  const { running, world, app, current, legacy, test } = scene
  const { issuer } = running
  const { ana, kim } = world

  const urlOf = (client: TestApp, more: Record<string, string> = {}) => {
    const verifier = newVerifier()
    const requested = { code_challenge: challengeOf(verifier), prompt: 'consent', ...more }
    return { url: authorizeUrl(issuer, client, requested), verifier }
  }
  const consentPage = (page: Page) =>
    page.waitForSelector('button[name="decision"][value="approve"]')

  test('"Not you?" switches the account and keeps the request', async (t, { page }) => {
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

  test('the back button cannot answer a request twice', async (t, { page }) => {
    await page.goto(urlOf(current).url)
    await signIn(page, ana)
    await consentPage(page)
    await answer(page, 'approve')
    await atApp(page, app)
    const { length } = app.arrivals
    await page.goBack()
    t.equal(await headingOf(page), 'You have already done this')
    t.equal(app.arrivals.length, length)
    await page.getByRole('link', { name: 'See what it is now' }).click()
    t.match(await headingOf(page), 'Connected apps')
  })

  test('of one request in two tabs the first answer counts', async (t, { page, context }) => {
    await page.goto(urlOf(current).url)
    await signIn(page, ana)
    await consentPage(page)
    const second = await context.newPage()
    await second.goto(page.url())
    await consentPage(second)
    await answer(page, 'approve')
    await atApp(page, app)
    await answer(second, 'deny')
    await second.waitForSelector('h1:has-text("You have already done this")')
    t.equal(app.last().get('error'), null)
  })

  test('two requests in two tabs can both wait at the sign-in', async (t, { page, context }) => {
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

  test('another account in another tab makes the page ask again for the current user', async (t, {
    page,
    context,
  }) => {
    await page.goto(urlOf(current).url)
    await signIn(page, ana)
    await consentPage(page)
    const second = await context.newPage()
    await second.goto(`${issuer}/logout`)
    await press(second, 'main form button.primary')
    await second.goto(`${issuer}/login`)
    await signIn(second, kim)
    await second.waitForURL(`${issuer}/`)
    const { length } = app.arrivals
    await answer(page, 'approve')
    await page.waitForSelector('h1:has-text("You were signed out")')
    t.equal(app.arrivals.length, length, 'nothing was approved for the other user')
    await page.getByRole('link', { name: 'Load the page again' }).click()
    await consentPage(page)
    t.match(await page.locator('main').innerText(), kim.email)
  })

  test('after a sign-out the request continues with a sign-in', async (t, { page, context }) => {
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
})
