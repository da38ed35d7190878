import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { type Running, startLatchkey } from '../support/latchkey.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import type { Answers } from '../support/visitor.ts'
import {
  createApp,
  currentPermissions,
  install,
  legacyPermissions,
  type TestApp,
  type World,
  worldIn,
} from '../support/world.ts'
import { startChromium, withoutThirdParties } from './chromium.ts'
import { signIn } from './scene.ts'
import { startWebPages, type WebPages } from './web-pages.ts'

/** The messages that a framed app received, in order. */
export type Told = [callback: string, value: unknown]

export interface Platform {
  running: Running
  stores: StoreSetup
  browser: Browser
  world: World
  /** The pages around the frames: the server's site, another origin, configured by the operator. */
  platform: WebPages
  /** Configured as well, but on another site than the server. */
  abroad: WebPages
  /** The app's own pages, on another site. */
  apps: WebPages
  /** An unregistered origin on the app's site. */
  foreign: WebPages
  /** An unregistered origin on the server's site, which would get its cookies. */
  neighbour: WebPages
  current: TestApp
  legacy: TestApp
  /**
   * An app with its page, and a platform page that frames it. @returns the address of the platform
   * page
   */
  frame(app: TestApp, part?: FrameParts): string
  /** Waits for the app's frame. */
  frameOf(page: Page, path?: string): Promise<Frame>
  told(frame: Frame): Promise<Told[]>
  /** Waits until the app has received this many messages. */
  hears(frame: Frame, count: number): Promise<void>
  /** Waits for enough responses in onConnect that no retry follows. @returns all of them */
  responses(frame: Frame, count?: number): Promise<Response[]>
  signedIn(page: Page, person: Answers): Promise<void>
  register(part: Record<string, unknown>): Promise<TestApp>
  test(
    name: string,
    body: (t: Test, window: { page: Page; context: BrowserContext }) => Promise<void>,
    options?: BrowserContextOptions & { mayComplain?: boolean },
  ): void
}

// biome-ignore lint/suspicious/noExplicitAny: it came out of a page
export type Response = Record<string, any>

export interface FrameParts {
  path?: string
  /** Further options of `Latchkey.init`, as source text. */
  init?: string
  /** Further options of `LatchkeyHost.attach`, as source text. */
  attach?: string
  /** The page that has the frame; default: the platform page on the server's site. */
  on?: WebPages
  /** Source before the host's script, and after it. */
  before?: string
  after?: string
  sandbox?: string
}

/** An app's page, which stores the messages that it receives. */
const appPage = (issuer: string, init: string) => `
<h1>An app</h1><button id="ask">Ask</button>
<script src="${issuer}/sdk/v1.js"></script>
<script>
  var told = []
  var note = (name) => (...values) => told.push([name, ...values])
  var latchkey = Latchkey.init({
    onConnect: note('onConnect'), onSelection: note('onSelection'),
    onFilter: note('onFilter'), onShowSelected: note('onShowSelected'), ${init}
  })
  document.getElementById('ask').onclick = () => note('ask')(latchkey.ask())
</script>`

const platformPage = (issuer: string, src: string, attach: string, part: FrameParts) => `
<h1>The platform</h1>${part.before ?? ''}
<iframe id="app" src="${src}" title="An app" ${part.sandbox ? `sandbox="${part.sandbox}"` : ''}></iframe>
<script src="${issuer}/sdk/host-v1.js"></script>
<script>var host = LatchkeyHost.attach(document.getElementById('app'), { ${attach} })</script>${part.after ?? ''}`

const watch = (context: BrowserContext) => {
  const faults: string[] = []
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  return faults
}

/** Runs the body in a Chromium that blocks third-party cookies, on every backend. */
export const onPlatform = async (
  name: string,
  body: (platform: Platform) => Promise<void>,
  options: { onlyOn?: 'embedded' } = {},
) => {
  const browser = await startChromium()
  if (!browser) return
  const platform = await startWebPages('127.0.0.1')
  const neighbour = await startWebPages('127.0.0.1')
  const abroad = await startWebPages('localhost')
  const apps = await startWebPages('localhost')
  const foreign = await startWebPages('localhost')
  for (const stores of await testStores({
    content: 'world',
    ...(options.onlyOn && { only: options.onlyOn }),
  })) {
    t.test(`${name} (${stores.name})`, async (t) => {
      const running = await startLatchkey(stores, {
        environment: { PLATFORM_ORIGINS: `${platform.origin}, ${abroad.origin}` },
      })
      t.teardown(async () => {
        await running.stop()
        await stores.drop()
      })
      const world = await worldIn(stores, running)
      const { issuer } = running
      const register = async (part: Record<string, unknown>) =>
        createApp(running, {
          redirect_uris: [`${apps.origin}/app`],
          client_type: 'public',
          ...part,
        })
      const current = await register({ name: 'Framed' })
      const legacy = await register({ name: 'Framed Sheet', interface: 'legacy' })
      await install(running, world.acme, current, { permissions: currentPermissions })
      await install(running, world.acme, legacy, { permissions: legacyPermissions })

      const frame: Platform['frame'] = (app, part = {}) => {
        const { path = '/app', init = '', attach = '' } = part
        const src = apps.put(path, appPage(issuer, `appId: '${app.client_id}', ${init}`))
        const options = `appId: '${app.client_id}', organizationId: '${world.acme}', ${attach}`
        return (part.on ?? platform).put('/', platformPage(issuer, src, options, part))
      }
      const hears: Platform['hears'] = async (frame, count) => {
        await frame.waitForFunction(`told.length >= ${count}`)
      }
      const told = (frame: Frame) => frame.evaluate('told') as Promise<Told[]>

      await body({
        running,
        stores,
        browser,
        world,
        platform,
        apps,
        foreign,
        neighbour,
        abroad,
        current,
        legacy,
        frame,
        told,
        hears,
        register,
        frameOf: async (page, path = '/app') => {
          await page.locator('#app').waitFor()
          const element = await page.locator('#app').elementHandle()
          const found = await element?.contentFrame()
          if (!found) throw new Error('there is no frame')
          await found.waitForURL(`**${path}*`)
          await found.waitForFunction('window.told !== undefined')
          return found
        },
        responses: async (frame, count = 1) => {
          for (;;) {
            const all = await told(frame)
            // Automatic retries on a busy machine have tests of their own.
            const settled = all.flatMap(([name, value]) => {
              const response = value as Response
              return name === 'onConnect' && typeof response.retryIn !== 'number' ? [response] : []
            })
            if (settled.length >= count) return settled
            await hears(frame, all.length + 1)
          }
        },
        signedIn: async (page, person) => {
          await page.goto(`${issuer}/login`)
          await signIn(page, person)
          await page.waitForURL(`${issuer}/`)
        },
        test: (name, work, { mayComplain = false, ...contextOptions } = {}) =>
          void t.test(name, async (t) => {
            const context = withoutThirdParties(await browser.newContext(contextOptions))
            context.setDefaultTimeout(30_000)
            const faults = watch(context)
            try {
              await work(t, { context, page: await context.newPage() })
            } finally {
              await context.close()
            }
            if (!mayComplain) t.same(faults, [], 'no console messages')
          }),
      })
    })
  }
}
