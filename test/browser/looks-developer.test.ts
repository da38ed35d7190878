import { clientCredentials } from '../support/flows.ts'
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
      await page.selectOption('#retire_others_after_seconds', '604800')
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

    test('changes, webhooks, refused requests and the sandbox', async (t, { page }) => {
      const app = await register({
        name: 'Quarterly Report Builder for Northern Provinces',
        reviewed: true,
        owners: [ana.id],
      })
      await clientCredentials(issuer, app, acme)
      const base = `${issuer}/developer/apps/${app.client_id}`
      await page.goto(`${base}/change`)
      await signIn(page, ana)
      await page.waitForSelector('h1:has-text("Change")')
      await look(t, page, 'developer-change')
      await press(page, 'main form button[value="preview"]')
      const preview = page.frameLocator('iframe[title="What people would see"]')
      await preview.locator('h1:has-text("Quarterly Report Builder")').waitFor()
      await look(t, page, 'developer-change-preview')
      await page.fill('#redirect_uris', 'http://reports.example/callback')
      await press(page, 'main form button.primary')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'developer-change-fault')
      await page.fill(
        '#redirect_uris',
        `${app.redirect_uri}\nhttps://reports.northern-provinces.example/oauth/callback`,
      )
      await page.fill('#reason', 'The office of the northern provinces has an address of its own')
      await press(page, 'main form button.primary')
      await page.waitForSelector('h2:has-text("Waits for the operator")')
      await look(t, page, 'developer-app-waiting')
      const { body } = await operator('GET', '/app-changes')
      const note = 'The address is not yours'
      await operator('POST', `/app-changes/${body.items[0].id}`, { decision: 'refuse', note })

      await page.goto(`${base}/webhooks/new`)
      await page.fill('#url', 'https://hooks.northern-provinces.example/latchkey/events')
      await page.check('input[value="some"]')
      await look(t, page, 'developer-webhook-form')
      await page.check('input[name="events"][value="app.changed"]')
      await press(page, 'main form button.primary')
      await page.waitForSelector('#secret')
      await look(t, page, 'developer-webhook-secret')
      await page.click('main .buttons a.button:not([download])')
      await page.waitForSelector('h2:has-text("Deliveries")')
      await press(page, 'form[action$="/test"] button')
      await page.waitForSelector('form[action$="/test"]')
      await look(t, page, 'developer-webhook')
      await page.click('a[href$="/rotate"]')
      await page.waitForSelector('h1:has-text("Replace the signing secret")')
      await look(t, page, 'developer-webhook-rotate')
      await page.goBack()
      await page.click('main a[href$="/delete"]')
      await page.waitForSelector('h1:has-text("Delete a webhook")')
      await look(t, page, 'developer-webhook-delete')
      await page.goto(base)
      await page.waitForSelector('text=The operator says')
      await look(t, page, 'developer-app-decided')

      await page.goto(`${base}/requests`)
      await page.waitForSelector('h1:has-text("Requests of")')
      await look(t, page, 'developer-requests')
      await page.goto(`${issuer}/developer/sandbox`)
      await page.waitForSelector('h1:has-text("Create a sandbox")')
      await look(t, page, 'developer-sandbox')
      await press(page, 'main form button.primary')
      await page.waitForSelector('text=The sandbox is ready')
      await look(t, page, 'developer-with-sandbox')
      await page.click('main a[href$="/sandbox/delete"]')
      await page.waitForSelector('h1:has-text("Delete Sandbox")')
      await look(t, page, 'developer-sandbox-delete')
    })
  },
  { onlyOn: 'embedded' },
)
