import type { Page } from 'playwright-core'
import { languages } from '../../src/core/language/languages.ts'
import { tagOf } from '../../src/words/locale.ts'
import { inChromium, signIn } from './scene.ts'

const minute = {
  ...({ year: 'numeric', month: 'long', day: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
}

/** Of the first time of the page. */
const timeOf = (page: Page) =>
  page.$eval('main time', (time) => ({
    iso: time.getAttribute('datetime') ?? '',
    words: time.textContent ?? '',
    title: time.getAttribute('title'),
  }))

await inChromium(
  'times in the zone of the reader',
  async ({ running, world, test }) => {
    const { issuer } = running
    const { acme, kim, confidential } = world
    const address = `${issuer}/organizations/${acme}/apps/${confidential.client_id}`

    for (const locale of languages)
      test(
        `in ${locale}, in the zone of the browser, and in UTC on demand`,
        async (t, { page }) => {
          await page.goto(address)
          await signIn(page, kim)
          await page.waitForSelector('.zone button:visible')
          const shown = await page.locator('.latest time').first().textContent()
          const iso = await page.locator('.latest time').first().getAttribute('datetime')
          const written = (timeZone: string) =>
            page.evaluate(
              ([date, tag, zone, form]) =>
                new Intl.DateTimeFormat(tag as string, {
                  ...(form as object),
                  timeZone: zone as string,
                }).format(new Date(date as string)),
              [iso, tagOf(locale), timeZone, minute] as const,
            )
          const [tokyo, utc] = [await written('Asia/Tokyo'), await written('UTC')]
          t.equal(shown, tokyo)
          t.equal(
            await page.locator('.latest time').first().getAttribute('title'),
            `${tokyo} · ${utc}`,
          )
          t.notMatch(await page.textContent('.zone span'), 'UTC')
          await page.click('.zone button')
          t.equal(await page.locator('.latest time').first().textContent(), utc)
          t.match(await page.textContent('.zone span'), 'UTC')
          await page.click('.zone button')
          t.equal(await page.locator('.latest time').first().textContent(), tokyo)
        },
        { locale, timezoneId: 'Asia/Tokyo' },
      )

    test(
      'without JavaScript in UTC, which the page says',
      async (t, { page }) => {
        await page.goto(address)
        await signIn(page, kim)
        const { iso, words, title } = await timeOf(page)
        t.equal(
          words,
          new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date(iso)),
        )
        t.match(title, / UTC$/)
        t.match(await page.textContent('.zone'), 'Times on this page: UTC.')
        t.equal(await page.locator('.zone button').isVisible(), false)
      },
      { javaScriptEnabled: false, timezoneId: 'Asia/Tokyo' },
    )
  },
  { onlyOn: 'embedded' },
)
