import { inChromium, signIn } from './scene.ts'

await inChromium(
  'a password can be shown while it is typed',
  async ({ running, world, test }) => {
    const { issuer } = running

    test('the box shows the characters, and the form sends a password field', async (t, {
      page,
    }) => {
      await page.goto(`${issuer}/login`)
      await page.fill('#password', 'correct horse')
      const type = () => page.getAttribute('#password', 'type')
      t.equal(await type(), 'password')
      await page.check('[data-shows]')
      t.equal(await type(), 'text')
      await page.uncheck('[data-shows]')
      t.equal(await type(), 'password')
      await page.check('[data-shows]')
      await signIn(page, world.ana)
      await page.waitForSelector('nav .who')
      await page.goto(`${issuer}/account/password`)
      await page.check('[data-shows]')
      for (const field of ['#current_password', '#new_password'])
        t.equal(await page.getAttribute(field, 'type'), 'text', field)
    })

    test(
      'without JavaScript there is no box',
      async (t, { page }) => {
        await page.goto(`${issuer}/login`)
        t.notOk(await page.isVisible('[data-shows]'))
        await page.fill('#email', world.ana.email)
        await page.fill('#password', world.ana.password)
        await page.press('#password', 'Enter')
        await page.waitForSelector('nav .who')
        t.pass()
      },
      { javaScriptEnabled: false },
    )
  },
  { onlyOn: 'embedded' },
)
