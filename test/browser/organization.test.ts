import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { press } from './press.ts'
import { inChromium, signIn } from './scene.ts'

await inChromium(
  'administering an organization',
  async ({ running, world, test }) => {
    const { issuer } = running
    const { acme, kim, second } = world
    const apps = `${issuer}/organizations/${acme}/apps`
    const keys = `${issuer}/organizations/${acme}/keys`

    /** Creates a key set and stays on the page that shows its secret. */
    const create = async (page: Page, name: string) => {
      await page.goto(`${keys}/new`)
      await signIn(page, kim)
      await page.waitForSelector('#name')
      await page.fill('#name', name)
      await press(page, 'button[value="create"]')
      await page.waitForSelector('#secret')
      return page.inputValue('#secret')
    }

    const download = async (page: Page) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('#download')])
      return { name: file.suggestedFilename(), text: await text(await file.createReadStream()) }
    }

    test(
      'without JavaScript a secret is created, saved, and gone after a reload',
      async (t, { page }) => {
        const secret = await create(page, 'Plain')
        t.match(secret, /^lkks_/)
        t.notOk(await page.isVisible('#copy'), 'no button without a function')
        const file = await download(page)
        t.match(file.name, /\.env$/)
        t.match(file.text, `CLIENT_SECRET=${secret}\n`)
        await page.reload()
        t.equal(await page.locator('h1').innerText(), 'This secret was already shown')
        await page.goBack()
        t.notMatch(await page.content(), secret)
      },
      { javaScriptEnabled: false },
    )

    test('with JavaScript: copied, saved, and not there on the way back', async (t, window) => {
      const { page, context } = window
      const origin = new URL(issuer).origin
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
      const secret = await create(page, 'Copied')
      await page.focus('#secret')
      t.equal(
        await page.evaluate('getSelection().toString()'),
        secret,
        'the whole secret is selected',
      )
      await page.click('#copy')
      await page.waitForSelector('#copy-status:has-text("Copied.")')
      t.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
      t.match((await download(page)).text, secret)
      await page.click('a:has-text("I have stored it")')
      await page.waitForSelector('h1:has-text("Keys for programs of Acme")')
      await page.goBack()
      await page.waitForSelector('h1:has-text("This secret was already shown")')
      t.notMatch(await page.content(), secret)
    })

    test('with the keyboard alone an admin suspends, resumes and uninstalls', async (t, {
      page,
    }) => {
      await page.goto(apps)
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Apps in Acme")')
      const reach = async (selector: string) => {
        const wanted = page.locator(selector).first()
        for (let presses = 0; presses < 200; presses++) {
          await page.keyboard.press('Tab')
          if (await wanted.evaluate((one) => one === one.ownerDocument.activeElement)) return
        }
        throw new Error(`no way to ${selector} by the Tab key`)
      }
      const follow = async (link: string, heading: string) => {
        await reach(link)
        await page.keyboard.press('Enter')
        await page.waitForSelector(`h1:has-text("${heading}")`)
      }
      const decide = async (decision: string, said: string) => {
        await reach(`button[value="${decision}"]`)
        await page.keyboard.press('Enter')
        await page.waitForSelector(`[role="status"]:has-text("${said}")`)
      }
      const row = `.compare a[href$="${second.client_id}"]`
      await follow(row, 'Second in Acme')
      await follow('main a:has-text("Suspend")', 'Suspend Second in Acme?')
      await decide('suspend', 'Second is suspended')
      await decide('resume', 'Second works again')
      await follow('main a:has-text("Uninstall")', 'Uninstall Second from Acme?')
      await decide('uninstall', 'Second is uninstalled')
      t.equal(await page.locator(row).count(), 0)
    })
  },
  { onlyOn: 'embedded' },
)
