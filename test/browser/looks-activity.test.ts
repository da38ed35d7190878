import type { Page } from 'playwright-core'
import { languageNames, languages } from '../../src/core/language/languages.ts'
import { clientCredentials, currentCode, exchangeCode } from '../support/flows.ts'
import { createApp, install } from '../support/world.ts'
import { look } from './looks.ts'
import { inChromium, signIn } from './scene.ts'

/** Words of names in a table that stand on two lines. */
const brokenWords = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('.chart tbody bdi')].flatMap(({ firstChild }) =>
      [...firstChild.data.matchAll(/(?<!\\S)\\S{2,20}(?!\\S)/g)].flatMap(({ index, 0: word }) => {
        const range = document.createRange()
        range.setStart(firstChild, index)
        range.setEnd(firstChild, index + word.length)
        return range.getClientRects().length > 1 ? [word] : []
      }))`)

/** Labels of the time axis that touch another one. */
const touchingLabels = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const labels = [...document.querySelectorAll('.strip-axis text')]
    const boxes = labels.map((one) => one.getBoundingClientRect())
    return labels.flatMap((label, at) => boxes.some((box, other) => other !== at &&
      box.left < boxes[at].right + 4 && box.right + 4 > boxes[at].left &&
      box.top < boxes[at].bottom && box.bottom > boxes[at].top) ? [label.textContent] : [])
  })()`)

await inChromium('activity of an organization', async ({ running, world, test }) => {
  const { issuer, operator } = running
  const { acme, ana, kim, confidential } = world
  const address = `${issuer}/organizations/${acme}/activity`

  const names = ['x'.repeat(100), 'A name of many words '.repeat(4).trim(), 'مثال', '<b>']
  for (const name of names) {
    const app = await createApp(running, { name })
    await install(running, acme, app)
    await clientCredentials(issuer, app, acme)
    const keySet = { name, interface: 'current', permissions: [] }
    await operator('POST', `/organizations/${acme}/key-sets`, keySet)
  }
  const grant = await currentCode(running, confidential, ana)
  await exchangeCode(issuer, confidential, grant)
  await exchangeCode(issuer, confidential, grant)

  const open = async (page: Page, search = '') => {
    await page.goto(address + search)
    await signIn(page, kim)
    await page.waitForSelector('h1:has-text("What happened")')
  }

  test('charts and trail', async (t, { page }) => {
    await open(page)
    const drawn = () => page.locator('.plot-area rect').count()
    for (let tries = 0; tries < 600 && (await drawn()) < 5; tries++) {
      await page.waitForTimeout(500) // Counts are written every ten seconds.
      await page.reload()
    }
    t.ok(await page.isVisible('.plot-area'))
    await look(t, page, 'activity')
    const area = await page.locator('.plot-area').boundingBox()
    const bars = await page.locator('.plot-area rect').all()
    t.equal(bars.length, 5, 'a bar for each app of today')
    for (const bar of bars) {
      const box = await bar.boundingBox()
      const inside =
        box &&
        area &&
        box.height > 0 &&
        box.y >= area.y - 1 &&
        box.x + box.width <= area.x + area.width + 1
      t.ok(inside, 'bars stay inside the chart')
    }
    await page.click('#tokens >> xpath=ancestor::figure >> summary')
    t.equal(await page.locator('.whole tbody td').count(), 5, 'the same in a table')
  })

  for (const locale of languages) {
    test(
      `the chart of secrets on a phone, in ${languageNames[locale]}`,
      async (t, { page }) => {
        await page.goto(address)
        await signIn(page, kim)
        await page.click('#secrets >> xpath=ancestor::figure >> summary')
        t.equal(await page.getAttribute('html', 'lang'), locale)
        t.same(await touchingLabels(page), [])
        t.same(await brokenWords(page), [])
      },
      { locale, viewport: { width: 360, height: 740 } },
    )
  }

  test('a filter, its faults, and a download', async (t, { page }) => {
    await open(page)
    t.ok(await page.isVisible('#group'), 'the filter is in sight')
    await page.selectOption('#group', 'access')
    await page.click('.filter button.primary')
    await page.waitForURL('**/activity?group=access*')
    t.equal(await page.locator('figure').count(), 0)
    await page.locator('.trail summary').first().click()
    await look(t, page, 'activity-filtered')
    await page.click('.filter summary')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.filter button[value="csv"]'),
    ])
    t.match(download.suggestedFilename(), new RegExp(`^activity-${acme}-.*\\.csv$`))
    await page.fill('#from', '2026-05-04')
    await page.fill('#to', '2026-05-03')
    await page.click('.filter button.primary')
    await page.waitForSelector('[role="alert"]')
    await page.click('[role="alert"] a')
    t.equal(await page.evaluate('document.activeElement.id'), 'to')
    await look(t, page, 'activity-faults')
  })
})
