import type { Page } from 'playwright-core'
import { authorizeUrl, challengeOf, claimsOf, exchangeCode, newVerifier } from '../support/flows.ts'
import { currentPermissions, type TestApp } from '../support/world.ts'
import { answer, atApp, headingOf, inChromium, onlyThese, signIn, untick } from './scene.ts'

await inChromium('current interface in a browser', async (scene) => {
  const { running, world, app, current, lee, test, register } = scene
  const { issuer } = running
  const { acme, other, sales, support, ana, kim } = world

  const begin = async (page: Page, client: TestApp, more: Record<string, string> = {}) => {
    const verifier = newVerifier()
    const requested = { code_challenge: challengeOf(verifier), ...more }
    await page.goto(authorizeUrl(issuer, client, requested))
    return verifier
  }

  const tokensOf = async (page: Page, client: TestApp, verifier: string) => {
    await atApp(page, app)
    const code = app.last().get('code') ?? ''
    return (await exchangeCode(issuer, client, { code, verifier })).body
  }

  test('a wrong password, then the right one, a narrower consent, and back at the app', async (t, {
    page,
  }) => {
    const verifier = await begin(page, current)
    await signIn(page, { ...ana, password: 'wrong' })
    await page.waitForSelector('[role="alert"]')
    t.equal(await page.inputValue('input[name="email"]'), ana.email, 'no need to type it again')
    t.equal(await page.inputValue('input[name="password"]'), '')
    await page.fill('input[name="password"]', ana.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/interaction/*')
    t.match(await headingOf(page), 'Allow Report Builder to use Acme with your account?')
    await untick(page, 'permissions', 'records:create')
    await untick(page, 'workspace_ids', support)
    await answer(page, 'approve')
    const tokens = await tokensOf(page, current, verifier)
    t.equal(app.last().get('state'), 'the-state')
    t.equal(app.last().get('iss'), issuer)
    t.match(tokens, { scope: 'records:update workspace_members:read', workspace_ids: [sales] })
  })

  test('without any workspace ticked, the page shows the error and sends nothing', async (t, {
    page,
  }) => {
    await begin(page, current, { prompt: 'consent' })
    await signIn(page, ana)
    await page.waitForURL('**/interaction/*')
    for (const one of [sales, support]) await untick(page, 'workspace_ids', one)
    await untick(page, 'permissions', 'records:create')
    await answer(page, 'approve')
    await page.waitForSelector('[role="alert"]')
    await page.click('[role="alert"] a')
    t.equal(await page.evaluate('document.activeElement.id'), 'workspaces')
    t.notOk(
      await page.isChecked('input[name="permissions"][value="records:create"]'),
      'what was unticked stays so',
    )
  })

  test('a user with two organizations chooses one and switches to the other', async (t, {
    page,
  }) => {
    const verifier = await begin(page, current)
    await signIn(page, lee)
    await page.check(`input[name="organization_id"][value="${acme}"]`)
    await page.click('main form button.primary')
    await page.waitForSelector('button[name="decision"][value="approve"]')
    t.match(await headingOf(page), 'Acme')
    await page.getByRole('link', { name: 'Switch' }).click()
    await page.check(`input[name="organization_id"][value="${other}"]`)
    await page.click('main form button.primary')
    await page.waitForSelector('button[name="decision"][value="approve"]')
    t.match(await headingOf(page), 'Other')
    await answer(page, 'approve')
    t.equal((await tokensOf(page, current, verifier)).organization_id, other)
  })

  test('an admin installs with fewer permissions than requested', async (t, { page }) => {
    const fresh = await register({ name: 'Fresh' })
    const verifier = await begin(page, fresh)
    await signIn(page, kim)
    await page.waitForURL('**/interaction/*')
    t.equal(await headingOf(page), 'Install Fresh in Acme?')
    await untick(page, 'permissions', 'records:update')
    await onlyThese(page)
    await untick(page, 'workspace_ids', support)
    await answer(page, 'approve')
    await page.waitForSelector('h1:has-text("with your account")')
    t.equal(await page.locator('input[name="permissions"]').count(), 2)
    await answer(page, 'approve')
    const tokens = await tokensOf(page, fresh, verifier)
    t.match(tokens, { scope: 'records:create workspace_members:read', workspace_ids: [sales] })
    const path = `/organizations/${acme}/installs/${fresh.client_id}`
    const { body } = await running.operator('GET', path)
    t.same(body.workspace_ids.toSorted(), [sales, world.finance].toSorted())
  })

  test('a member asks an admin and returns to the app', async (t, { page }) => {
    const wanted = await register({ name: 'Wanted' })
    await begin(page, wanted)
    await signIn(page, ana)
    await page.fill('textarea[name="reason"]', 'for the monthly report')
    await answer(page, 'request')
    await page.waitForSelector('h1:has-text("Your request is with the admins")')
    await page.reload()
    t.match(await headingOf(page), 'Your request is with the admins')
    await answer(page, 'deny')
    await atApp(page, app)
    t.equal(app.last().get('error'), 'access_denied')
  })

  test('deny', async (t, { page }) => {
    await begin(page, current, { prompt: 'consent' })
    await signIn(page, ana)
    await answer(page, 'deny')
    await atApp(page, app)
    t.same(Object.fromEntries(app.last()), {
      error: 'access_denied',
      error_description: app.last().get('error_description'),
      state: 'the-state',
      iss: issuer,
    })
  })

  test('a remembered consent needs no click, also right after signing in', async (t, {
    page,
    context,
  }) => {
    await begin(page, current)
    await signIn(page, kim)
    await answer(page, 'approve')
    await atApp(page, app)
    app.arrivals.length = 0
    const verifier = await begin(page, current)
    const tokens = await tokensOf(page, current, verifier)
    t.equal(tokens.scope, currentPermissions.join(' '))
    t.equal(claimsOf(tokens.access_token).sub, kim.id)
    await context.clearCookies()
    app.arrivals.length = 0
    const again = await begin(page, current)
    await signIn(page, kim)
    t.ok((await tokensOf(page, current, again)).refresh_token, 'sign-in leads straight to the app')
  })

  test('form_post: the browser sends the response in a body', async (t, { page }) => {
    const verifier = await begin(page, current, { response_mode: 'form_post', prompt: 'consent' })
    await signIn(page, ana)
    await answer(page, 'approve')
    const tokens = await tokensOf(page, current, verifier)
    t.equal(tokens.organization_id, acme)
    t.equal(app.arrivals.at(-1)?.method, 'POST')
    t.equal(app.arrivals.at(-1)?.url.search, '')
  })

  test('a public app on this computer asks for consent every time', async (t, { page }) => {
    const native = await register({ name: 'Native', client_type: 'public' })
    await running.operator('PUT', `/organizations/${acme}/installs/${native.client_id}`, {
      permissions: currentPermissions,
      workspace_ids: null,
    })
    const first = await begin(page, native)
    await signIn(page, ana)
    await answer(page, 'approve')
    t.ok((await tokensOf(page, native, first)).refresh_token)
    await begin(page, native)
    t.match(await headingOf(page), 'Allow Native to use Acme')
  })
})
