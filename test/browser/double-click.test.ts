// Nightly: it presses buttons twice in each look of a page.
/** Clicks meant for the previous page: the second click of a double click must not decide. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { beginDevice, createDeviceApp, poll } from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import type { Answers } from '../support/visitor.ts'
import type { TestApp } from '../support/world.ts'
import { atApp, inChromium } from './scene.ts'

/** The half second lasts a minute here, so that no click comes too late on a busy machine. */
const stretch = (context: BrowserContext) =>
  context.route('**/assets/latchkey.*.css', async (route) => {
    // Not by `route.fetch()`: its answer cannot be read any more when the page has gone on or the test has ended.
    // As it is written: the compressed file has no `500ms`.
    const plain = { headers: { 'accept-encoding': 'identity' } }
    const response = await fetch(route.request().url(), plain)
    const body = (await response.text()).replaceAll('500ms', '60s')
    await route.fulfill({ contentType: 'text/css', body }).catch(() => undefined)
  })

const signInByKeyboard = async (page: Page, { email, password }: Answers) => {
  await page.fill('input[name="email"]', email)
  await page.fill('input[name="password"]', password)
  await page.keyboard.press('Enter')
}

const middleOf = async (page: Page, selector: string) => {
  const element = page.locator(selector).first()
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (!box) throw new Error(`${selector} is not shown`)
  return [box.x + box.width / 2, box.y + box.height / 2] as const
}

/** Waits for the element and for the stylesheet, without which Chromium paints nothing. */
const waitFor = async (page: Page, selector: string) => {
  await page.waitForSelector(selector)
  await eventually(async () => (await page.evaluate('document.readyState')) === 'complete')
}

/** Clicks twice at once where an element is, whether it accepts clicks or not. */
const pressTwice = async (page: Page, selector: string) =>
  page.mouse.dblclick(...(await middleOf(page, selector)))

/** The number of form buttons, and of those that accept a click now. */
const buttonsOn = (page: Page) =>
  page.evaluate<{ all: number; open: string[] }>(`(() => {
    const all = [...document.querySelectorAll('main form[method="post"] button')]
    const open = all.filter((one) => getComputedStyle(one).pointerEvents !== 'none')
    return { all: all.length, open: open.map((one) => one.outerHTML) }
  })()`)

const approve = 'button[value="approve"]'

await inChromium(
  'double clicks',
  async ({ running, world, lee, app, test, register }) => {
    const { issuer, operator } = running
    const { acme, kim, ana } = world
    const ask = (client: TestApp, more: Record<string, string> = {}) =>
      authorizeUrl(issuer, client, { code_challenge: challengeOf(newVerifier()), ...more })
    const isInstalled = async ({ client_id }: TestApp) =>
      (await operator('GET', `/organizations/${acme}/installs/${client_id}`)).status === 200

    test('UI-18 a double click on the page before installs nothing', async (t, {
      context,
      page,
    }) => {
      const fresh = await register({ name: 'Fresh' })
      await page.goto(ask(fresh))
      await signInByKeyboard(page, lee)
      await page.check(`input[name="organization_id"][value="${acme}"]`)
      // From here on every page is new: the choice was shown before, and accepts clicks.
      await stretch(context)
      await page.locator('main form button.primary').click({ trial: true })
      await pressTwice(page, 'main form button.primary')
      await waitFor(page, approve)
      for (let round = 0; round < 3; round++) await pressTwice(page, approve)
      t.match(new URL(page.url()).pathname, /^\/interaction\//)
      t.notOk(await isInstalled(fresh))
      await page.focus(approve)
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:has-text("to use Acme with your account")')
      t.ok(await isInstalled(fresh), 'the keyboard is not delayed')
    })

    test('UI-18 a click as the pointer enters the window decides nothing', async (t, {
      context,
      page,
    }) => {
      const fresh = await register({ name: 'Fresh below' })
      await page.goto(ask(fresh))
      await signInByKeyboard(page, kim)
      await waitFor(page, approve)
      await eventually(async () => (await buttonsOn(page)).open.length > 0)
      // Another site's window covered this page and closed itself between two clicks.
      const [x, y] = await middleOf(page, approve)
      const devtools = await context.newCDPSession(page)
      for (const type of ['mousePressed', 'mouseReleased'] as const)
        await devtools.send('Input.dispatchMouseEvent', {
          type,
          x,
          y,
          button: 'left',
          clickCount: 1,
        })
      t.equal((await buttonsOn(page)).open.length, 0)
      t.notOk(await isInstalled(fresh))
      await page.click(approve)
      await page.waitForSelector('h1:has-text("to use Acme with your account")')
      t.ok(await isInstalled(fresh), 'half a second later it does')
    })

    const looks: [string, BrowserContextOptions][] = [
      ['as usual', {}],
      ['with less motion', { reducedMotion: 'reduce' }],
      ['in forced colours', { forcedColors: 'active' }],
      ['on a phone', { hasTouch: true, isMobile: true, viewport: { width: 360, height: 780 } }],
    ]
    for (const [look, options] of looks) {
      test(
        `UI-18 no form button accepts an early click, ${look}`,
        async (t, { context, page }) => {
          await stretch(context)
          const fresh = await register({ name: `Fresh ${look}` })
          const device = await createDeviceApp(running, world)
          const { body: begun } = await beginDevice(issuer, device)
          const check = async (path: string, least = 1) => {
            await page.goto(path.startsWith('http') ? path : issuer + path)
            const { all, open } = await buttonsOn(page)
            t.ok(all >= least, `${path}: ${all} buttons`)
            t.same(open, [], path)
          }
          await check('/login')
          await signInByKeyboard(page, kim)
          await page.waitForURL(`${issuer}/`)
          await check(ask(fresh), 2) // Install.
          await page.focus(approve)
          await page.keyboard.press('Enter')
          await page.waitForSelector('h1:has-text("to use Acme with your account")')
          await check(page.url(), 2) // Consent.
          await page.focus(approve)
          await page.keyboard.press('Enter')
          await atApp(page, app)
          await check(begun.verification_uri_complete)
          await page.focus('main form button.primary')
          await page.keyboard.press('Enter')
          await waitFor(page, approve)
          t.same((await buttonsOn(page)).open, [], 'the device’s consent')
          await pressTwice(page, approve)
          t.equal(
            (await poll(issuer, device, begun.device_code)).body.error,
            'authorization_pending',
          )
          const keySet = { name: `Keys ${look}`, interface: 'current', permissions: [] }
          const made = await operator('POST', `/organizations/${acme}/key-sets`, keySet)
          await check('/account/apps')
          for (const part of ['change', 'suspend', 'uninstall'])
            await check(`/organizations/${acme}/apps/${fresh.client_id}/${part}`)
          await check(`/organizations/${acme}/suspend-all`)
          for (const part of ['rotate', 'delete', 'workloads'])
            await check(`/organizations/${acme}/keys/${made.body.id}/${part}`)
          await check(`/organizations/${acme}/keys/new`)
          await check('/account/password')
          await operator('PATCH', `/apps/${fresh.client_id}`, { owners: [kim.id] })
          await check(`/developer/apps/${fresh.client_id}/replace`)
          await check('/logout')
        },
        options,
      )
    }

    test('UI-18 an early click sends no request to the admins', async (t, { context, page }) => {
      await stretch(context)
      await page.goto(ask(await register({ name: 'Fresh for members' })))
      await signInByKeyboard(page, ana)
      await waitFor(page, 'button[value="request"]')
      await pressTwice(page, 'button[value="request"]')
      t.equal(await page.locator('button[value="request"]').count(), 1)
      t.same((await buttonsOn(page)).open, [])
    })
  },
  { onlyOn: 'embedded' },
)
