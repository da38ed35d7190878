// Nightly, and when packages/sdk changes: a page around the frame attacks.
import type { Frame, Page } from 'playwright-core'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { install, type TestApp } from '../support/world.ts'
import { onPlatform } from './platform.ts'
import { press } from './press.ts'

/** Stores every message that the window receives. */
const recorder = `<script>
  var heard = []
  addEventListener('message', ({ origin, data }) => heard.push({ origin, data }))
</script>`

/** The same, and every message on a port of this page. */
const portRecorder = `${recorder}<script>
  const send = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (...all) { heard.push({ sent: all[0] }); return send.apply(this, all) }
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')
  Object.defineProperty(MessagePort.prototype, 'onmessage', { set(listener) {
    set.call(this, (event) => { heard.push({ received: event.data }); listener(event) })
  } })
</script>`

/** An attacker's frame: sends the SDK's hello and keeps the port that it receives. */
const stranger = `${recorder}<script>
  var told = [], port = null, nonce = 'n'.repeat(43)
  addEventListener('message', (event) => {
    if (event.data?.type !== 'latchkey_welcome') return
    port = event.ports[0]
    port.onmessage = ({ data }) => told.push(data)
  })
  var hello = () => parent.postMessage({ type: 'latchkey_hello', version: 1, nonce }, '*')
</script>`

const secrets = /access_token|eyJ[\w-]+\.[\w-]+\.|"code":|lkac_/

await onPlatform(
  'attacks on apps in frames',
  async (scene) => {
    const { running, world, platform, apps, foreign, neighbour, legacy } = scene
    const { test, frame, frameOf, responses, told, hears, signedIn, register } = scene
    const { issuer } = running
    const { ana, acme } = world

    /** An app that Ana has approved: only the checks under test keep its frame from a token. */
    const approved = async (page: Page, app: TestApp) => {
      await install(running, acme, app)
      await page.goto(authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) }))
      await press(page, 'button[name="decision"][value="approve"]')
      await page.waitForURL(`${apps.origin}/**`)
    }

    const heardBy = (where: Page | Frame): Promise<string> =>
      where.evaluate('JSON.stringify(heard)')
    const frameAt = (page: Page, origin: string) =>
      page.frames().find((one) => one.url().startsWith(origin)) as Frame
    const authorize = (more: object = {}) =>
      `port.postMessage({ type: 'authorize', parameters: ${JSON.stringify({
        redirect_uri: `${apps.origin}/app`,
        state: 's'.repeat(43),
        ...more,
      })} })`

    /**
     * After this, earlier messages from the page to the server's frame, and on to the first frame,
     * have arrived.
     */
    const settle = async (page: Page, server: Frame, first: Frame) => {
      await server.evaluate(
        `heard = []; addEventListener('message', ({ data }) => heard.push({ data }))`,
      )
      await page.evaluate(`frames[frames.length - 1].postMessage('then', '${issuer}')`)
      await server.waitForFunction(`heard.some(({ data }) => data === 'then')`)
      await server.evaluate(`parent.frames[0].postMessage('after', '${foreign.origin}')`)
      await first.waitForFunction(`heard.some(({ data }) => data === 'after')`)
    }

    test(
      'FRM-01 a page of a foreign origin that claims an appId gets no token',
      async (t, { page }) => {
        await signedIn(page, ana)
        frame(legacy)
        const src = foreign.put('/claims', `<script src="${issuer}/sdk/v1.js"></script>${stranger}`)
        await page.goto(
          frame(legacy, { before: portRecorder, attach: `origin: '${foreign.origin}'` }),
        )
        await page.evaluate(`document.getElementById('app').src = '${src}'`)
        const claims = await frameOf(page, '/claims')
        await claims.evaluate(
          `Latchkey.init({ appId: '${legacy.client_id}', onConnect: (value) => told.push(value) })`,
        )
        await hears(claims, 1)
        t.match((await told(claims))[0], { connected: false, error: 'origin_not_registered' })

        await claims.evaluate('hello()')
        await claims.waitForFunction('port !== null')
        await claims.evaluate(authorize())
        await claims.evaluate(authorize({ redirect_uri: `${foreign.origin}/claims` }))
        await hears(claims, 2)
        t.match((await told(claims))[1], { type: 'unanswered' }, 'the server shows an error')
        t.notMatch(await heardBy(claims), secrets)
        t.notMatch(await heardBy(page), secrets)
      },
      { mayComplain: true },
    )

    test('FRM-02 a frame that was navigated away gets no answer', async (t, { page }) => {
      await signedIn(page, ana)
      await page.goto(frame(legacy, { before: recorder }))
      await responses(await frameOf(page))
      const src = foreign.put('/away', stranger)
      await page.evaluate(`document.getElementById('app').src = '${src}'`)
      const away = await frameOf(page, '/away')
      await away.evaluate(`hello(); parent.postMessage('ping', '*')`)
      await page.waitForFunction(`heard.some(({ data }) => data === 'ping')`)
      await page.evaluate(
        `host.select(['row1']); document.getElementById('app').contentWindow.postMessage('pong', '${foreign.origin}')`,
      )
      await away.waitForFunction(`heard.some(({ data }) => data === 'pong')`)
      t.match(JSON.parse(await heardBy(away)), [{ data: 'pong' }], 'nothing came before')
      t.equal((JSON.parse(await heardBy(away)) as unknown[]).length, 1)
      t.same(await told(away), [])
    })

    test(
      'FRM-03 an answer to a frame that was navigated away is not delivered',
      async (t, { page, context }) => {
        await signedIn(page, ana)
        const src = foreign.put('/thief', stranger)
        let held: (() => Promise<void>) | undefined
        await context.route('**/oauth/authorize*', async (route) => {
          held = () => route.continue()
        })
        await page.goto(frame(legacy, { before: recorder }))
        await page.waitForFunction('window.length === 2')
        for (; held === undefined; ) await page.waitForTimeout(20)
        await page.evaluate(`document.getElementById('app').src = '${src}'`)
        const thief = await frameOf(page, '/thief')
        await held()
        await page.waitForFunction(`heard.some(({ data }) => data.type === 'relay_request')`)
        await settle(page, frameAt(page, issuer), thief)
        t.match(JSON.parse(await heardBy(thief)), [{ data: 'after' }])
        t.notMatch(await heardBy(thief), secrets, 'the browser has not delivered it')
      },
      { mayComplain: true },
    )

    test('FRM-04 a foreign page that imitates the platform gets nothing', async (t, { page }) => {
      const app = await register({ name: 'Played with' })
      await signedIn(page, ana)
      await approved(page, app)
      frame(app)
      const url = neighbour.put(
        '/',
        `${portRecorder}<iframe id="app" src="${apps.origin}/app"></iframe>
         <script src="${issuer}/sdk/host-v1.js"></script>
         <script>LatchkeyHost.attach(document.getElementById('app'), { appId: '${app.client_id}' }).select(['row1'])</script>`,
      )
      await page.goto(url)
      const inFrame = await frameOf(page)
      t.match((await responses(inFrame))[0], { error: 'platform_unknown' })
      t.equal(await heardBy(page), '[]', 'it was not even asked')
      t.equal((await told(inFrame)).length, 1, 'its messages are ignored')
    })

    test(
      'FRM-05 a foreign page cannot frame the server’s response itself',
      async (t, { page }) => {
        const app = await register({ name: 'Enclosed' })
        await signedIn(page, ana)
        await approved(page, app)
        const requested = {
          code_challenge: challengeOf(newVerifier()),
          response_mode: 'web_message',
          prompt: 'none',
        }
        const old = { response_type: 'token', response_mode: 'web_message', organization_id: acme }
        const parts = [
          { platform_origin: platform.origin },
          { platform_origin: neighbour.origin },
          {},
        ]
        const urls = parts.flatMap((part) => [
          authorizeUrl(issuer, app, { ...requested, ...part }),
          legacyAuthorizeUrl(issuer, legacy, { ...old, ...part } as Record<string, string>),
        ])
        const around = neighbour.put(
          '/encloses',
          `${recorder}<script>var loaded = 0</script>
         <iframe src="${apps.origin}/app"></iframe>
         ${urls.map((src) => `<iframe class="asked" src="${src.replaceAll('&', '&amp;')}" onload="loaded++"></iframe>`).join('')}`,
        )
        await page.goto(around)
        await page.waitForFunction(`loaded === ${urls.length}`)
        for (const element of await page.locator('.asked').elementHandles()) {
          const content = await element.contentFrame()
          t.match(content?.url(), /^chrome-error:/, 'refused by the browser')
        }
        t.equal(await heardBy(page), '[]')
      },
      { mayComplain: true },
    )

    test('FRM-06 ignores forged answers from the page, a sibling frame and the app’s own origin', async (t, {
      page,
    }) => {
      await signedIn(page, ana)
      const forged = (state: string) =>
        `({ type: 'authorization_response', version: 1, response: { state: ${state}, access_token: 'forged', expires_in: '7200' } })`
      const sibling = foreign.put('/sibling', stranger)
      await page.goto(
        frame(legacy, {
          before: `<script>
            // The page knows the state, as it opens the request.
            new MutationObserver((changes) => {
              for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
                if (node.localName !== 'iframe' || !node.src.startsWith('${issuer}')) continue
                window.state = new URL(node.src).searchParams.get('state')
                document.getElementById('app').contentWindow.postMessage(${forged('window.state')}, '${apps.origin}')
                document.getElementById('sibling')?.contentWindow.postMessage({ state }, '${foreign.origin}')
              }
            }).observe(document, { childList: true, subtree: true })
          </script>`,
          after: `<iframe id="sibling" src="${sibling}"></iframe>`,
        }),
      )
      const app = await frameOf(page)
      const [response] = await responses(app)
      t.match(response, { connected: true, accessToken: /^eyJ/ })
      const siblingFrame = frameAt(page, foreign.origin)
      await app.evaluate('latchkey.renew()')
      await siblingFrame.evaluate(
        `parent.frames[0].postMessage(${forged(`'${'s'.repeat(43)}'`)}, '${apps.origin}')`,
      )
      await app.evaluate(`postMessage(${forged(`'${'s'.repeat(43)}'`)}, origin)`)
      const all = await responses(app, 2)
      for (const one of all) t.match(one, { connected: true, accessToken: /^eyJ/ })
      t.equal((await told(app)).length, 2)
    })

    test(
      'FRM-07 ignores a replayed answer from the server’s own origin',
      async (t, { page, context }) => {
        await signedIn(page, ana)
        await context.route(`${issuer}/replays`, (route) =>
          route.fulfill({ contentType: 'text/html', body: '<title>Replays</title>' }),
        )
        await page.goto(frame(legacy))
        const app = await frameOf(page)
        await responses(app)
        await app.evaluate(
          `heard = []; addEventListener('message', ({ data }) => heard.push(data))`,
        )
        await app.evaluate('latchkey.renew()')
        await app.waitForFunction(`heard.some(({ type }) => type === 'authorization_response')`)
        const before = (await responses(app, 2)).length
        const [message] = (await app.evaluate(
          `heard.filter(({ type }) => type === 'authorization_response')`,
        )) as unknown[]
        await page.evaluate(
          `document.body.append(Object.assign(document.createElement('iframe'), { id: 'replays', src: '${issuer}/replays' }))`,
        )
        const element = await page.locator('#replays').elementHandle()
        const replays = (await element?.contentFrame()) as Frame
        await replays.waitForURL(`${issuer}/replays`)
        await replays.evaluate(
          `parent.frames[0].postMessage(${JSON.stringify(message)}, '${apps.origin}')`,
        )
        await app.waitForFunction(
          `heard.filter(({ type }) => type === 'authorization_response').length === 2`,
        )
        t.equal((await told(app)).length, before, 'it arrived and had no effect')
      },
      { mayComplain: true },
    )

    test('FRM-08 the platform page and other frames see neither code nor token', async (t, {
      page,
    }) => {
      const app = await register({ name: 'Discreet' })
      await signedIn(page, ana)
      await approved(page, app)
      for (const one of [app, legacy]) {
        const sibling = foreign.put('/listens', stranger)
        await page.goto(
          frame(one, { before: portRecorder, after: `<iframe src="${sibling}"></iframe>` }),
        )
        const inFrame = await frameOf(page)
        const [response] = await responses(inFrame)
        t.match(response, { connected: true })
        const heard = await heardBy(page)
        t.match(heard, /latchkey_hello/)
        t.match(heard, /relay_request/)
        t.match(heard, /"type":"authorize"/)
        t.notMatch(heard, secrets)
        t.equal(await heardBy(frameAt(page, foreign.origin)), '[]')
        const addresses = (where: Page | Frame) =>
          where.evaluate(`JSON.stringify(performance.getEntries().map(({ name }) => name))`)
        for (const where of [page, inFrame])
          t.notMatch(await addresses(where), /eyJ[\w-]+\.[\w-]+\.|[?&#]code=/)
      }
    })

    test(
      'FRM-09 a page that names the wrong frame reaches no app',
      async (t, { page }) => {
        await signedIn(page, ana)
        const sibling = foreign.put('/wrong', stranger)
        const state = 's'.repeat(43)
        const url = legacyAuthorizeUrl(
          issuer,
          { ...legacy, redirect_uri: `${apps.origin}/app` },
          {
            response_type: 'token',
            response_mode: 'web_message',
            platform_origin: platform.origin,
            prompt: 'none',
            organization_id: acme,
            state,
          },
        )
        await page.goto(
          platform.put(
            '/lies',
            `${recorder}<iframe src="${sibling}"></iframe>
           <script>
             addEventListener('message', ({ source, data }) => {
               if (data.type === 'relay_request')
                 source.postMessage({ type: 'relay_response', version: 1, state: data.state, frame: 0 }, '${issuer}')
             })
           </script>
           <iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`,
          ),
        )
        await page.waitForFunction(`heard.some(({ data }) => data.type === 'relay_request')`)
        await settle(page, frameAt(page, issuer), frameAt(page, foreign.origin))
        t.match(JSON.parse(await heardBy(frameAt(page, foreign.origin))), [{ data: 'after' }])
        t.notMatch(await heardBy(page), secrets)
      },
      { mayComplain: true },
    )

    test('FRM-10 the server’s page accepts messages from its parent only', async (t, { page }) => {
      await signedIn(page, ana)
      const state = 's'.repeat(43)
      const url = legacyAuthorizeUrl(issuer, legacy, {
        response_type: 'token',
        response_mode: 'web_message',
        platform_origin: platform.origin,
        prompt: 'none',
        organization_id: acme,
        state,
      })
      const listens = apps.put('/listens', recorder)
      const pushy = foreign.put(
        '/pushes',
        `<script>
          setInterval(() => {
            for (let at = 0; at < parent.length; at++)
              parent.frames[at].postMessage({ type: 'relay_response', version: 1, state: '${state}', frame: 0 }, '*')
          }, 20)
        </script>`,
      )
      const src = url.replaceAll('&', '&amp;')
      await page.goto(
        platform.put(
          '/pushed',
          `${recorder}<iframe src="${listens}"></iframe><iframe src="${pushy}"></iframe><iframe src="${src}"></iframe>`,
        ),
      )
      await page.waitForFunction(`heard.some(({ data }) => data.type === 'relay_request')`)
      const [app, server] = [frameAt(page, apps.origin), frameAt(page, issuer)]
      // The attacker's messages have reached both, many times.
      await server.evaluate(
        `new Promise((done) => { let count = 0; addEventListener('message', () => ++count === 20 && done()) })`,
      )
      t.notMatch(await heardBy(app), secrets)
      await page.evaluate(
        `frames[2].postMessage({ type: 'relay_response', version: 1, state: '${state}', frame: 0 }, '${issuer}')`,
      )
      await app.waitForFunction(`heard.some(({ data }) => data.type === 'authorization_response')`)
      t.match(await heardBy(app), secrets, 'its parent has sent its first message only now')
      t.notMatch(await heardBy(page), secrets)
    })

    test(
      'FRM-11 a foreign page around the platform’s page gets nothing',
      async (t, { page }) => {
        await signedIn(page, ana)
        const inside = frame(legacy)
        await page.goto(
          neighbour.put('/outside', `${recorder}<iframe id="inside" src="${inside}"></iframe>`),
        )
        const inner = frameAt(page, platform.origin)
        await inner.locator('#app').waitFor()
        const element = await inner.locator('#app').elementHandle()
        const app = (await element?.contentFrame()) as Frame
        await app.waitForFunction('window.told !== undefined')
        await hears(app, 1)
        t.match((await told(app))[0], ['onConnect', { connected: false, error: 'no_answer' }])
        t.equal(await heardBy(page), '[]')
      },
      { mayComplain: true },
    )

    test(
      'FRM-12 a frame that floods the platform with requests opens nothing',
      async (t, { page }) => {
        await signedIn(page, ana)
        const src = foreign.put('/asks', stranger)
        const opened: string[] = []
        page.on('request', (request) => {
          if (request.url().startsWith(`${issuer}/oauth/authorize`)) opened.push(request.url())
        })
        await page.goto(frame(legacy, { before: recorder, attach: `origin: '${foreign.origin}'` }))
        await page.evaluate(`document.getElementById('app').src = '${src}'`)
        const asks = await frameOf(page, '/asks')
        await asks.evaluate('hello()')
        await asks.waitForFunction('port !== null')
        await asks.evaluate(
          `for (let at = 0; at < 200; at++) port.postMessage({ type: 'authorize', parameters: {
             redirect_uri: '${foreign.origin}/asks', state: 'state-' + at } })`,
        )
        // Each has a parameter that a request must not have; none is opened.
        for (const more of [
          { redirect_uri: 'javascript:alert(1)' },
          { redirect_uri: `${apps.origin}/app` },
          { redirect_uri: `${foreign.origin}/asks`, state: 's&prompt=login' },
          { redirect_uri: `${foreign.origin}/asks`, code_challenge: { toString: 'x' } },
          { redirect_uri: `${foreign.origin}/asks`, organization_id: 'a b' },
        ])
          await asks.evaluate(authorize(more))
        await hears(asks, 1)
        t.match((await told(asks))[0], { type: 'unanswered', state: 'state-199' })
        t.equal((await told(asks)).length, 1)
        t.equal(opened.length, 1, 'the last one counts')
        t.equal(await page.locator('iframe').count(), 1, 'the page has no leftover frames')
      },
      { mayComplain: true },
    )
  },
  { onlyOn: 'embedded' },
)
