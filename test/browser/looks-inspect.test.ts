import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { languageNames, languages } from '../../src/core/language/languages.ts'
import { clientCredentials, currentCode, exchangeCode } from '../support/flows.ts'
import { createKeySet, selfSign } from '../support/resource-server.ts'
import { createApp, install } from '../support/world.ts'
import { look } from './looks.ts'
import { press } from './press.ts'
import { inChromium, signIn } from './scene.ts'

/** Choices that are wider than their field. */
const clippedChoices = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('main select')].flatMap((select) => {
      const whole = select.cloneNode(true)
      whole.value = select.value
      whole.style = 'field-sizing: content; inline-size: max-content'
      select.after(whole)
      const isClipped = whole.offsetWidth > select.offsetWidth
      whole.remove()
      return isClipped ? [select.selectedOptions[0].text] : []
    })`)

await inChromium(
  'the token inspector',
  async ({ running, world, test }) => {
    const { issuer, operator } = running
    const { acme, ana, kim } = world
    const address = `${issuer}/organizations/${acme}/inspect`
    const named = `A name of many words ${'x'.repeat(60)}`
    const app = await createApp(running, { name: named })
    await install(running, acme, app)
    const grant = await currentCode(running, app, ana, { organization_id: acme })
    const user = (await exchangeCode(issuer, app, grant)).body
    const machine = (await clientCredentials(issuer, app, acme)).body
    const keySet = await createKeySet(running, acme, { name: 'Nightly export' })
    const forged = selfSign('x', { iss: keySet.client_id, iat: Math.floor(Date.now() / 1000) })

    const explain = async (page: Page, token: string, said: string) => {
      await page.fill('#token', token)
      await press(page, 'button[value="inspect"]')
      await page.waitForSelector(`[role="status"]:has-text("${said}")`)
      return page.content()
    }

    test('explained, refused, unknown', async (t, { page }) => {
      await page.goto(`${issuer}/organizations/${acme}/apps`)
      await signIn(page, kim)
      await page.click('nav.tabs a:text-is("Check")')
      await page.click('nav.tabs a:has-text("Check access")')
      await page.waitForSelector('h1:has-text("Check access in Acme")')
      await look(t, page, 'inspect')
      t.notMatch(await explain(page, user.access_token, 'It is accepted now.'), user.access_token)
      t.equal(page.url(), address, 'never in a URL')
      await look(t, page, 'inspect-accepted')
      await operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, {
        suspended: true,
      })
      await explain(page, machine.access_token, 'It is not accepted.')
      await look(t, page, 'inspect-refused')
      await explain(page, forged, 'not signed with a secret')
      await look(t, page, 'inspect-forged')
      await explain(page, 'nonsense', 'This is not a token of this organization')
      await look(t, page, 'inspect-unknown')
      await page.fill('#token', ' ')
      await press(page, 'button[value="inspect"]')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'inspect-fault')
    })

    for (const locale of languages) {
      const window = { locale, viewport: { width: 1280, height: 900 } }
      const body = async (t: Test, { page }: { page: Page }) => {
        await page.goto(address)
        await signIn(page, kim)
        await page.waitForSelector('#user_id')
        t.equal(await page.getAttribute('html', 'lang'), locale)
        t.same(await clippedChoices(page), [])
      }
      test(`no choice is clipped, in ${languageNames[locale]}`, body, window)
    }

    test('what an app would get', async (t, { page }) => {
      await page.goto(address)
      await signIn(page, kim)
      await page.selectOption('#client_id', app.client_id)
      await page.selectOption('#user_id', ana.id)
      await press(page, 'button[value="simulate"]')
      await page.waitForSelector('[role="status"]:has-text("No, it would not be let in.")')
      await look(t, page, 'simulate-refused')
      await operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, {
        suspended: false,
      })
      await press(page, 'button[value="simulate"]')
      await page.waitForSelector('[role="status"]:has-text("Yes, it would be let in.")')
      t.equal(await page.inputValue('#user_id'), ana.id, 'the choice is kept')
      await look(t, page, 'simulate-granted')
    })
  },
  { onlyOn: 'embedded' },
)
