import { readFeed, registerResourceServer } from '../support/resource-server.ts'
import { createApp, install } from '../support/world.ts'
import { look } from './looks.ts'
import { inChromium, signIn } from './scene.ts'

await inChromium('the receipt of a stop', async ({ running, world, test }) => {
  const { issuer } = running
  const { acme, kim } = world

  test('leads from the uninstall to a page that renews itself', async (t, { page }) => {
    const app = await createApp(running, { name: 'Letter Press' })
    await install(running, acme, app)
    const apis = await Promise.all(
      ['Tables', 'A data API with a name as long as some operators choose'].map((name) =>
        registerResourceServer(running, { name }),
      ),
    )
    const cursors = await Promise.all(
      apis.map(async (api) => {
        const { cursor } = await readFeed(issuer, api)
        return (await readFeed(issuer, api, cursor)).cursor
      }),
    )
    await page.goto(`${issuer}/organizations/${acme}/apps/${app.client_id}/uninstall`)
    await signIn(page, kim)
    await page.click('main button.danger')
    await page.click('a:has-text("Do all data APIs know it?")')
    await page.waitForSelector('h1:has-text("0 of 2 data APIs have it")')
    const pass = async (at: number) => {
      const { cursor } = await readFeed(issuer, apis[at]!, cursors[at])
      await readFeed(issuer, apis[at]!, cursor)
    }
    await pass(0)
    await page.waitForSelector('h1:has-text("1 of 2 data APIs have it")')
    await page.waitForSelector('td:has-text("Has not answered for")')
    await pass(1)
    await page.waitForSelector('h1:has-text("All 2 data APIs have it")')
    const asking = await registerResourceServer(running, { name: 'Asking' })
    const body = new URLSearchParams({ token: 'lkks_unknown_0123456789' })
    const headers = { authorization: asking.authorization }
    await fetch(`${issuer}/api/oauth/introspect`, { method: 'POST', headers, body })
    await page.reload()
    await page.waitForSelector('td:has-text("Asks each time")')
    // 360 and 1280 pixels.
    await look(t, page, 'organization-stop')
  })
})
