/** From any page to what one looks for, by keyboard, with and without scripts. */
import { install } from '../support/world.ts'
import { look } from './looks.ts'
import { inChromium, signIn } from './scene.ts'

await inChromium('the search in the header', async ({ running, world, register, test }) => {
  const { issuer, operator } = running
  const { acme, kim } = world
  for (const name of ['Letter Press', 'Letter Box'])
    await install(running, acme, await register({ name }), { permissions: [] })
  await operator('POST', `/organizations/${acme}/workspaces`, { name: 'Letters' })
  const start = `${issuer}/organizations/${acme}/activity`

  test('by keyboard, while one types', async (t, { page }) => {
    await page.goto(start)
    await signIn(page, kim)
    await page.waitForSelector('#search-all')
    await page.keyboard.press('/')
    await page.keyboard.type('press letter')
    await page.waitForSelector('.search-all li')
    await page.keyboard.press('ArrowDown')
    await look(t, page, 'search-found-below')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:has-text("Letter Press")')
    await page.fill('#search-all', 'letter')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:has-text("3 results")')
    await look(t, page, 'search-found')
    await page.click('#search-all')
    await page.keyboard.type(' b')
    await page.waitForSelector('.search-all li')
    await page.keyboard.press('Escape')
    t.equal(await page.locator('.search-all li').count(), 0)
  })

  test(
    'without scripts',
    async (t, { page }) => {
      await page.goto(start)
      await signIn(page, kim)
      await page.fill('#search-all', 'LETTER pre')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search\?q=/)
      t.same(await page.locator('main th[scope=row] a').allInnerTexts(), ['Letter Press'])
    },
    { javaScriptEnabled: false },
  )
})
