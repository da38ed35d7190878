/**
 * The consent page on a slow connection. `LATCHKEY_TEST_PAINT=1 npx tap test/browser/first-paint.test.ts` measures the time, on an
 * otherwise idle machine; each run checks what the time depends on.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { inChromium, signIn } from './scene.ts'

/** "Slow 3G" of Lighthouse, with a CPU four times slower. */
const slow3g = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
}
const longest = 1500 // Milliseconds to the first content.
const mostBytes = 16_000 // Of the page and its stylesheets, with headers.

interface Load {
  paint: number
  bytes: number
  blocking: string[]
}

const load = `(() => {
  const [page] = performance.getEntriesByType('navigation')
  const resources = performance.getEntriesByType('resource')
  const blocking = resources.filter((one) => one.renderBlockingStatus === 'blocking')
  return {
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    bytes: [page, ...blocking].reduce((sum, one) => sum + one.transferSize, 0),
    blocking: blocking.map((one) => one.name),
  }
})()`

const loadSlowly = async (context: BrowserContext, page: Page): Promise<Load> => {
  const address = page.url()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.clearBrowserCache')
  await devtools.send('Network.emulateNetworkConditions', slow3g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto('about:blank')
  await page.goto(address)
  await page.waitForFunction(`${load}.paint > 0`)
  const found = await page.evaluate<Load>(load)
  await devtools.detach()
  return found
}

await inChromium(
  'the first paint',
  async ({ running, world: { ana }, current, test }) => {
    test('of the consent page', async (t, { context, page }) => {
      const requested = { code_challenge: challengeOf(newVerifier()), prompt: 'consent' }
      await page.goto(authorizeUrl(running.issuer, current, requested))
      await signIn(page, ana)
      await page.waitForSelector('button[value="approve"]')
      const loads = [await loadSlowly(context, page)]
      t.match(loads[0]?.blocking, [/\/assets\/latchkey\.[\w-]{16}\.css$/])
      t.equal(loads[0]?.blocking.length, 1, 'nothing else must arrive first')
      t.ok((loads[0]?.bytes ?? Infinity) < mostBytes, `${loads[0]?.bytes} bytes`)
      if (!process.env.LATCHKEY_TEST_PAINT) return
      for (let at = 1; at < 7; at++) loads.push(await loadSlowly(context, page))
      const times = loads.map(({ paint }) => Math.round(paint)).sort((a, b) => a - b)
      console.error(`first paint: ${times.join(', ')} ms`)
      t.ok((times[3] ?? Infinity) <= longest, 'the median')
    })
  },
  { onlyOn: 'embedded' },
)
