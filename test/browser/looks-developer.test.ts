import { install } from '../support/world.ts'
import { look } from './looks.ts'
import { press } from './press.ts'
import { inChromium, signIn } from './scene.ts'

await inChromium(
  'the pages of an app’s owner',
  async ({ running, world, test, register }) => {
    const { issuer, operator } = running
    const { acme, other, ana, zoe } = world

    test('a user who owns no app', async (t, { page }) => {
      await page.goto(`${issuer}/developer`)
      await signIn(page, zoe)
      await page.waitForSelector('h2:has-text("You maintain no app")')
      await look(t, page, 'developer-none')
    })

    test('from the list of apps to a new secret', async (t, { page }) => {
      const app = await register({
        name: 'Quarterly Report Builder for Northern Provinces',
        publisher: 'Reporting Company of the Northern Provinces Ltd',
        owners: [ana.id],
      })
      await register({ name: 'Sheet Sync', interface: 'legacy', owners: [ana.id] })
      const pocket = await register({
        name: 'Pocket',
        client_type: 'public',
        redirect_uris: ['com.example.pocket:/callback'],
        owners: [ana.id],
      })
      for (const client of [app, pocket])
        await install(running, acme, client, { permissions: ['records:create'] })
      await install(running, other, app, { permissions: [] })
      await operator('PATCH', `/apps/${pocket.client_id}`, { disabled: true })

      await page.goto(`${issuer}/login`)
      await signIn(page, ana)
      await page.waitForSelector('h1:has-text("Hello")')
      await look(t, page, 'home-owner')
      await page.click('a[href="/developer"]')
      await page.waitForSelector('h1:has-text("Apps you maintain")')
      await look(t, page, 'developer')
      await page.goto(`${issuer}/developer/apps/${pocket.client_id}`)
      await look(t, page, 'developer-app-public')
      await page.goto(`${issuer}/developer/apps/${app.client_id}`)
      await look(t, page, 'developer-app')
      await page.click('a.button[href$="/replace"]')
      await page.waitForSelector('h1:has-text("Replace the secret")')
      await look(t, page, 'developer-replace')

      // Without the check of the browser, as the server answers a form without a choice.
      await page.evaluate(`document.querySelector('main form').noValidate = true`)
      await press(page, 'main form button.primary')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'developer-replace-fault')
      await page.check('input[value="keep"]')
      await page.selectOption('#overlap', '604800')
      await look(t, page, 'developer-replace-keep')
      await press(page, 'main form button.primary')
      await page.waitForSelector('#secret')
      await look(t, page, 'developer-secret')
      t.match(await page.locator('#secret').inputValue(), /^lkcs_/)
      await page.click('main .buttons a.button:not([download])')
      await page.waitForSelector('h2:has-text("Secrets")')
      const deletions = page.locator('.row a[href$="/delete"]')
      t.equal(await deletions.count(), 2)
      await look(t, page, 'developer-app-two-secrets')
      await deletions.first().click()
      await page.waitForSelector('h1:has-text("Delete the secret")')
      await look(t, page, 'developer-delete')
      await page.goBack()
      await page.click('a.button[href$="/replace"]')
      await page.waitForSelector('text=Two secrets are active')
      await look(t, page, 'developer-replace-full')
      await page.goBack()
      await page.goBack()
      await page.waitForSelector('h1:has-text("This secret was already shown")')
      await look(t, page, 'developer-secret-gone')
    })
  },
  { onlyOn: 'embedded' },
)
