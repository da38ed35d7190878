// Nightly: it opens every page.
/** Each page that an operator who is also an admin, an owner and a user reaches by links: axe in light, dark and forced colors. */
import type { Page } from 'playwright-core'
import { fillStock } from '../http/operator/catalogue.ts'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { sql } from '../support/traces.ts'
import { createApp, install } from '../support/world.ts'
import { axeFlaws } from './looks.ts'
import { onLocalhost, signIn } from './passkeys.ts'
import { press } from './press.ts'

/** What forced colors leave without an edge, and elements that show no focus. */
const unseen = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    const hasEdge = (one) => {
      const style = getComputedStyle(one)
      return ['Top', 'Bottom'].some((side) => parseFloat(style['border' + side + 'Width']) > 0 &&
        style['border' + side + 'Color'] !== style.backgroundColor) ||
        style.backgroundColor !== getComputedStyle(document.body).backgroundColor
    }
    const boxes = shown('button:not(.quiet, .link), .button, .badge, .notice, .chip, main.card, input:not([type=hidden]), textarea, select')
      .filter((one) => one.type !== 'checkbox' && one.type !== 'radio' && !one.closest('.unseen') && !hasEdge(one))
      .map((one) => 'without an edge: ' + one.outerHTML.slice(0, 120))
    const unfocused = shown('a[href], button, input:not([type=hidden]), select, textarea, summary').slice(0, 60).filter((one) => {
      one.focus({ focusVisible: true })
      if (document.activeElement !== one) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle === 'none' || parseFloat(outlineWidth) < 2
    }).map((one) => 'without a focus ring: ' + one.outerHTML.slice(0, 120))
    return [...boxes, ...unfocused]
  })()`)

/** Addresses of one kind of page have one shape. */
const shapeOf = (path: string) => {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const names = [...searchParams.keys()].sort()
  const parts = pathname
    .split('/')
    .map((part) =>
      /\d|[0-9A-Z]{6}/.test(decodeURIComponent(part)) && part.length > 9 ? '*' : part,
    )
  return [parts.join('/').replace(/^\/docs\/decisions\/.*/, '/docs/decisions/*'), ...names].join(
    ' ',
  )
}

const links = `[...document.querySelectorAll('a[href^="/"]')].map((one) => one.getAttribute('href'))`

await onLocalhost(
  'every page',
  async ({ running, issuer, databaseUrl, world, test }) => {
    const { operator } = running
    const { acme, kim, ana } = world
    const expect = async (status: number, method: string, path: string, body?: unknown) => {
      const answer = await operator(method, path, body)
      if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status}`)
      return answer.body
    }
    await fillStock({ expect, call: operator })
    await operator('PUT', `/users/${kim.id}/operator`, { permissions: ['*'] })
    const app = await createApp(running, { name: 'Owned', owners: [kim.id] })
    await install(running, acme, app)
    const wanted = await createApp(running, { name: 'Wanted' })
    await operator('POST', `/organizations/${acme}/key-sets`, {
      ...{ name: 'Export', interface: 'current', permissions: ['records:create'] },
    })
    const ask = (page: Page, which = app) =>
      page.goto(authorizeUrl(issuer, which, { code_challenge: challengeOf(newVerifier()) }))

    test('is for everybody', async (t, { page }) => {
      await ask(page, wanted)
      await signIn(page, ana)
      await press(page, 'button[value="request"]')
      await page.waitForSelector('h1:has-text("Your request")')
      await page.context().clearCookies()
      await ask(page)
      await signIn(page, kim)
      await page.waitForSelector('button[value="approve"]')
      const shown = `update sessions set methods = '{password,passkey}' where user_id = $1`
      await sql({ databaseUrl }, shown, [kim.id])
      const waiting = [
        '/',
        page.url(),
        '/login?again=confirm',
        '/activate',
        '/docs',
        '/nothing-here',
      ]
      const seen = new Set(waiting.map(shapeOf))
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        await page.goto(path)
        const flaws: string[] = []
        for (const [width, colorScheme] of [
          [360, 'light'],
          [1280, 'dark'],
        ] as const) {
          await page.setViewportSize({ width, height: 800 })
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          flaws.push(...(await axeFlaws(page)).map((one) => `${width} ${colorScheme}: ${one}`))
        }
        await page.emulateMedia({ forcedColors: 'active' })
        flaws.push(...(await unseen(page)))
        await page.emulateMedia({ forcedColors: 'none' })
        t.same(flaws, [], path)
        for (const link of await page.evaluate<string[]>(links)) {
          const shape = shapeOf(link)
          if (seen.has(shape) || /csv|\.(json|png|svg)\b/.test(link)) continue
          seen.add(shape)
          waiting.push(link)
        }
      }
      t.ok(seen.size > 100, `${seen.size} kinds of pages`)
    })
  },
  { onlyOn: 'embedded' },
)
