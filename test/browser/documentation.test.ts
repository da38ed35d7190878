import type { Page } from 'playwright-core'
import { inChromium } from './scene.ts'

await inChromium(
  'the documentation',
  async ({ running, test }) => {
    const { issuer } = running
    const address = (name: string) => `${issuer}/docs${name && `/${name}`}`

    /** The body of every visible sample of a page. */
    const seen = (page: Page) => page.locator('.sample pre:visible').allInnerTexts()

    test('each reader’s start is one click from the first page', async (t, { page }) => {
      for (const name of ['for-apps', 'for-data-apis', 'for-web-apps', 'for-admins', 'operating']) {
        await page.goto(address(''))
        await page.click(`article a[href="/docs/${name}"]`)
        t.equal(new URL(page.url()).pathname, `/docs/${name}`)
        await page.setViewportSize({ width: 360, height: 740 })
        await page.click('.pages.folded summary')
        await page.click('.pages.folded a[href="/docs"]')
        t.equal(page.url(), address(''))
        await page.setViewportSize({ width: 1280, height: 900 })
      }
    })

    test('the copy button copies the sample as shown', async (t, { page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: issuer })
      await page.goto(address('for-apps/authorization-code'))
      const sample = page.locator('.sample:visible').first()
      await sample.locator('button').click()
      await sample.locator('button:has-text("Copied")').waitFor()
      t.equal(await page.locator('#copy-status').innerText(), 'Copied')
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      t.equal(copied, await sample.locator('code').textContent())
      t.match(copied, '. data/demo/app.env')
      await page.keyboard.press('Tab')
      await sample.locator('button:text-is("Copy")').waitFor()
    })

    test('on a small screen no button covers code and no short name is broken', async (t, {
      page,
    }) => {
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(address('for-apps/authorization-code'))
      const samples = await page.locator('.sample:visible').all()
      t.ok(samples.length > 5)
      for (const sample of samples) {
        const button = await sample.locator('.copy').boundingBox()
        const code = await sample.locator('code').boundingBox()
        t.ok(button && code && button.y + button.height <= code.y, await sample.innerText())
      }
      await page.goto(address('for-apps'))
      const name = page.locator('td code:text-is("client_credentials")').first()
      t.equal(await name.evaluate((one) => one.getClientRects().length), 1, 'in one line')
    })

    test('a language is chosen once for all samples and the next page', async (t, { page }) => {
      await page.goto(address('for-apps/authorization-code'))
      const first = page.locator('.example').first()
      const of = (language: string) =>
        page.locator(`.example [data-language="${language}"]:visible`)
      const having = (language: string) =>
        page.locator(`.example:has(input[value="${language}"])`).count()
      const count = await having('python')
      t.ok(count > 4, `${count} examples`)
      t.equal(await of('sh').count(), await having('sh'), 'curl comes first')
      t.equal(await of('python').count(), 0)
      await first.locator('label:has-text("Python")').click()
      t.equal(await of('python').count(), count)
      const others = page.locator('.example:not(:has(input[value="python"]))')
      t.equal(await of('sh').count(), await others.count(), 'without Python')
      await page.keyboard.press('ArrowLeft')
      t.equal(await of('js').count(), await having('js'), 'also with the keyboard')
      await page.reload()
      t.equal(await of('js').count(), await having('js'), 'remembered')
    })

    test(
      'without scripts each language can be chosen and all text is present',
      async (t, { page }) => {
        await page.goto(address('for-apps/authorization-code'))
        t.equal(await page.locator('.sample button').count(), 0, 'no button without a function')
        const samples = await seen(page)
        t.ok(samples.length > 5 && samples.every((one) => one.trim() !== ''))
        const first = page.locator('.example').first()
        await first.locator('label:has-text("Node")').click()
        t.equal(await first.locator('[data-language="js"]:visible').count(), 1)
        t.equal(await first.locator('[data-language="sh"]:visible').count(), 0)
        await page.emulateMedia({ media: 'print' })
        const all = await page.locator('.example').first().locator('pre:visible').count()
        t.equal(all, await first.locator('pre').count(), 'all languages are printed')
      },
      { javaScriptEnabled: false },
    )

    test('headings can be linked, and the contents link to them', async (t, { page }) => {
      await page.setViewportSize({ width: 1400, height: 900 })
      await page.goto(address('operating'))
      const link = page.locator('.contents.column a').nth(5)
      const anchor = await link.getAttribute('href')
      await link.click()
      t.equal(new URL(page.url()).hash, anchor)
      await page.locator(`article [id="${anchor?.slice(1)}"]`).waitFor()
      const top = await page.evaluate<number>(
        `document.getElementById(${JSON.stringify(anchor?.slice(1))}).getBoundingClientRect().top`,
      )
      t.ok(top >= 0 && top < 900, 'in view')
    })
  },
  { onlyOn: 'embedded' },
)
