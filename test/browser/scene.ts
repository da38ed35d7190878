import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { type Running, startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import type { Answers } from '../support/visitor.ts'
import {
  createApp,
  currentPermissions,
  install,
  legacyPermissions,
  password,
  type TestApp,
  type World,
  worldIn,
} from '../support/world.ts'
import { startChromium } from './chromium.ts'
import { type LoopbackApp, startLoopbackApp } from './loopback-app.ts'
import { press } from './press.ts'

/** A browser context with its own cookies. */
export interface Window {
  context: BrowserContext
  page: Page
}

export interface Scene {
  running: Running
  world: World
  /** The address of the apps below. */
  app: LoopbackApp
  current: TestApp
  legacy: TestApp
  /** Admin of Acme and member of the other organization; both have installed the apps. */
  lee: Answers
  /** A test in a window of its own. It fails if the page breaks its rules. */
  test(
    name: string,
    body: (t: Test, window: Window) => Promise<void>,
    options?: BrowserContextOptions,
  ): void
  /** An app at the loopback address, installed in no organization. */
  register(part: Record<string, unknown>): Promise<TestApp>
}

const createLee = async (
  { operator }: Running,
  { acme, other, sales, foreignWorkspace }: World,
) => {
  const email = 'lee@acme.test'
  const { body } = await operator('POST', '/users', { email, name: 'Lee Park', password })
  await operator('PUT', `/organizations/${acme}/members/${body.id}`, { role: 'admin' })
  await operator('PUT', `/organizations/${other}/members/${body.id}`, { role: 'member' })
  for (const workspace of [sales, foreignWorkspace])
    await operator('PUT', `/workspaces/${workspace}/members/${body.id}`, {})
  return { email, password }
}

/** Console errors, CSP violations, failed subrequests, and requests to another host. */
export const watch = (context: BrowserContext, hosts: string[]) => {
  const faults: string[] = []
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`))
  context.on('console', (message) => {
    const answered = /the server responded with a status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !answered) faults.push(message.text())
  })
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol !== 'data:' && !hosts.includes(host)) faults.push(`asked ${request.url()}`)
  })
  context.on('response', (response) => {
    const isPage = response.request().isNavigationRequest()
    if (response.status() >= 400 && !isPage) faults.push(`${response.status()} ${response.url()}`)
  })
  return faults
}

export interface SceneOptions {
  /** Further settings of the server. */
  environment?: NodeJS.ProcessEnv
  /** The path of the issuer. `strips`: a proxy removes it. */
  path?: string
  strips?: boolean | 'nginx'
  /** Tests that do not depend on the stores run on one kind only. */
  onlyOn?: 'embedded'
  /** Other hosts are requested, because the test is about them. */
  leaves?: boolean
}

/** Runs the body in Chromium on every backend. */
export const inChromium = async (
  name: string,
  body: (scene: Scene) => Promise<void>,
  options: SceneOptions = {},
) => {
  const browser = await startChromium()
  if (!browser) return
  const app = await startLoopbackApp()
  for (const stores of await testStores({
    content: 'world',
    ...(options.onlyOn && { only: options.onlyOn }),
  })) {
    t.test(`${name} (${stores.name})`, async (t) => {
      const running = await startLatchkey(stores, options)
      t.teardown(async () => {
        await running.stop()
        await stores.drop()
      })
      const world = await worldIn(stores, running)
      const register = (part: Record<string, unknown>) =>
        createApp(running, { redirect_uris: [app.redirectUri], ...part })
      const current = await register({})
      const legacy = await register({ name: 'Sheet Sync', interface: 'legacy' })
      for (const organization of [world.acme, world.other]) {
        await install(running, organization, current, { permissions: currentPermissions })
        await install(running, organization, legacy, { permissions: legacyPermissions })
      }
      const lee = await createLee(running, world)
      const hosts = [new URL(running.issuer).host, new URL(app.origin).host]

      const test: Scene['test'] = (name, work, contextOptions = {}) =>
        void t.test(name, async (t) => {
          const context = await browser.newContext(contextOptions)
          context.setDefaultTimeout(20_000)
          const faults = watch(context, hosts)
          try {
            await work(t, { context, page: await context.newPage() })
          } finally {
            await context.close()
          }
          if (!options.leaves) t.same(faults, [], 'no console messages, no other host')
        })
      await body({ running, world, app, current, legacy, lee, test, register })
    })
  }
}

export const signIn = async (page: Page, { email, password }: Answers) => {
  await page.fill('input[name="email"]', email)
  await page.fill('input[name="password"]', password)
  await press(page, 'main form[action$="/login"] button')
}

export const answer = (page: Page, decision: 'approve' | 'deny' | 'request') =>
  press(page, `button[name="decision"][value="${decision}"]`)

export const headingOf = (page: Page) => page.locator('h1').innerText()

export const untick = (page: Page, field: 'permissions' | 'workspace_ids', value: string) =>
  page.uncheck(`input[name="${field}"][value="${value}"]`)

/** Chooses "Only these…" in place of all workspaces. */
export const onlyThese = (page: Page) => page.check('input[name="workspace_ids"][value=""]')

/** Waits until the browser is at the app. */
export const atApp = (page: Page, { redirectUri }: LoopbackApp) =>
  page.waitForURL((url) => url.href.startsWith(redirectUri))
