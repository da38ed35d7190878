// Nightly, and when packages/sdk changes: frames fail in many ways.
import { install, legacyPermissions } from '../support/world.ts'
import { onPlatform } from './platform.ts'
import { press } from './press.ts'

await onPlatform(
  'an app in a frame that gets no token',
  async (scene) => {
    const { running, world, platform, apps, foreign, neighbour, current, legacy } = scene
    const { test, frame, frameOf, responses, signedIn, register, told, hears } = scene
    const { issuer } = running
    const { ana, acme } = world

    const first = async (page: Parameters<typeof frameOf>[0], path?: string) =>
      (await responses(await frameOf(page, path)))[0]
    const final = { connected: false, canAsk: false, retryIn: null }

    test('the page is not in a frame', async (t, { page }) => {
      frame(legacy)
      await page.goto(`${apps.origin}/app`)
      t.match((await responses(page.mainFrame()))[0], { ...final, error: 'not_framed' })
    })

    test(
      'an app that does not exist',
      async (t, { page }) => {
        await page.goto(frame({ ...legacy, client_id: 'app0000000000000000' }))
        t.match(await first(page), { ...final, error: 'unknown_app' })
      },
      { mayComplain: true },
    )

    test('the platform expects another app', async (t, { page }) => {
      await page.goto(frame(legacy, { attach: `appId: '${current.client_id}'` }))
      t.match(await first(page), { ...final, error: 'app_mismatch' })
    })

    test('no redirect URI has the origin of the page', async (t, { page }) => {
      const elsewhere = await register({
        name: 'Elsewhere',
        interface: 'legacy',
        redirect_uris: [`${foreign.origin}/app`],
      })
      await install(running, acme, elsewhere, { permissions: legacyPermissions })
      await signedIn(page, ana)
      await page.goto(frame(elsewhere))
      t.match(await first(page), { ...final, error: 'origin_not_registered' })
    })

    test('a confidential app of the current interface needs its secret', async (t, { page }) => {
      const app = await register({ name: 'With a secret', client_type: 'confidential' })
      await page.goto(frame(app))
      t.match(await first(page), { ...final, error: 'not_public' })
    })

    test('the framing page is not the platform', async (t, { page }) => {
      frame(legacy)
      const around = neighbour.put(
        '/',
        `<iframe id="app" src="${apps.origin}/app"></iframe>
         <script src="${issuer}/sdk/host-v1.js"></script>
         <script>LatchkeyHost.attach(document.getElementById('app'), { appId: '${legacy.client_id}' })</script>`,
      )
      await page.goto(around)
      t.match(await first(page), { ...final, error: 'platform_unknown' })
    })

    test('a platform on another site has no session, because the browser withholds the cookie', async (t, {
      page,
    }) => {
      await signedIn(page, ana)
      await page.goto(frame(legacy, { on: scene.abroad }))
      t.match(await first(page), { connected: false, error: 'login_required' })
      await page.goto(frame(legacy))
      t.match(await first(page), { connected: true }, 'while the other app works')
    })

    test('the user chooses another organization than the platform shows', async (t, {
      page,
      context,
    }) => {
      await signedIn(page, ana)
      await page.goto(frame(legacy, { attach: `organizationId: '${world.other}'` }))
      const app = await frameOf(page)
      t.match((await responses(app))[0], { error: 'interaction_required', canAsk: true })
      const opened = context.waitForEvent('page')
      await app.click('#ask')
      const window = await opened
      await window.check(`input[name="organization_id"][value="${acme}"]`)
      await press(window, 'main form button.primary')
      await press(window, 'button[name="decision"][value="approve"]')
      t.match((await responses(app, 2))[1], { ...final, error: 'other_organization' })
      t.equal(await app.evaluate('latchkey.accessToken()'), null)
    })

    test('the SDK waits for a platform page that answers late', async (t, { page }) => {
      await signedIn(page, ana)
      await page.clock.install()
      frame(legacy)
      await page.goto(platform.put('/mute', `<iframe id="app" src="${apps.origin}/app"></iframe>`))
      const app = await frameOf(page)
      await page.clock.fastForward(10_500)
      await hears(app, 1)
      const [late] = (await told(app)).map(([, value]) => value)
      t.match(late, { connected: false, error: 'no_platform', canAsk: false, retryIn: Number })
      await page.addScriptTag({ url: `${issuer}/sdk/host-v1.js` })
      await page.evaluate(
        `LatchkeyHost.attach(document.getElementById('app'), { appId: '${legacy.client_id}', organizationId: '${acme}' })`,
      )
      await page.clock.fastForward(2_000)
      t.match((await responses(app))[0], { connected: true })
    })

    test(
      'a blocked window is reported by ask()',
      async (t, { page }) => {
        await page.goto(frame(legacy, { sandbox: 'allow-scripts allow-same-origin' }))
        const app = await frameOf(page)
        t.match((await responses(app))[0], { error: 'login_required', canAsk: true })
        await app.click('#ask')
        await hears(app, 2)
        t.same((await told(app))[1], ['ask', false])
      },
      { mayComplain: true },
    )

    test('ask() without a question does nothing', async (t, { page, context }) => {
      await signedIn(page, ana)
      await page.goto(frame(legacy))
      const app = await frameOf(page)
      await responses(app)
      await app.click('#ask')
      await hears(app, 2)
      t.same((await told(app))[1], ['ask', false])
      t.equal(context.pages().length, 1)
    })

    test(
      'a sandboxed frame without an origin gets nothing',
      async (t, { page }) => {
        await signedIn(page, ana)
        await page.goto(frame(legacy, { sandbox: 'allow-scripts' }))
        t.match(await first(page), { connected: false, error: 'origin_not_registered' })
      },
      { mayComplain: true },
    )

    test(
      'an unavailable server is retried with growing pauses until it is back',
      async (t, { page, context }) => {
        await signedIn(page, ana)
        await page.clock.install()
        await page.goto(frame(legacy))
        const app = await frameOf(page)
        const [connected] = await responses(app)
        await context.route('**/oauth/authorize*', (route) => route.abort())
        await page.clock.fastForward('01:56:00')
        for (let failures = 1; failures <= 4; failures++) {
          // The page loads, but no message comes: after two seconds the host reports it.
          await hears(app, failures + 1)
          const failed = (await told(app))[failures]?.[1] as { error: string; retryIn: number }
          t.match(failed, { connected: false, error: 'no_answer', canAsk: false })
          const pause = 1000 * 2 ** (failures - 1)
          t.ok(
            failed.retryIn >= pause * 0.75 && failed.retryIn <= pause * 1.25,
            `${failed.retryIn}`,
          )
          t.equal(await app.evaluate('latchkey.accessToken()'), connected?.accessToken)
          if (failures === 4) await context.unroute('**/oauth/authorize*')
          await page.clock.fastForward(failed.retryIn + 1)
        }
        t.match((await responses(app, 2)).at(-1), { connected: true })
      },
      { mayComplain: true },
    )

    test(
      'retries at once when the browser is back online',
      async (t, { page, context }) => {
        await signedIn(page, ana)
        await page.goto(frame(legacy))
        const app = await frameOf(page)
        await responses(app)
        await context.route('**/oauth/authorize*', (route) => route.abort())
        // A pause far beyond the test.
        await app.evaluate('Math.random = () => 1e6')
        await app.evaluate('latchkey.renew()')
        await hears(app, 2)
        t.match((await told(app))[1]?.[1], { error: 'no_answer' })
        await context.unroute('**/oauth/authorize*')
        await app.evaluate(`window.dispatchEvent(new Event('online'))`)
        t.match((await responses(app, 2)).at(-1), { connected: true })
      },
      { mayComplain: true },
    )

    test(
      'the server is unavailable from the start',
      async (t, { page, context }) => {
        await signedIn(page, ana)
        const url = frame(legacy)
        await context.route('**/sdk/v1/configuration*', (route) => route.abort())
        await page.goto(url)
        const app = await frameOf(page)
        await hears(app, 1)
        t.match((await told(app))[0]?.[1], { error: 'unreachable', retryIn: Number })
        await context.unroute('**/sdk/v1/configuration*')
        t.match((await responses(app))[0], { connected: true })
      },
      { mayComplain: true },
    )

    test(
      'a code that cannot be exchanged is followed by another',
      async (t, { page, context }) => {
        const app = await register({ name: 'Slow line' })
        await install(running, acme, app)
        await signedIn(page, ana)
        await page.goto(frame(app))
        const inFrame = await frameOf(page)
        await responses(inFrame)
        let failing = 2
        await context.route('**/api/oauth/token', (route) =>
          failing-- > 0 ? route.abort() : route.continue(),
        )
        const opened = context.waitForEvent('page')
        await inFrame.click('#ask')
        await press(await opened, 'button[name="decision"][value="approve"]')
        t.match((await responses(inFrame, 2))[1], { connected: true })
        const all = (await told(inFrame)).map(([, value]) => (value as { error?: string }).error)
        t.same(all.filter((one) => one === 'unreachable').length, 2)
      },
      { mayComplain: true },
    )

    test('when the user returns to the tab, retries start again', async (t, { page, context }) => {
      await page.clock.install()
      await page.goto(frame(legacy))
      const app = await frameOf(page)
      t.match((await responses(app))[0], { error: 'login_required' })
      const other = await context.newPage()
      await signedIn(other, ana)
      await page.clock.fastForward(6_000)
      await app.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      t.match((await responses(app, 2))[1], { connected: true })
    })
  },
  { onlyOn: 'embedded' },
)
