// Nightly, and when src/http/frames changes: it repeats the page of the demo in frames.
/**
 * The demo's platform page with an app of another site in a frame, in a browser without third-party
 * cookies.
 */
import { rm } from 'node:fs/promises'
import type { Frame, Page } from 'playwright-core'
import t from 'tap'
import { startDemo } from '../../demo/demo.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startChromium, withoutThirdParties } from './chromium.ts'
import { look } from './looks.ts'
import { answer, signIn } from './scene.ts'

const browser = await startChromium()
if (browser) {
  const directory = await temporaryDirectory('demo')
  const demo = await startDemo({
    port: await freePort(),
    directory,
    tell: () => undefined,
    logLevel: 'silent',
  })
  t.teardown(async () => {
    await demo.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  const ana = demo.people.find(({ email }) => email.startsWith('ana@'))
  if (!ana) throw new Error('the demo has no Ana')

  const appOf = async (page: Page): Promise<Frame> => {
    const element = await page.locator('#app').elementHandle()
    const frame = await element?.contentFrame()
    if (!frame) throw new Error('there is no frame')
    await frame.locator('#state').waitFor()
    return frame
  }
  const says = (frame: Frame, words: RegExp) =>
    frame.locator('#state', { hasText: words }).waitFor()
  const told = (frame: Frame, what: string, words: string) =>
    frame.locator(`#${what}`, { hasText: words }).waitFor()

  t.test('a user signs in from the frame, and the app follows the platform', async (t) => {
    const context = withoutThirdParties(await browser.newContext())
    const faults: string[] = []
    context.on('weberror', (error) => faults.push(error.error().message))
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text())
    })
    const page = await context.newPage()
    await page.goto(`${demo.client}/platform/row-counter`)
    const app = await appOf(page)
    await says(app, /login_required/)
    await look(t, page, 'demo-platform-signed-out')
    const opened = context.waitForEvent('page')
    await app.click('#ask')
    await signIn(await opened, ana)
    await says(app, /^Connected until/)
    await page.click('tbody tr:nth-child(2) input')
    await told(app, 'selection', '1: row2')
    await page.selectOption('#stage', 'Open')
    await told(app, 'filter', '"Open"')
    await page.click('#only')
    await told(app, 'only', 'yes')
    t.equal(await page.locator('tbody tr:visible').count(), 1)
    await app.click('summary')
    await look(t, page, 'demo-platform-connected')
    const given = app.locator('#response')
    const { expiresAt } = JSON.parse((await given.textContent()) ?? '')
    await app.click('#renew')
    await given.filter({ hasNotText: String(expiresAt) }).waitFor()
    await says(app, /^Connected until/)

    await page.goto(`${demo.client}/platform/record-cards`)
    const other = await appOf(page)
    await says(other, /interaction_required/)
    const requested = context.waitForEvent('page')
    await other.click('#ask')
    await answer(await requested, 'approve')
    await says(other, /^Connected until/)
    await look(t, page, 'demo-platform-current')
    t.same(faults, [], 'no console messages')
    await page.goto(`${new URL(other.url()).origin}/record-cards`)
    await says(page.mainFrame(), /not_framed/)
    await look(t, page, 'demo-framed-app')
    await context.close()
  })
}
