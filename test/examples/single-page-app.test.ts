// Nightly, and when examples/ changes: it starts the example.
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startChromium } from '../browser/chromium.ts'
import { answer, signIn } from '../browser/scene.ts'
import { eventually } from '../support/eventually.ts'
import { startExample, startScene } from './beside-demo.ts'

const browser = await startChromium()
if (browser) {
  const scene = await startScene()
  const { demo, ana } = scene
  const program = startExample(t, scene, 'single-page-app')
  const [home = ''] = await program.says(/http\S+/)

  /** In a window of its own, recording requests to the token endpoint and console messages. */
  const test = (name: string, work: (t: Test, page: Page, requested: string[]) => unknown) =>
    t.test(name, async (t) => {
      const context = await browser.newContext()
      context.setDefaultTimeout(20_000)
      t.teardown(() => context.close())
      const faults: string[] = []
      const requested: string[] = []
      context.on('weberror', (error) => faults.push(error.error().message))
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) faults.push(message.text())
      })
      context.on('request', (request) => {
        if (request.url() !== `${demo.issuer}/api/oauth/token`) return
        requested.push(new URLSearchParams(request.postData() ?? '').get('grant_type') ?? '')
      })
      await work(t, await context.newPage(), requested)
      t.same(faults, [], 'nothing on the console')
    })
  const signInAsAna = async (page: Page) => {
    await page.goto(home)
    await page.click('text="Sign in"')
    await signIn(page, ana)
    await answer(page, 'approve')
    await page.waitForSelector('td')
  }
  const cells = (page: Page, column: number) =>
    page.locator(`tr td:nth-child(${column})`).allInnerTexts()

  test('a user signs in and sees the rows; tokens are in memory only', async (t, page) => {
    await signInAsAna(page)
    t.equal(page.url(), home, 'the code is removed from the URL')
    t.same(new Set(await cells(page, 1)), new Set(['Research', 'Sales', 'Support']))
    t.ok((await cells(page, 2)).includes('Renewal for Northwind'))
    const kept = await page.evaluate(
      '[localStorage.length, sessionStorage.length, document.cookie]',
    )
    t.same(kept, [0, 0, ''])
    await page.reload()
    await page.waitForSelector('text="Sign in"')
    t.notOk(await page.isVisible('text="Show again"'))
    t.same(await cells(page, 1), [])
  })

  test('shortly before expiry the token is refreshed once', async (t, page, requested) => {
    await page.clock.install()
    await signInAsAna(page)
    t.same(requested, ['authorization_code'])
    await page.clock.fastForward('59:30')
    // Both in one task of the page, so that the second starts while the first is under way.
    await page.evaluate('for (const _ of [1, 2]) document.querySelectorAll("button")[1].click()')
    await eventually(() => requested.length > 1)
    await Promise.all([
      page.waitForResponse((response) => response.url() === demo.dataApi),
      page.click('text="Show again"'),
    ])
    await page.waitForLoadState('networkidle')
    t.same(requested, ['authorization_code', 'refresh_token'])
    t.ok((await cells(page, 2)).includes('Renewal for Northwind'))
    t.equal(await page.innerText('p'), '')
  })

  test('a denial is shown', async (t, page) => {
    await page.goto(home)
    await page.click('text="Sign in"')
    await signIn(page, ana)
    await answer(page, 'deny')
    await page.locator('p', { hasText: 'the request was refused' }).waitFor()
    t.same(await cells(page, 1), [])
  })

  test('a response that this page did not request is refused', async (t, page, requested) => {
    const says = (words: string) => page.locator('p', { hasText: words }).waitFor()
    const answers = [
      { code: 'some', state: 'other', iss: demo.issuer },
      { code: 'some', iss: demo.issuer },
      { code: 'some', state: 'mine', iss: 'https://other.example' },
    ]
    for (const one of answers) {
      const url = `${home}?${new URLSearchParams(one)}`
      await page.goto(url)
      await says('This page has not asked.')
      const checks = JSON.stringify({ pkceCodeVerifier: 'v'.repeat(43), expectedState: 'mine' })
      await page.evaluate(`sessionStorage.setItem('checks', ${JSON.stringify(checks)})`)
      await page.goto(url)
      await says('invalid response encountered')
    }
    t.same(requested, [])
  })

  t.test('the page may run only its own script and reach only these two servers', async (t) => {
    const policy = (await fetch(home)).headers.get('content-security-policy') ?? ''
    t.match(policy, "default-src 'none'; script-src 'self';")
    const origin = new URL(demo.dataApi ?? '').origin
    t.match(policy, `connect-src 'self' ${demo.issuer} ${origin};`)
    t.equal((await fetch(new URL('/main.mjs', home))).status, 404)
  })
}
