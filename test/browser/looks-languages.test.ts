import { look } from './looks.ts'
import { byPassword, onLocalhost } from './passkeys.ts'
import { press } from './press.ts'

await onLocalhost(
  'pages in other languages',
  async ({ world: { zoe }, test }) => {
    for (const [language, direction] of [
      ['de', 'ltr'],
      ['ja', 'ltr'],
      ['ar', 'rtl'],
    ] as const)
      test(`sign-in and account in ${language}`, async (t, { page }) => {
        const root = (name: string) => page.getAttribute('html', name)
        await page.setExtraHTTPHeaders({ 'accept-language': language })
        await page.goto('/login')
        t.equal(await root('lang'), language)
        t.equal(await root('dir'), direction)
        await look(t, page, `sign-in-${language}`)
        await byPassword(page, zoe)
        await page.goto('/account/apps')
        await look(t, page, `apps-${language}`)
        await page.goto('/account/sessions')
        await look(t, page, `sessions-${language}`)
      })

    test('a user changes the language in the footer', async (t, { page }) => {
      await byPassword(page, zoe)
      await page.goto('/account/sessions')
      await page.selectOption('#page-language', 'ar')
      await press(page, 'footer button')
      await page.waitForSelector('html[lang=ar]')
      t.equal(new URL(page.url()).pathname, '/account/sessions')
      t.equal(await page.getAttribute('html', 'dir'), 'rtl')
    })
  },
  { onlyOn: 'embedded' },
)
