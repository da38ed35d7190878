import { createOpenidProvider } from '../support/openid-provider.ts'
import { look } from './looks.ts'
import { add, byPassword, later, onLocalhost, problem, usePasskey } from './passkeys.ts'
import { press } from './press.ts'

await onLocalhost(
  'the pages of signing in',
  async ({ world: { zoe }, test }) => {
    test('sign-in and account', async (t, { context, page, authenticator }) => {
      const see = (name: string) => look(t, page, name)
      await page.goto('/login')
      await see('sign-in')
      await byPassword(page, zoe)
      await see('passkeys-none')
      await add(page, 'Zoe’s laptop with a rather long name')
      await see('passkeys')
      await page.click('.rows li:first-child summary:has-text("Rename")')
      await page.click('.rows li:first-child summary:has-text("Remove")')
      await see('passkeys-open')
      await later(11, async () => {
        await page.goto('/account/passkeys')
        await see('passkeys-stale')
        await page.click('a:has-text("Sign in again")')
        await see('sign-in-again')
      })
      await page.goto('/account/password')
      await see('password')
      await page.fill('#current_password', 'not this one')
      await page.fill('#new_password', 'long enough')
      await press(page, 'main form button')
      await page.waitForSelector('.field-error')
      await see('password-wrong')
      await page.goto('/account/apps')
      await see('apps')
      await page.goto('/')
      await see('home')
      await context.clearCookies()
      await authenticator.verifies(false)
      await page.goto('/login')
      await usePasskey(page)
      t.match(await problem(page), 'No passkey')
      await see('sign-in-cancelled')
    })
  },
  { onlyOn: 'embedded' },
)

const provider = {
  OIDC_ISSUER: 'http://127.0.0.1:1', // No server listens there.
  OIDC_CLIENT_ID: 'latchkey',
  OIDC_CLIENT_SECRET: 'secret',
}

await onLocalhost(
  'a sign-in page with the platform’s provider',
  async ({ test }) => {
    test('it, and what it says when nobody answers', async (t, { page }) => {
      await page.goto('/login')
      await look(t, page, 'sign-in-provider')
      await page.click('a.primary')
      await page.waitForSelector('.notice.bad')
      await look(t, page, 'sign-in-provider-away')
    })
  },
  { onlyOn: 'embedded', environment: { ...provider, OIDC_BUTTON_LABEL: 'Go on with Acme ID' } },
)

await onLocalhost(
  'a sign-in page with the platform’s provider only',
  async ({ test }) => {
    test('a button', async (t, { page }) => {
      await page.goto('/login')
      await look(t, page, 'sign-in-provider-only')
    })
  },
  { onlyOn: 'embedded', environment: { ...provider, OIDC_ONLY: 'true' } },
)

const answering = await createOpenidProvider()
await answering.start(['http://localhost/login/callback'])

await onLocalhost(
  'signed out here, and still signed in at the provider',
  async ({ test }) => {
    test('it says so', async (t, { page }) => {
      t.after(answering.stop)
      await page.goto('/signed-out?provider')
      await page.waitForSelector('a:has-text("Sign out there too")')
      await look(t, page, 'signed-out-provider')
    })
  },
  { onlyOn: 'embedded', environment: { ...provider, OIDC_ISSUER: answering.issuer } },
)
