import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { ahead, type Json, type Running, startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import type { Answers } from '../support/visitor.ts'
import { type World, worldIn } from '../support/world.ts'
import { startChromium } from './chromium.ts'
import { press } from './press.ts'
import { addAuthenticator, type VirtualAuthenticator } from './virtual-authenticator.ts'

export interface Stage {
  context: BrowserContext
  page: Page
  authenticator: VirtualAuthenticator
}

export interface Scene {
  browser: Browser
  running: Running
  issuer: string
  databaseUrl: string
  world: World
  /** A test in a window of its own, with its own authenticator. */
  test(
    name: string,
    body: (t: Test, stage: Stage) => Promise<void>,
    options?: BrowserContextOptions,
  ): void
}

// An IP address cannot be an RP ID, so these servers are called localhost.
export const onLocalhost = async (
  name: string,
  body: (scene: Scene) => Promise<void>,
  options: { environment?: NodeJS.ProcessEnv; onlyOn?: 'embedded' } = {},
) => {
  const browser = await startChromium()
  if (!browser) return
  for (const stores of await testStores({
    content: 'world',
    ...(options.onlyOn && { only: options.onlyOn }),
  })) {
    void t.test(`${name} (${stores.name})`, async (t) => {
      const running = await startLatchkey(stores, { host: 'localhost', ...options })
      t.teardown(async () => {
        await running.stop()
        await stores.drop()
      })
      const world = await worldIn(stores, running)
      const test: Scene['test'] = (name, work, window = {}) =>
        void t.test(name, async (t) => {
          const context = await browser.newContext({ baseURL: running.issuer, ...window })
          context.setDefaultTimeout(10_000)
          const faults: string[] = []
          context.on('weberror', (error) => faults.push(error.error().message))
          const page = await context.newPage()
          try {
            await work(t, { context, page, authenticator: await addAuthenticator(page) })
          } finally {
            await context.close()
          }
          t.same(faults, [], 'no script failed')
        })
      const { issuer } = running
      await body({ browser, running, issuer, databaseUrl: stores.databaseUrl, world, test })
    })
  }
}

export const headingOf = (page: Page) => page.locator('h1').innerText()

export const signIn = async (page: Page, { email, password }: Answers) => {
  await page.fill('#email', email)
  await page.fill('#password', password)
  await press(page, 'main form[action="/login"] button')
}

export const usePasskey = (page: Page) => press(page, 'form[data-passkey="get"] button')

export const byPassword = async (page: Page, person: Answers, returnTo = '/account/passkeys') => {
  await page.goto(`/login?${new URLSearchParams({ return_to: returnTo })}`)
  await signIn(page, person)
  await page.waitForURL((url) => url.pathname !== '/login')
}

export const add = async (page: Page, name: string) => {
  await page.fill('form[data-passkey="create"] input[name="name"]', name)
  await press(page, 'form[data-passkey="create"] button')
  await page.waitForSelector('.notice.good')
}

export const signOut = async (page: Page) => {
  await page.goto('/logout')
  await press(page, 'main button')
  await page.waitForURL('**/signed-out')
}

export const whoIsIn = (page: Page) => page.locator('header .who').innerText()
export const problem = (page: Page) => page.locator('[data-problem]:not(:empty)').innerText()

/** The form data that the browser sends, intercepted on the way. */
export const sentCredential = (page: Page) =>
  page
    .waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/login/passkey'))
    .then((one) => new URLSearchParams(one.postData() ?? '').get('credential') ?? '')

/** Sends an answer again from this browser, with a valid anti-forgery field. */
export const resend = async ({ request }: BrowserContext, credential: string) => {
  const text = await (await request.get('/login')).text()
  const csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return request.post('/login/passkey', {
    form: { _csrf: csrf, return_to: '/', credential },
    maxRedirects: 0,
  })
}

export const audited = async (
  { operator }: Running,
  type: string,
  userId: string,
  count: number,
) => {
  let found: Json[] = []
  await eventually(async () => {
    const { body } = await operator('GET', `/audit?type=${type}&limit=100`)
    found = body.items.filter((one: { user_id: string }) => one.user_id === userId)
    return found.length >= count
  })
  return found
}

/** Moves only the server's clock: the stores and the browser keep their own. */
export const later = async (minutes: number, work: () => Promise<void>) => {
  ahead.milliseconds = minutes * 60_000
  await work().finally(() => {
    ahead.milliseconds = 0
  })
}
