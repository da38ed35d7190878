// Nightly, and when examples/ changes: it starts the example.
import type { BrowserContext, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startChromium } from '../browser/chromium.ts'
import { answer, signIn } from '../browser/scene.ts'
import { eventually } from '../support/eventually.ts'
import { issuedTo, startExample, startScene } from './beside-demo.ts'

/** Makes the program's clock nearly an hour fast, on demand. */
const clock = `process.on('SIGUSR2', () => {
  const { now } = Date
  Date.now = () => now() + 3_570_000
  console.error('later')
})`
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}` }

const browser = await startChromium()
if (browser) {
  const scene = await startScene()
  const { demo, api, acmeId, ana, kim } = scene
  const clientId = await scene.clientIdOf('webApp')
  const program = startExample(t, scene, 'web-app', { env })
  const [home = ''] = await program.says(/http\S+/)

  const test = (name: string, work: (t: Test, page: Page, context: BrowserContext) => unknown) =>
    t.test(name, async (t) => {
      const context = await browser.newContext()
      context.setDefaultTimeout(20_000)
      t.teardown(() => context.close())
      await work(t, await context.newPage(), context)
    })
  const signInAsAna = async (page: Page) => {
    await page.goto(home)
    await page.click('text="Sign in"')
    await signIn(page, ana)
    await page.waitForSelector('button[value="approve"], td')
    if (page.url().startsWith(demo.issuer)) await answer(page, 'approve')
    await page.waitForSelector('td')
  }
  const cells = (page: Page, column: number) =>
    page.locator(`tr td:nth-child(${column})`).allInnerTexts()

  test('a user signs in and sees the rows of their workspaces', async (t, page, context) => {
    await signInAsAna(page)
    t.equal(page.url(), home)
    t.match(await page.innerText('form'), 'Ana Sousa')
    t.same(new Set(await cells(page, 1)), new Set(['Research', 'Sales', 'Support']))
    t.ok((await cells(page, 2)).includes('Renewal for Northwind'))
    t.ok((await cells(page, 5)).includes('€18,000.00'))
    const cookies = (await context.cookies(home)).filter(({ name }) => name === 'web_app')
    t.match(cookies, [{ httpOnly: true, sameSite: 'Lax' }])
    t.notMatch(await page.content(), /eyJ[\w-]+\.[\w-]+\.|lkrt_/, 'tokens stay on the server')
  })

  test('shortly before expiry concurrent pages refresh the token once', async (t, page, context) => {
    await signInAsAna(page)
    const before = (await issuedTo(scene, clientId)).refreshes
    program.child.kill('SIGUSR2')
    await program.says(/later/)
    const open = () => context.request.get(home)
    const answers = await Promise.all(Array.from({ length: 5 }, open))
    for (const one of answers) t.match(await one.text(), 'Renewal for Northwind')
    await page.reload()
    t.ok((await cells(page, 2)).includes('Renewal for Northwind'))
    await eventually(async () => (await issuedTo(scene, clientId)).refreshes > before)
    t.equal((await issuedTo(scene, clientId)).refreshes, before + 1)
  })

  test('signing out ends the session here and at the server', async (t, page, context) => {
    await signInAsAna(page)
    const [cookie] = (await context.cookies(home)).filter(({ name }) => name === 'web_app')
    await page.click('text="Sign out"')
    await page.waitForSelector('text="Sign in"')
    t.equal(page.url(), home)
    const again = await fetch(home, { headers: { cookie: `web_app=${cookie?.value}` } })
    t.notMatch(await again.text(), 'Renewal', 'the session id is invalid')
    await page.goto(demo.account)
    t.equal(new URL(page.url()).pathname, '/login')
  })

  test('a denial is shown', async (t, page) => {
    await page.goto(home)
    await page.click('text="Sign in"')
    await signIn(page, kim)
    await answer(page, 'deny')
    await page.waitForURL((one) => one.href.startsWith(home))
    t.match(await page.innerText('p'), 'the request was refused')
  })

  t.test('a response with another state or issuer is refused', async (t) => {
    /** The page of a browser after its redirect. */
    const comeBack = async (change: (query: URLSearchParams) => void) => {
      const away = await fetch(new URL('/sign-in', home), { redirect: 'manual' })
      const [cookie = ''] = away.headers.getSetCookie()
      const state = new URL(away.headers.get('location') ?? '').searchParams.get('state') ?? ''
      const query = new URLSearchParams({ code: 'some', state, iss: demo.issuer })
      change(query)
      const url = new URL(`/callback?${query}`, home)
      const answer = await fetch(url, { headers: { cookie: cookie.split(';')[0] ?? '' } })
      return { status: answer.status, text: await answer.text() }
    }
    const made = await comeBack(() => undefined)
    t.match(made, {
      status: 500,
      text: 'the code, refresh token, assertion or authorization is invalid',
    })
    const changes: [string, string][] = [
      ['state', 'other'],
      ['iss', 'https://other.example'],
    ]
    for (const [name, value] of changes) {
      const refused = await comeBack((query) => query.set(name, value))
      t.match(refused, { status: 500, text: 'invalid response encountered' }, name)
      const without = await comeBack((query) => query.delete(name))
      t.match(without, { status: 500, text: 'invalid response encountered' }, `no ${name}`)
    }
    const unknown = await fetch(new URL('/callback?code=some&state=s', home), {
      redirect: 'manual',
    })
    t.equal(
      unknown.headers.get('location'),
      '/',
      'a browser without a pending request is refused too',
    )
  })

  test('after an uninstall the app says so, and the user can start again', async (t, page) => {
    await signInAsAna(page)
    const install = `/organizations/${acmeId}/installs/${clientId}`
    await api.call('DELETE', install)
    t.teardown(() => api.call('PUT', install, { permissions: [], workspace_ids: null }))
    await eventually(async () => {
      await page.goto(home)
      return !(await page.isVisible('td'))
    })
    await page.goto(home)
    t.ok(await page.isVisible('text="Sign in"'))
  })
}
