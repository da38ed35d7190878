import { install } from '../support/world.ts'
import { look } from './looks.ts'
import { press } from './press.ts'
import { answer, inChromium, signIn } from './scene.ts'

await inChromium(
  'the directory and links to install',
  async ({ running, world, test, register }) => {
    const { issuer } = running
    const { acme, ana, kim } = world
    const setup_uri = 'https://app.example/setup'
    const path = `${issuer}/organizations/${acme}/directory`

    test('the directory of an admin', async (t, { page }) => {
      await page.goto(path)
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Apps you can install")')
      await look(t, page, 'directory-empty')
      const reports = await register({
        name: 'Quarterly Report Builder of the Northern Provinces',
        description: 'Charts and PDF reports from your tables, every Monday morning.',
        homepage_uri: 'https://reports.example/',
        publisher: 'Reporting Company of the Northern Provinces Ltd',
        reviewed: true,
        listed: true,
      })
      await install(running, acme, reports)
      for (const name of ['Letter Press', 'Карты', 'אטלס', 'Donaudampfschifffahrtsgesellschaft'])
        await register({ name, listed: true, description: 'Prints letters.', publisher: 'Letters' })
      await page.goto(path)
      await look(t, page, 'directory')
      await page.goto(`${path}?name=nothing`)
      await look(t, page, 'directory-nothing-found')
      await page.goto(issuer)
      await look(t, page, 'home-directory')
      await page.goto(path)
      await press(page, 'button[name="decision"][value="install"]')
      await page.waitForSelector('h1:has-text("Install")')
      await look(t, page, 'directory-install')
    })

    test('the directory of a member', async (t, { page }) => {
      await register({ name: 'Slides', listed: true })
      await page.goto(`${path}?name=slides`)
      await signIn(page, ana)
      await answer(page, 'request')
      await page.waitForSelector('button[value="request"]')
      await look(t, page, 'directory-ask-admin')
      await answer(page, 'request')
      await page.waitForSelector('button[value="withdraw"]')
      await look(t, page, 'directory-request-sent')
      await page.goto(path)
      await look(t, page, 'directory-member')
    })

    test('a link to an installed app, and faulty links', async (t, { page }) => {
      const app = await register({ name: 'Letter Press', setup_uri })
      await install(running, acme, app)
      const link = `${issuer}/install?client_id=${app.client_id}`
      await page.goto(`${link}&state=1`)
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("already installed")')
      await look(t, page, 'installed')
      await page.goto(link)
      await look(t, page, 'install-link-faulty')
      await page.goto(`${link}&state=1&permissions=records:none`)
      await look(t, page, 'install-link-permissions')
    })
  },
)
