/** What a person sees in the first five seconds of a decision: who asks, what, where, and how to undo it. */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { install } from '../support/world.ts'
import { answer, atApp, inChromium, onlyThese, signIn } from './scene.ts'

const widths = [360, 768, 1280]
const records = ['records:create', 'records:update', 'records:delete']

/** True for an element that is whole in the window before any scrolling. */
const isInSight = (page: Page, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const one = document.querySelector(${JSON.stringify(selector)})
    if (!one) return false
    const { top, bottom, left, right } = one.getBoundingClientRect()
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
  })()`)

/** Presses Tab until the element has the focus. */
const tabTo = async (page: Page, selector: string) => {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`Tab does not reach ${selector}`)
}

const glance = async (t: Test, page: Page, undo: string) => {
  const parts = ['.app-name', 'h1', '.summary', '[value="approve"]', '[value="deny"]', undo]
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
    await page.evaluate('scrollTo(0, 0)')
    for (const part of parts)
      t.ok(await isInSight(page, part), `${part} is in sight at ${width} px`)
    const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    t.notOk(await page.evaluate(overflows), `nothing is too wide at ${width} px`)
  }
  t.match(await page.innerText('h1'), /\?$/, 'the heading is the question')
}

await inChromium(
  'decisions at a glance',
  async ({ running, world, app: loopback, test, register }) => {
    const { issuer, operator } = running
    const { acme, ana, kim } = world
    const urlOf = (app: Parameters<typeof authorizeUrl>[1], more: Record<string, string> = {}) =>
      authorizeUrl(issuer, app, {
        code_challenge: challengeOf(newVerifier()),
        prompt: 'consent',
        ...more,
      })

    test('an install and a consent', async (t, { page }) => {
      const app = await register({
        name: 'Report Builder',
        publisher: 'Northwind',
        permissions: records,
      })
      await page.goto(urlOf(app))
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Install Report Builder in Acme?")')
      await glance(t, page, `.decide a[href="/organizations/${acme}/apps"]`)
      const sum =
        'Can read everything, and create, update and delete records in all workspaces. This is the whole request.'
      t.equal(await page.innerText('.summary'), sum)
      t.match(await page.innerText('main .app'), 'by Northwind')
      t.match(await page.innerText('fieldset .tick'), /^Delete records\s+data can be lost/)
      t.equal(await page.locator('[disabled]').count(), 0, 'no box contradicts itself')
      t.notOk(await page.isVisible('.options'), 'no list without the choice')
      await onlyThese(page)
      t.ok(await page.isVisible('.options'))
      const less = 'Only what is ticked below.'
      t.equal(await page.innerText('.summary'), less)
      await page.check('input[name="workspace_ids"][value="*"]')
      t.equal(await page.innerText('.summary'), sum, 'all is ticked again')
      await page.uncheck('[value="records:delete"]')
      t.equal(await page.innerText('.summary'), less)
      await page.check('[value="records:delete"]')
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("with your account?")')
      await glance(t, page, '.decide a[href="/account/apps"]')
      const some = await page.innerText('.summary')
      t.match(some, /^Can read everything, and create, update and delete records in 2 work/)
      for (const box of ['[name="permissions"]', '[name="later_workspaces"]']) {
        await page.uncheck(`${box} >> nth=0`)
        t.equal(await page.innerText('.summary'), less, box)
        await page.check(`${box} >> nth=0`)
      }
      await page.uncheck('.options input >> nth=0')
      t.notOk(await page.isVisible('.later'), 'a list of some has no future ones')
      t.equal(await page.innerText('.summary'), less)
    })

    test('the legacy interface, and an app that cannot be recognised', async (t, { page }) => {
      const sheets = await register({ name: 'Sheets', interface: 'legacy' })
      await page.goto(legacyAuthorizeUrl(issuer, sheets))
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Install Sheets")')
      await glance(t, page, '.decide a')
      t.match(await page.innerText('.summary'), /^Can read everything, and .* in Acme\./)

      const redirect = 'com.example.app:/back'
      const native = { client_type: 'public', redirect_uris: [redirect], permissions: records }
      const app = await register({ name: 'Native', reviewed: true, ...native })
      await install(running, acme, app, { permissions: records })
      await page.goto(urlOf(app, { redirect_uri: redirect }))
      await page.waitForSelector('h1:has-text("with your account?")')
      const first = await page.evaluate(
        'document.querySelector("main").firstElementChild.innerText',
      )
      t.match(first, 'We cannot verify that this app sent the request.')
      t.notMatch(await page.innerText('main'), 'Reviewed')
      await glance(t, page, '.decide a')
    })

    test('an install and a consent by keyboard alone', async (t, { page }) => {
      const app = await register({ name: 'Keys Only', permissions: records })
      await page.goto(urlOf(app))
      await signIn(page, kim)
      await page.waitForSelector('.decide')
      await tabTo(page, '[name="permissions"][value="records:delete"]')
      await page.keyboard.press('Space')
      await tabTo(page, '[name="workspace_ids"][value="*"]')
      await page.keyboard.press('ArrowDown')
      await tabTo(page, '.options input')
      await page.keyboard.press('Space')
      await tabTo(page, '[value="approve"]')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:has-text("with your account?")')
      const installed = `/organizations/${acme}/installs/${app.client_id}`
      const { permissions, workspace_ids } = (await operator('GET', installed)).body
      t.same(permissions, ['records:create', 'records:update'])
      t.ok(Array.isArray(workspace_ids) && workspace_ids.length > 0, 'only these workspaces')
      await tabTo(page, '[name="permissions"][value="records:update"]')
      await page.keyboard.press('Space')
      await tabTo(page, '[value="approve"]')
      await page.keyboard.press('Enter')
      await atApp(page, loopback)
      t.ok(new URL(page.url()).searchParams.get('code'))
    })

    test('the bar with the buttons hides nothing that has the focus', async (t, { page }) => {
      const permissions = [...records, 'documents:read', 'table:create', 'table:modify']
      const app = await register({ name: 'Long', permissions })
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(urlOf(app))
      await signIn(page, kim)
      await page.waitForSelector('.decide')
      const seen: string[] = []
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab')
        const state = await page.evaluate<{ what: string; hidden: boolean } | null>(`(() => {
          const one = document.activeElement
          if (!one || !one.closest('main form:not([action="/logout"])')) return null
          const bar = document.querySelector('.decide')
          const hidden = !bar.contains(one)
            && one.getBoundingClientRect().bottom > bar.getBoundingClientRect().top
          return { what: one.value ?? one.textContent, hidden }
        })()`)
        if (!state) continue
        seen.push(state.what)
        t.notOk(state.hidden, state.what)
      }
      t.ok(seen.includes('records:delete') && seen.includes('approve'), 'all were reached')
    })

    test('who was told, a link to send on, and one action', async (t, { page }) => {
      const app = await register({ name: 'Wanted' })
      await page.goto(urlOf(app))
      await signIn(page, ana)
      await page.waitForSelector('h1:has-text("Ask an admin to install Wanted in Acme?")')
      await answer(page, 'request')
      await page.waitForSelector('#request-link')
      t.equal(await page.locator('main .primary').count(), 1)
      t.match(await page.innerText('main'), 'will find it under the apps of the organization.')
      const link = await page.inputValue('#request-link')
      t.ok(link.startsWith(`${issuer}/`))
      await page.context().clearCookies()
      await page.goto(link)
      await signIn(page, kim)
      await page.waitForSelector('h1')
      t.match(await page.innerText('main'), 'Wanted', 'an admin who opens it sees the request')
    })
  },
  { onlyOn: 'embedded' },
)
