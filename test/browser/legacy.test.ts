import type { Page } from 'playwright-core'
import { claimsOf, legacyAuthorizeUrl, legacyToken } from '../support/flows.ts'
import { legacyPermissions, type TestApp } from '../support/world.ts'
import { answer, atApp, headingOf, inChromium, signIn, untick } from './scene.ts'

await inChromium('legacy interface in a browser', async (scene) => {
  const { running, world, app, legacy, test, register } = scene
  const { issuer } = running
  const { acme, ana, kim } = world

  const begin = (page: Page, client: TestApp, more: Record<string, string> = {}) =>
    page.goto(legacyAuthorizeUrl(issuer, client, more))

  const tokensOf = async (page: Page, client: TestApp) => {
    await atApp(page, app)
    const code = app.last().get('code') ?? ''
    return (await legacyToken(issuer, client, { grant_type: 'authorization_code', code })).body
  }

  /**
   * The implicit response stays in the browser: the app's page reads it, the app's server never
   * sees it.
   */
  const fragmentOf = async (page: Page) => {
    await atApp(page, app)
    return new URLSearchParams(new URL(page.url()).hash.slice(1))
  }

  test('a user signs in, approves fewer permissions, and the app gets a code', async (t, {
    page,
  }) => {
    await begin(page, legacy)
    await signIn(page, ana)
    await page.waitForURL('**/interaction/*')
    t.equal(await page.locator('input[name="workspace_ids"]').count(), 0)
    await untick(page, 'permissions', 'deleteData')
    await answer(page, 'approve')
    t.equal((await tokensOf(page, legacy)).scope, 'readData insertData')
    t.equal(app.last().get('state'), 'the-state')
  })

  test('an approved organization in the request returns at once', async (t, { page }) => {
    await begin(page, legacy, { organization_id: acme })
    await signIn(page, kim)
    t.equal((await tokensOf(page, legacy)).scope, legacyPermissions.join(' '))
    await begin(page, legacy, { organization_id: acme, force_prompt: 'yes' })
    t.match(await headingOf(page), 'Allow Sheet Sync to use Acme')
    await answer(page, 'approve')
    t.ok((await tokensOf(page, legacy)).refresh_token)
  })

  test('implicit: the token is in the fragment', async (t, { page }) => {
    const viewer = await register({
      name: 'Viewer',
      interface: 'legacy',
      client_type: 'public',
    })
    await running.operator('PUT', `/organizations/${acme}/installs/${viewer.client_id}`, {
      permissions: legacyPermissions,
      workspace_ids: null,
    })
    await begin(page, viewer, { response_type: 'token' })
    await signIn(page, ana)
    await answer(page, 'approve')
    const fragment = await fragmentOf(page)
    t.match(Object.fromEntries(fragment), {
      token_type: 'bearer',
      expires_in: '7200',
      scope: legacyPermissions.join(' '),
      state: 'the-state',
    })
    t.equal(claimsOf(fragment.get('access_token') ?? '').sub, ana.id)
    t.equal(app.arrivals.at(-1)?.url.search, '', 'no server receives any part of it')

    await begin(page, viewer, { response_type: 'token', force_prompt: '1' })
    await answer(page, 'deny')
    await page.waitForURL(/#error=/)
    t.equal((await fragmentOf(page)).get('error'), 'access_denied')
    t.equal((await fragmentOf(page)).get('state'), 'the-state')
  })

  test('an admin installs an app that a member requested', async (t, { page }) => {
    const fresh = await register({ name: 'Fresh Sheets', interface: 'legacy' })
    await begin(page, fresh)
    await signIn(page, ana)
    await answer(page, 'request')
    await page.waitForSelector('h1:has-text("Your request is with the admins")')
    await page.goto(`${issuer}/logout`)
    await page.click('main form button.primary')
    await page.waitForSelector('h1:has-text("You are signed out")')

    await begin(page, fresh)
    await signIn(page, kim)
    await page.waitForURL('**/interaction/*')
    t.equal(await headingOf(page), 'Install Fresh Sheets in Acme?')
    await untick(page, 'permissions', 'insertData')
    await answer(page, 'approve')
    await page.waitForSelector('h1:has-text("with your account")')
    await answer(page, 'approve')
    t.equal((await tokensOf(page, fresh)).scope, 'readData deleteData')
  })
})
