import type { BrowserContext, Frame } from 'playwright-core'
import { claimsOf, post } from '../support/flows.ts'
import { install, legacyPermissions } from '../support/world.ts'
import { onPlatform } from './platform.ts'
import { press } from './press.ts'
import { answer, signIn } from './scene.ts'

await onPlatform('an app in a frame', async (scene) => {
  const { running, world, platform, foreign, current, legacy, register, test } = scene
  const { frame, frameOf, responses, told, hears, signedIn } = scene
  const { issuer, operator } = running
  const { acme, ana } = world

  /** Clicks in the app, and waits for the window that opens. */
  const ask = async (context: BrowserContext, app: Frame) => {
    const opened = context.waitForEvent('page')
    await app.click('#ask')
    return opened
  }

  const userOf = (response: { accessToken?: string } | undefined) =>
    claimsOf(response?.accessToken ?? '').sub

  test('this browser blocks third-party cookies', async (t, { page }) => {
    const cookie = 'third=party; SameSite=None; Secure; Path=/'
    foreign.put('/cookie', 'a cookie', { 'set-cookie': cookie })
    const seen = () => foreign.requested.findLast((one) => one.path === '/cookie')?.headers.cookie
    await page.goto(`${foreign.origin}/cookie`)
    await page.reload()
    t.equal(seen(), 'third=party', 'without a click')
    await page.goto(platform.put('/around', `<iframe src="${foreign.origin}/cookie"></iframe>`))
    t.equal(seen(), undefined, 'in a frame of another site')
  })

  test('legacy: gets a token without a page and never in a URL', async (t, { page }) => {
    await signedIn(page, ana)
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    const [response] = await responses(app)
    t.match(response, {
      connected: true,
      expiresIn: 7200,
      permissions: legacyPermissions,
      organizationId: acme,
    })
    t.match(claimsOf(response?.accessToken), { interface: 'legacy', sub: ana.id })
    t.equal(await app.evaluate('latchkey.accessToken()'), response?.accessToken)
    for (const url of urls) t.notMatch(url, response?.accessToken)
    t.equal(await page.locator('iframe').count(), 1, 'the page has no leftover frames')
  })

  test('current: asks for consent in a window once, then gets tokens without one', async (t, {
    page,
    context,
  }) => {
    await signedIn(page, ana)
    await page.goto(frame(current))
    const app = await frameOf(page)
    const [refused] = await responses(app)
    t.match(refused, {
      connected: false,
      error: 'interaction_required',
      canAsk: true,
      retryIn: null,
    })
    const window = await ask(context, app)
    const closed = window.waitForEvent('close')
    await answer(window, 'approve')
    await closed
    const [, response] = await responses(app, 2)
    t.match(response, { connected: true, expiresIn: 3600, organizationId: acme })
    t.match(claimsOf(response?.accessToken), { interface: 'current', sub: ana.id })
    await page.reload()
    t.match((await responses(await frameOf(page)))[0], { connected: true })
  })

  test('a signed-out user signs in in the window', async (t, { page, context }) => {
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    t.match((await responses(app))[0], { error: 'login_required', canAsk: true })
    const window = await ask(context, app)
    await signIn(window, ana)
    t.equal(userOf((await responses(app, 2))[1]), ana.id)
  })

  test('where the answer cannot leave its window, the app gets a token when the user returns', async (t, {
    page,
    context,
  }) => {
    // As WebKit does it: the channels of a window do not reach into a frame of another origin's page.
    await context.addInitScript('BroadcastChannel.prototype.postMessage = () => {}')
    const app = await register({ name: 'Separate' })
    await install(running, acme, app)
    await signedIn(page, ana)
    await page.goto(frame(app))
    const inFrame = await frameOf(page)
    await responses(inFrame)
    const returns = () => inFrame.evaluate(`void dispatchEvent(new Event('focus'))`)
    const window = await ask(context, inFrame)
    await window.waitForSelector('button[value="approve"]')
    await returns()
    const [, unanswered] = await responses(inFrame, 2)
    t.match(unanswered, { connected: false, error: 'interaction_required', canAsk: true })
    await answer(window, 'approve')
    await window.waitForSelector('h1:has-text("Back to the app")')
    await returns()
    t.match((await responses(inFrame, 3))[2], { connected: true })
  })

  test('a user who denies can approve in the next window', async (t, { page, context }) => {
    const app = await register({ name: 'Asked twice' })
    await install(running, acme, app)
    await signedIn(page, ana)
    await page.goto(frame(app))
    const inFrame = await frameOf(page)
    await responses(inFrame)
    await answer(await ask(context, inFrame), 'deny')
    const [, denied] = await responses(inFrame, 2)
    t.match(denied, { connected: false, error: 'access_denied', canAsk: true })
    await answer(await ask(context, inFrame), 'approve')
    t.match((await responses(inFrame, 3))[2], { connected: true })
  })

  test('selection, filter and show-selected work, also with calls before the frame was ready', async (t, {
    page,
  }) => {
    await signedIn(page, ana)
    const filter = { field1: { by: 'is', value: 'é' } }
    await page.goto(frame(legacy, { after: `<script>host.select(['row1', 'row2'])</script>` }))
    const app = await frameOf(page)
    await responses(app)
    await page.evaluate(
      `host.filter(${JSON.stringify(filter)}); host.showSelected(true); host.select([]); host.showSelected(false)`,
    )
    await hears(app, 6)
    const events = (await told(app)).filter(([name]) => name !== 'onConnect')
    t.same(events, [
      ['onSelection', ['row1', 'row2']],
      ['onFilter', filter],
      ['onShowSelected', true],
      ['onSelection', []],
      ['onShowSelected', false],
    ])
    await page.evaluate(`document.getElementById('app').src += '?again'`)
    await page.waitForFunction(`document.getElementById('app').src.endsWith('?again')`)
    const again = await frameOf(page, '?again')
    await hears(again, 4)
    t.same(
      (await told(again)).filter(([name]) => name !== 'onConnect'),
      [
        ['onSelection', []],
        ['onFilter', filter],
        ['onShowSelected', false],
      ],
      'a reloaded frame gets the current state',
    )
  })

  test('a busy platform page answers later, and once', async (t, { page }) => {
    await signedIn(page, ana)
    const busy = 'for (const end = Date.now() + 1500; Date.now() < end; );'
    await page.goto(frame(legacy, { after: `<script>${busy}</script>` }))
    t.match((await responses(await frameOf(page)))[0], { connected: true })
  })

  test('without an appId the platform supplies the app', async (t, { page }) => {
    await signedIn(page, ana)
    await page.goto(frame(legacy, { init: 'appId: undefined' }))
    t.match((await responses(await frameOf(page)))[0], { connected: true })
  })

  test('the token is renewed before it expires, without a page load', async (t, { page }) => {
    await signedIn(page, ana)
    await page.clock.install()
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    const [first] = await responses(app)
    await app.evaluate('window.sameDocument = true')
    await page.clock.fastForward('01:40:00')
    t.equal((await told(app)).length, 1, 'not long before expiry')
    await page.clock.fastForward('00:19:00')
    const [, second] = await responses(app, 2)
    t.match(second, { connected: true })
    t.not(second?.accessToken, first?.accessToken)
    t.ok(second?.expiresAt > first?.expiresAt)
    t.ok(await app.evaluate('window.sameDocument'))
    t.equal(await app.evaluate('latchkey.accessToken()'), second?.accessToken)
  })

  test('after the session ended, the next token is refused with a reason', async (t, {
    page,
    context,
  }) => {
    await signedIn(page, ana)
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    await responses(app)
    const other = await context.newPage()
    await other.goto(`${issuer}/logout`)
    await press(other, 'main form[action="/logout"] button')
    await other.waitForURL('**/signed-out*')
    await other.close()
    await app.evaluate('latchkey.renew()')
    t.match((await responses(app, 2))[1], { connected: false, error: 'login_required' })
    t.type(await app.evaluate('latchkey.accessToken()'), 'string', 'the old one is still valid')
    const window = await ask(context, app)
    await signIn(window, ana)
    t.match((await responses(app, 3))[2], { connected: true })
  })

  test('after an uninstall there are no more tokens', async (t, { page }) => {
    const app = await register({ name: 'Uninstalled', interface: 'legacy' })
    await install(running, acme, app, { permissions: legacyPermissions })
    await signedIn(page, ana)
    await page.goto(frame(app))
    const inFrame = await frameOf(page)
    t.match((await responses(inFrame))[0], { connected: true })
    await operator('DELETE', `/organizations/${acme}/installs/${app.client_id}`)
    await inFrame.evaluate('latchkey.renew()')
    t.match((await responses(inFrame, 2))[1], { error: 'interaction_required', canAsk: true })
  })

  test('after another user signed in, the app does not continue as that user', async (t, {
    page,
    context,
  }) => {
    await signedIn(page, ana)
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    t.match((await responses(app))[0], { connected: true, userId: ana.id })
    const other = await context.newPage()
    await signedIn(other, world.kim)
    await app.evaluate('latchkey.renew()')
    t.match((await responses(app, 2))[1], {
      connected: false,
      error: 'somebody_else',
      canAsk: false,
      retryIn: null,
    })
    t.equal(await app.evaluate('latchkey.accessToken()'), null, 'nor with the old token')
    await page.reload()
    t.match((await responses(await frameOf(page)))[0], { connected: true, userId: world.kim.id })
  })

  test('several tabs get tokens of their own', async (t, { page, context }) => {
    await signedIn(page, ana)
    const url = frame(legacy)
    const tabs = await Promise.all([1, 2, 3].map(() => context.newPage()))
    await Promise.all(tabs.map((tab) => tab.goto(url)))
    const apps = await Promise.all(tabs.map((tab) => frameOf(tab)))
    const firsts = await Promise.all(apps.map(async (app) => (await responses(app))[0]))
    t.equal(new Set(firsts.map((one) => one?.accessToken)).size, 3)
    await Promise.all(apps.map((app) => app.evaluate('latchkey.renew()')))
    await Promise.all(apps.map((app) => responses(app, 2)))
    for (const app of apps) t.equal((await told(app)).length, 2, 'each gets its own answer only')
  })

  test('a window that answers one tab sends nothing to the others', async (t, {
    page,
    context,
  }) => {
    const url = frame(legacy)
    const other = await context.newPage()
    await Promise.all([page, other].map((tab) => tab.goto(url)))
    const [mine, others] = [await frameOf(page), await frameOf(other)]
    await Promise.all([mine, others].map((app) => responses(app)))
    await signIn(await ask(context, mine), ana)
    t.match((await responses(mine, 2))[1], { connected: true })
    t.equal((await told(others)).length, 1)
    await others.evaluate('latchkey.renew()')
    t.match((await responses(others, 2))[1], { connected: true }, 'it only has to retry')
  })

  test('a code from a frame gives no refresh token', async (t, { page, context }) => {
    await signedIn(page, ana)
    const answers: string[] = []
    context.on('response', async (response) => {
      if (response.url() === `${issuer}/api/oauth/token`) answers.push(await response.text())
    })
    await page.goto(frame(current))
    const app = await frameOf(page)
    await responses(app)
    if ((await told(app)).some(([, value]) => (value as { canAsk?: boolean }).canAsk)) {
      await answer(await ask(context, app), 'approve')
      await responses(app, 2)
    }
    const body = JSON.parse(answers[0] ?? '{}')
    t.match(body, { access_token: String, expires_in: 3600, token_type: 'Bearer' })
    t.notOk('refresh_token' in body)
  })

  test('the platform detaches a frame and attaches it again', async (t, { page }) => {
    await signedIn(page, ana)
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    await responses(app)
    await page.evaluate('host.detach(); host.select(["unheard"])')
    await page.evaluate(
      `host = LatchkeyHost.attach(document.getElementById('app'), { appId: '${legacy.client_id}', organizationId: '${acme}' })`,
    )
    t.match((await responses(app, 2))[1], { connected: true })
    await page.evaluate('host.select(["heard"])')
    await hears(app, 3)
    t.same((await told(app))[2], ['onSelection', ['heard']])
  })

  test('the platform changes the organization while a token is requested', async (t, {
    page,
    context,
  }) => {
    await signedIn(page, ana)
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    await responses(app)
    const held: (() => Promise<void>)[] = []
    await context.route('**/oauth/authorize*', async (route) => {
      held.push(() => route.continue().catch(() => undefined))
    })
    await app.evaluate('latchkey.renew()')
    await page.waitForFunction('window.length === 2')
    await page.evaluate('host.detach()')
    await context.unroute('**/oauth/authorize*')
    await page.evaluate(
      `host = LatchkeyHost.attach(document.getElementById('app'), { appId: '${legacy.client_id}', organizationId: '${acme}' })`,
    )
    t.match(
      (await responses(app, 2))[1],
      { connected: true },
      'it asks for the current organization',
    )
    for (const go of held) await go()
    await page.evaluate('host.select(["heard"])')
    await hears(app, 3)
    t.same((await told(app))[2], ['onSelection', ['heard']])
  })

  test('an SDK that is closed before connecting asks for nothing more', async (t, { page }) => {
    await signedIn(page, ana)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    await responses(app)
    const tries = () => requested.filter((url) => url.includes('/oauth/authorize?')).length
    const before = tries()
    await page.evaluate(
      `searches = new Set()
       addEventListener('message', ({ data }) => {
         if (data.type === 'latchkey_hello') searches.add(data.nonce)
       })`,
    )
    await app.evaluate(
      `latchkey.close(); told = [];
       Latchkey.init({ appId: '${legacy.client_id}', onConnect: note('closed') }).close();
       Latchkey.init({ appId: '${legacy.client_id}', onConnect: note('open') })`,
    )
    await hears(app, 1)
    t.match(await told(app), [['open', { connected: true }]])
    t.equal((await told(app)).length, 1)
    t.equal(tries(), before + 1)
    t.equal(await page.evaluate('searches.size'), 1, 'only one has looked for the platform')
  })

  test('a closed SDK calls nothing', async (t, { page }) => {
    await signedIn(page, ana)
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    await responses(app)
    await app.evaluate('latchkey.close(); latchkey.renew()')
    await page.evaluate('host.select(["unheard"])')
    await page.evaluate('host.detach()')
    // Another frame of the same app gets its token later than this one would have.
    const later = await page.context().newPage()
    await later.goto(frame(legacy))
    await responses(await frameOf(later))
    t.equal((await told(app)).length, 1)
  })

  test('a disabled user gets no token, whatever the frame still holds', async (t, { page }) => {
    const email = 'leaves@acme.test'
    const created = await operator('POST', '/users', {
      email,
      name: 'Lou Able',
      password: ana.password,
    })
    await operator('PUT', `/organizations/${acme}/members/${created.body.id}`, { role: 'member' })
    await signedIn(page, { email, password: ana.password })
    await page.goto(frame(legacy))
    const app = await frameOf(page)
    t.match((await responses(app))[0], { connected: true })
    await operator('PATCH', `/users/${created.body.id}`, { disabled: true })
    await app.evaluate('latchkey.renew()')
    t.match((await responses(app, 2))[1], { error: 'login_required' })
  })

  test('a confidential legacy app needs no secret here', async (t, { page }) => {
    const app = await register({
      name: 'With a secret',
      interface: 'legacy',
      client_type: 'confidential',
    })
    await install(running, acme, app, { permissions: legacyPermissions })
    await signedIn(page, ana)
    await page.goto(frame(app))
    const [response] = await responses(await frameOf(page))
    t.match(response, { connected: true })
    const revoked = await post(`${issuer}/api/oauth/revoke`, {
      client_id: app.client_id,
      client_secret: app.client_secret,
      token: response?.accessToken,
    })
    t.equal(revoked.status, 200)
  })
})
