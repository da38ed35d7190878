import type { Page } from 'playwright-core'
import { authorizeUrl, challengeOf, exchangeCode, newVerifier } from '../support/flows.ts'
import { answer, atApp, headingOf, inChromium, signIn, untick } from './scene.ts'

await inChromium('without scripts and without a mouse', async (scene) => {
  const { running, world, app, current, lee, test, register } = scene
  const { issuer } = running
  const { acme, kim, support } = world
  const verifier = newVerifier()
  const requested = { code_challenge: challengeOf(verifier), prompt: 'consent' }

  const tokensOf = async (page: Page, client = current) => {
    await atApp(page, app)
    const code = app.last().get('code') ?? ''
    return (await exchangeCode(issuer, client, { code, verifier })).body
  }

  test(
    'without JavaScript a user signs in, chooses, installs, approves, and the response comes in a body',
    async (t, { page }) => {
      const fresh = await register({ name: 'Plain' })
      await page.goto(authorizeUrl(issuer, fresh, { ...requested, response_mode: 'form_post' }))
      await signIn(page, lee)
      await page.check(`input[name="organization_id"][value="${acme}"]`)
      await page.click('main form button.primary')
      await page.waitForSelector('h1:has-text("Install Plain in Acme?")')
      await untick(page, 'permissions', 'records:create')
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("Allow Plain to use Acme")')
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("Back to the app")')
      await page.click('button')
      const tokens = await tokensOf(page, fresh)
      t.equal(tokens.scope, 'records:update workspace_members:read')
    },
    { javaScriptEnabled: false },
  )

  /** Presses Tab until this has the focus; fails if it never does. */
  const tabTo = async (page: Page, selector: string) => {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    }
    throw new Error(`no way to ${selector} by the Tab key`)
  }

  test('the keyboard alone is enough: Tab, Space and Enter', async (t, { page }) => {
    await page.goto(authorizeUrl(issuer, current, requested))
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.name'), 'email', 'past the header')
    await page.keyboard.type(lee.email)
    await tabTo(page, 'input[name="password"]')
    await page.keyboard.type(lee.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:has-text("Where do you want to use")')
    await tabTo(page, 'input[name="organization_id"]')
    await page.keyboard.press('Space')
    const first = await page.inputValue('input[name="organization_id"]:checked')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('button[value="approve"]')
    await tabTo(page, 'input[name="permissions"][value="records:update"]')
    await page.keyboard.press('Space')
    await tabTo(page, 'button[value="approve"]')
    await page.keyboard.press('Enter')
    const tokens = await tokensOf(page)
    t.equal(tokens.organization_id, first)
    t.equal(tokens.scope, 'records:create workspace_members:read')
  })

  test('with the keyboard alone a user denies, and asks the admins', async (t, { page }) => {
    await page.goto(authorizeUrl(issuer, current, requested))
    await page.focus('input[name="email"]')
    await page.keyboard.type(kim.email)
    await tabTo(page, 'input[name="password"]')
    await page.keyboard.type(kim.password)
    await tabTo(page, 'button')
    await page.keyboard.press('Space')
    await page.waitForSelector('button[value="deny"]')
    await tabTo(page, `input[name="workspace_ids"][value="${support}"]`)
    await tabTo(page, 'button[value="deny"]')
    await page.keyboard.press('Enter')
    await atApp(page, app)
    t.equal(app.last().get('error'), 'access_denied')
    await page.goBack()
    t.equal(await headingOf(page), 'You have already done this')
  })
})
