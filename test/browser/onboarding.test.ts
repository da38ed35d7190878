/** From an empty server to a first token: one command, and then the browser. */
import t from 'tap'
import { latchkey } from '../cli/latchkey-command.ts'
import { clientCredentials } from '../support/flows.ts'
import { masterKey, startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { startChromium } from './chromium.ts'
import { add, signIn } from './passkeys.ts'
import { press } from './press.ts'
import { addAuthenticator } from './virtual-authenticator.ts'

const email = 'olga@example.test'
const password = 'a rather long passphrase'

const browser = await startChromium()
if (browser)
  for (const stores of await testStores())
    void t.test(`onboarding without curl (${stores.name})`, async (t) => {
      const running = await startLatchkey(stores, { host: 'localhost' })
      const context = await browser.newContext({ baseURL: running.issuer })
      context.setDefaultTimeout(15_000)
      t.teardown(async () => {
        await context.close()
        await running.stop()
        await stores.drop()
      })
      const page = await context.newPage()
      await addAuthenticator(page)
      const send = () => press(page, 'main form.panel button')
      const link = (words: string) => page.click(`main a.button:text-is("${words}")`)
      const at = (heading: string) => page.waitForSelector(`h1:has-text("${heading}")`)

      const database = { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey }
      const granted = await latchkey(
        ['operator', 'grant', email, '--name', 'Olga Orlova', '--password-stdin'],
        database,
        password,
      )
      t.equal(granted.code, 0, granted.stderr)

      await page.goto('/operator')
      await signIn(page, { email, password })
      await at('Add a passkey to continue')
      await page.click('a:has-text("Add a passkey")')
      await add(page, 'Olga’s laptop')
      await page.click('a:has-text("Continue")')
      await at('What needs you')

      await page.click('nav.tabs a:has-text("Organizations")')
      await link('Create an organization')
      await page.fill('#name', 'Acme')
      await send()
      await at('Acme')
      const acme = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      await link('Add a member')
      await page.fill('#user', email)
      await page.check('input[name="role"][value="admin"]')
      await send()
      await at('Acme')
      await link('Create a workspace')
      await page.fill('#name', 'Sales')
      await send()
      await at('Acme')

      await page.click('nav.tabs a:has-text("Apps")')
      await link('Register an app')
      await page.fill('#name', 'Report Builder')
      await page.fill('#redirect_uris', 'https://reports.example/callback')
      await page.check('input[name="permissions"][value="records:create"]')
      await send()
      await at('The new secret')
      const app = {
        client_id: await page.inputValue('#client-id'),
        client_secret: await page.inputValue('#secret'),
        redirect_uri: 'https://reports.example/callback',
      }

      await page.goto(`/operator/organizations/${acme}`)
      await link('Install an app')
      await page.click('th a:has-text("Report Builder")')
      await page.waitForURL('**/install/*')
      await send()
      await page.waitForSelector('td:has-text("records:create")')

      const { status, body } = await clientCredentials(running.issuer, app, acme)
      t.equal(status, 200)
      t.match(body, { access_token: String })
    })
