import { createApp } from '../support/world.ts'
import { look } from './looks.ts'
import { byPassword, onLocalhost } from './passkeys.ts'
import { press } from './press.ts'

await onLocalhost(
  'pages in other languages',
  async ({ running, world: { acme, kim, zoe }, test }) => {
    const phone = { viewport: { width: 360, height: 740 } }
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

    test(
      'an address among Arabic words begins where they begin',
      async (t, { page }) => {
        await page.setExtraHTTPHeaders({ 'accept-language': 'ar' })
        await byPassword(page, kim, `/organizations/${acme}/members`)
        const [name, address] = await page.evaluate<number[]>(`
          ['a', '.hint'].map((one) => {
            const range = document.createRange()
            range.selectNodeContents(document.querySelector('tbody th ' + one))
            return Math.round(range.getBoundingClientRect().right)
          })`)
        t.equal(address, name)
        await page.goto('/nowhere')
        const direction = 'getComputedStyle(document.querySelector(".reference .code")).direction'
        t.equal(await page.evaluate(direction), 'ltr', 'an id ends with its last character')
      },
      phone,
    )

    test(
      'a line of Japanese ends between phrases',
      async (t, { page }) => {
        await page.setExtraHTTPHeaders({ 'accept-language': 'ja' })
        await createApp(running, { name: 'Letters', listed: true })
        await byPassword(page, kim, `/organizations/${acme}/directory`)
        const lines = await page.evaluate<number>(`(() => {
          const words = [...document.querySelector('h1').childNodes].find((one) =>
            one.textContent.includes('インストール'))
          const range = document.createRange()
          const at = words.textContent.indexOf('インストール')
          range.setStart(words, at)
          range.setEnd(words, at + 6)
          return range.getClientRects().length
        })()`)
        t.equal(lines, 1)
      },
      phone,
    )

    test('a user changes the language in the footer', async (t, { page }) => {
      await byPassword(page, zoe)
      await page.goto('/account/sessions')
      await page.selectOption('#page-language', 'ar')
      await press(page, 'footer .language button')
      await page.waitForSelector('html[lang=ar]')
      t.equal(new URL(page.url()).pathname, '/account/sessions')
      t.equal(await page.getAttribute('html', 'dir'), 'rtl')
    })
  },
  { onlyOn: 'embedded' },
)
