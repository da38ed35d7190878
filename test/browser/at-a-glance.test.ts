/** What a person sees in the first five seconds of a decision: who asks, what, where, and how to undo it. */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { beginDevice } from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { install } from '../support/world.ts'
import { firstWords } from './first-words.ts'
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

/** Waits until the sentence follows the boxes. */
const says = async (t: Test, page: Page, words: string) => {
  await eventually(async () => (await page.innerText('.summary')).trim() === words)
  t.equal(await page.innerText('.summary'), words)
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
      const all = 'Can read everything, and create, update and delete records in all workspaces.'
      await says(t, page, all.replace('all workspaces', '3 workspaces'))
      await page.check('input[name="workspace_ids"][value="*"]')
      await says(t, page, all)
      await page.uncheck('[value="records:delete"]')
      await says(t, page, 'Can read everything, and create and update records in all workspaces.')
      await page.check('[value="records:delete"]')
      await says(t, page, all)
      t.match(await page.innerText('.bounds'), 'For everyone in Acme')
      await page.check('[name="who"][value="me"]')
      t.notMatch(await page.innerText('.bounds'), 'everyone')
      await page.check('[name="who"][value="everyone"]')
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("with your account?")')
      await glance(t, page, '.decide a[href="/account/apps"]')
      const some = await page.innerText('.summary')
      t.match(some, /^Can read everything, and create, update and delete records in 2 work/)
      await page.uncheck('.options input >> nth=0')
      t.notOk(await page.isVisible('.later'), 'a list of some has no future ones')
      await says(t, page, all.replace('all workspaces', '1 workspace'))
    })

    test('what, where, how long and how to stop it, before any link', async (t, { page }) => {
      const about = { publisher: 'Northwind', reviewed: true, permissions: records }
      const legal = { policy_uri: 'https://northwind.example/privacy' }
      const app = await register({ name: 'Report Builder', ...about, ...legal })
      const [what, where] = [/create, update and delete records/, /in (all|\d) workspaces?|in Acme/]
      const expected = async (name: string, ...more: RegExp[]) => {
        const words = await firstWords(page)
        for (const part of [what, where, /No end date/, ...more]) t.match(words, part, name)
      }
      await page.goto(urlOf(app))
      await signIn(page, ana)
      await page.waitForSelector('textarea')
      await expected('ask', /withdraw the request any time/)
      await page.context().clearCookies()
      await page.goto(urlOf(app))
      await signIn(page, kim)
      await page.waitForSelector('.decide')
      await expected('install', /For everyone in Acme/, /Remove any time under Apps/)
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("with your account?")')
      await expected('consent', /Disconnect any time under Connected apps/)
      const { client_id } = app
      await page.goto(`${issuer}/organizations/${acme}/apps/${client_id}/change`)
      await expected('narrow', /\d of \d people/, /Suspend or uninstall it any time/)
      const terminal = await register({
        ...{ name: 'Terminal', client_type: 'public', device_flow: true, permissions: records },
      })
      await install(running, acme, terminal, { permissions: records })
      const { user_code } = (await beginDevice(issuer, terminal)).body
      await page.goto(`${issuer}/activate?user_code=${user_code}`)
      await page.click('main form:not([action="/logout"]) button')
      await page.waitForSelector('.decide')
      await expected('device', /Disconnect any time under Connected apps/)
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

    test('two of 60 workspaces, by mouse and by keyboard', async (t, { page }) => {
      for (let at = 0; at < 57; at++)
        await operator('POST', `/organizations/${acme}/workspaces`, { name: `Team ${at}` })
      const [mouse, keys] = [await register({ name: 'Mouse' }), await register({ name: 'Keys' })]
      const approvedOf = async ({ client_id }: typeof mouse) =>
        (await operator('GET', `/organizations/${acme}/installs/${client_id}`)).body.workspace_ids
      await page.goto(urlOf(mouse))
      await signIn(page, kim)
      await page.waitForSelector('.decide')
      let clicks = 0
      const click = async (selector: string) => {
        clicks++
        await page.click(selector)
      }
      await click('input[name="workspace_ids"][value=""]')
      await click('.sift input')
      await page.keyboard.type('Team 31')
      await click('.options li:not([hidden]) input')
      await page.fill('.sift input', '')
      await click('.sift input')
      await page.keyboard.type('Team 42')
      await click('.options li:not([hidden]) input')
      t.equal(await page.locator('.chip').count(), 2, 'both stay in sight')
      await click('[value="approve"]')
      await page.waitForSelector('h1:has-text("with your account?")')
      t.ok(clicks <= 6, `${clicks} clicks`)
      t.equal((await approvedOf(mouse)).length, 2)

      await page.goto(urlOf(keys))
      await page.waitForSelector('.decide')
      let tabs = 0
      const tabUntil = async (selector: string) => {
        while (
          !(await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`))
        ) {
          await page.keyboard.press('Tab')
          if (++tabs > 60) throw new Error(`Tab does not reach ${selector}`)
        }
      }
      await tabUntil('[name="workspace_ids"][value="*"]')
      await page.keyboard.press('ArrowDown')
      await tabUntil('.sift input')
      for (const name of ['Team 31', 'Team 42']) {
        await page.keyboard.type(name)
        await page.keyboard.press('Enter')
      }
      await page.keyboard.type('Team 42')
      await tabUntil('[value="approve"]')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:has-text("with your account?")')
      t.ok(tabs <= 20, `${tabs} Tabs`)
      t.equal((await approvedOf(keys)).length, 2)

      await page.goto(urlOf(keys))
      await page.waitForSelector('.decide')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      t.equal(await page.evaluate('document.activeElement.value'), 'approve', 'to the buttons')
    })
  },
  { onlyOn: 'embedded' },
)
