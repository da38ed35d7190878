import type { Page } from 'playwright-core'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { install, password, type TestApp } from '../support/world.ts'
import { look } from './looks.ts'
import { press } from './press.ts'
import { answer, inChromium, signIn } from './scene.ts'

await inChromium(
  'the pages between the app and its answer',
  async ({ running, world, current, legacy, lee, test, register }) => {
    const { issuer, operator } = running
    const { acme, ana, kim } = world

    const urlOf = (app: TestApp, more: Record<string, string> = {}) => {
      const requested = { code_challenge: challengeOf(newVerifier()), prompt: 'consent', ...more }
      return authorizeUrl(issuer, app, requested)
    }
    const consentPage = (page: Page) => page.waitForSelector('button[value="approve"]')

    test('sign in', async (t, { page }) => {
      await page.goto(`${issuer}/login`)
      await look(t, page, 'sign-in')
      await page.goto(urlOf(current))
      await look(t, page, 'sign-in-for-app')
      await signIn(page, { ...ana, password: 'wrong' })
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'sign-in-wrong')
    })

    test('choose an organization', async (t, { page }) => {
      await page.goto(urlOf(current))
      await signIn(page, lee)
      await page.waitForSelector('input[name="organization_id"]')
      await look(t, page, 'choose-organization')
      await page.evaluate(`for (const form of document.forms) form.noValidate = true`)
      await press(page, 'main form button.primary')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'choose-organization-fault')
      await page.goto(urlOf(current, { organization_id: 'org000000000000000000' }))
      await page.waitForSelector('.notice')
      await look(t, page, 'choose-organization-unknown')
    })

    test('nobody’s member', async (t, { page }) => {
      const email = 'nobody@acme.test'
      await operator('POST', '/users', { email, name: 'Nobody Yet', password })
      await page.goto(urlOf(current))
      await signIn(page, { email, password })
      await page.waitForSelector('h1:has-text("You do not belong")')
      await look(t, page, 'choose-organization-none')
    })

    test('ask an admin', async (t, { page }) => {
      const app = await register({ name: 'Wanted' })
      await page.goto(urlOf(app))
      await signIn(page, ana)
      await page.waitForSelector('textarea')
      await look(t, page, 'ask-admin')
      await answer(page, 'request')
      await page.waitForSelector('h1:has-text("Your request is with the admins")')
      await look(t, page, 'request-sent')
      await press(page, 'button[value="withdraw"]')
      await page.waitForSelector('p.notice:has-text("You withdrew your request")')
      await look(t, page, 'ask-admin-withdrawn')
    })

    test('consent', async (t, { page }) => {
      await page.goto(urlOf(current))
      await signIn(page, ana)
      await consentPage(page)
      await look(t, page, 'consent')
      for (const box of await page.locator('.options input').all()) await box.uncheck()
      await answer(page, 'approve')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'consent-fault')
      await page.goto(legacyAuthorizeUrl(issuer, legacy, { force_prompt: '1' }))
      await consentPage(page)
      await look(t, page, 'consent-legacy')
    })

    test('an app on the device itself, with words that do not end', async (t, { page }) => {
      const redirect = 'com.example.app:/back'
      const app = await register({
        name: 'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel',
        description: 'x'.repeat(200),
        client_type: 'public',
        redirect_uris: [redirect],
      })
      const requested = { redirect_uri: redirect }
      await page.goto(urlOf(app, requested))
      await signIn(page, ana)
      await page.waitForSelector('textarea')
      await look(t, page, 'long-words-ask-admin')
      await answer(page, 'request')
      await page.waitForSelector('h1:has-text("Your request is with the admins")')
      await look(t, page, 'long-words-request-sent')
      await install(running, acme, app)
      await page.goto(urlOf(app, requested))
      await consentPage(page)
      t.match(await page.innerText('.notice'), 'We cannot verify that this app sent the request.')
      await look(t, page, 'long-words-consent')
    })

    test('who the person is', async (t, { page }) => {
      const app = await register({ name: 'Wiki', openid: true })
      const requested = { scope: 'openid profile email records:create' }
      await page.goto(urlOf(app, requested))
      await signIn(page, kim)
      await consentPage(page)
      await look(t, page, 'install-identity')
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("with your account")')
      await look(t, page, 'consent-identity')
      await page.goto(`${issuer}/end-session?client_id=${app.client_id}`)
      await page.waitForSelector('h1:has-text("Sign out?")')
      await look(t, page, 'end-session')
      await page.goto(`${issuer}/end-session`)
      await look(t, page, 'end-session-anonymous')
    })

    test('suspended', async (t, { page }) => {
      const app = await register({ name: 'On Hold' })
      await install(running, acme, app)
      const path = `/organizations/${acme}/installs/${app.client_id}`
      await operator('PATCH', path, { suspended: true })
      await page.goto(urlOf(app))
      await signIn(page, ana)
      await page.waitForSelector('h1:has-text("suspended")')
      await look(t, page, 'suspended')
    })

    test('the way back by form_post', async (t, { page }) => {
      await page.route('**/form-post.*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      )
      await page.goto(urlOf(current, { response_mode: 'form_post' }))
      await signIn(page, kim)
      await consentPage(page)
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("Back to the app")')
      t.equal(await page.getAttribute('html', 'lang'), 'en')
      t.equal(await page.title(), 'Back to the app')
      // Firefox asks for an icon and reports a refusal on the console. This Chromium asks for none.
      const icon = await page.getAttribute('link[rel="icon"]', 'href')
      const image = `new Image(), { onload: () => done(true), onerror: () => done(false), src: '${icon}' }`
      t.ok(await page.evaluate(`new Promise((done) => Object.assign(${image}))`))
      t.match(await page.innerText('main'), /gets it as soon as you continue\.\s+Continue/)
      await look(t, page, 'form-post')
    })
  },
  { onlyOn: 'embedded' },
)
