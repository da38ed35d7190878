/** From an empty server to a first token: one command, and then the browser. */
import t from 'tap'
import { latchkey } from '../cli/latchkey-command.ts'
import { eventually } from '../support/eventually.ts'
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
      let clicks = 0
      const click = (selector: string) => {
        clicks++
        return page.click(selector)
      }
      const send = () => {
        clicks++
        return press(page, 'main form.panel button')
      }
      const step = (words: string) => click(`.first-steps a:text-is("${words}")`)
      const at = (heading: string) => page.waitForSelector(`h1:has-text("${heading}")`)
      const ticked = async (count: number) => {
        await at('What needs you')
        t.equal(await page.locator('.first-steps .good').count(), count, `${count} steps are done`)
      }

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
      await click('a:has-text("Add a passkey")')
      await add(page, 'Olga’s laptop')
      await click('a:has-text("Continue")')
      clicks += 2 // the buttons of the sign-in and of the passkey
      await ticked(0)

      await step('Register an app')
      await page.fill('#name', 'Report Builder')
      await page.fill('#redirect_uris', 'https://reports.example/callback')
      clicks++
      await page.check('input[name="permissions"][value="records:create"]')
      await send()
      await at('The new secret')
      const app = {
        client_id: await page.inputValue('#client-id'),
        client_secret: await page.inputValue('#secret'),
        redirect_uri: 'https://reports.example/callback',
      }
      await click('main a:has-text("I have stored it")')
      await ticked(1)

      await step('Create an organization')
      await page.fill('#name', 'Acme')
      await send()
      await ticked(2)
      await step('Add a person to it')
      await page.fill('#user', email)
      await send()
      await ticked(3)
      await step('Install the app')
      await send()
      await ticked(4)

      const command = await page.innerText('.first-steps pre')
      const acme = /organization_id=(\S+)/.exec(command)?.[1] ?? ''
      t.match(command, `client_id=${app.client_id}`)
      t.ok(clicks <= 14, `${clicks} clicks`)
      const { status, body } = await clientCredentials(running.issuer, app, acme)
      t.equal(status, 200)
      t.match(body, { access_token: String })
      await eventually(async () => {
        await page.reload()
        return (await page.locator('.first-steps').count()) === 0
      })
      t.pass('the steps go when all are done')
    })
