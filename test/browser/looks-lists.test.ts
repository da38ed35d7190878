import { install } from '../support/world.ts'
import { look } from './looks.ts'
import { inChromium, signIn } from './scene.ts'

await inChromium(
  'long lists',
  async ({ running, world, register, test }) => {
    const { issuer, operator } = running
    const { acme, kim } = world
    const apps = `${issuer}/organizations/${acme}/apps`
    for (let at = 1; at <= 30; at++) {
      const app = await register({ name: `Tool ${at}` })
      await install(running, acme, app, { permissions: [] })
      await operator('POST', `/organizations/${acme}/key-sets`, {
        name: `Set ${at}`,
        interface: 'current',
        permissions: [],
      })
    }

    test(
      'search and paging work without JavaScript',
      async (t, { page }) => {
        await page.goto(apps)
        await signIn(page, kim)
        await page.fill('#find', 'tool 29')
        await page.keyboard.press('Enter')
        await page.waitForURL(/name=tool/)
        t.same(await page.locator('.compare tbody th a').allInnerTexts(), ['Tool 29'])
        await page.click('a:has-text("Show all")')
        await page.waitForURL(apps)
        t.equal(await page.locator('.compare tbody tr').count(), 20)
        await page.click('a:has-text("Next page")')
        await page.waitForURL(/after=/)
        t.ok(await page.isVisible('.compare a:has-text("Tool 9")'))
        await page.click('a:has-text("First page")')
        await page.waitForURL(apps)
      },
      { javaScriptEnabled: false },
    )

    test('how they look', async (t, { page }) => {
      await page.goto(`${apps}?name=tool%202`)
      await signIn(page, kim)
      await page.waitForSelector('#find')
      await look(t, page, 'list-found')
      await page.goto(`${apps}?name=nothing`)
      await look(t, page, 'list-nothing-found')
      await page.goto(apps)
      await page.click('a:has-text("Next page")')
      await page.waitForURL(/after=/)
      await look(t, page, 'list-last-page')
      await page.setViewportSize({ width: 360, height: 740 })
      const shares = await page.evaluate<number[]>(`
        [...document.querySelectorAll('.compare td > .badge')].map(
          (badge) => badge.offsetWidth / badge.closest('tr').offsetWidth)`)
      t.ok(
        shares.length > 0 && shares.every((share) => share < 0.5),
        'a badge is as wide as its word',
      )
      await page.goto(`${issuer}/organizations/${acme}/keys`)
      await page.click('a:has-text("Next page")')
      await page.waitForURL(/after=/)
      await look(t, page, 'list-keys-last-page')
      await page.goto(`${issuer}/organizations/${acme}/keys?after=9999999999999999.z`)
      await look(t, page, 'list-end')
    })
  },
  { onlyOn: 'embedded' },
)
