import { look } from './looks.ts'
import { add, byPassword, later, onLocalhost, problem, usePasskey } from './passkeys.ts'

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
      await page.click('main form button')
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
