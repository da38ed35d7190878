// Nightly: it takes the pictures of the documentation.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  newVerifier,
} from '../support/flows.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { createApp, install, password, type TestApp } from '../support/world.ts'
import { add, byPassword, onLocalhost, signIn } from './passkeys.ts'
import { press } from './press.ts'

// LATCHKEY_TEST_PICTURES=1 renews the pictures of docs/for-admins.md and README.md.
const takesPictures = Boolean(process.env.LATCHKEY_TEST_PICTURES)
const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/images')
const most = 700 * 1024 // Bytes of all pictures together.

const guide = readFileSync(join(root, 'docs/for-admins.md'), 'utf8')
/** The page words that the guide quotes. */
const labels = [...guide.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => flat(words))

/** Words without their line breaks. */
function flat(words: string) {
  return words.replace(/\s+/g, ' ').trim()
}

const take = async (page: Page, name: string, part: Locator) => {
  if (!takesPictures) return
  // The buttons of a decision stay at the end of the window, so it must hold the whole part.
  const before = page.viewportSize() ?? { width: 640, height: 480 }
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ ...before, height })
  for (const [colorScheme, suffix] of [
    ['light', ''],
    ['dark', '-dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const picture = await part.screenshot({ animations: 'disabled' })
    const small = { palette: true, colours: 64, effort: 10, compressionLevel: 9 }
    await sharp(picture)
      .png(small)
      .toFile(join(folder, `${name}${suffix}.png`))
  }
  await page.setViewportSize(before)
}

// The guide names the page of notifications, which only a server that sends mails has.
const smtp = await startSmtpServer()
t.teardown(smtp.stop)

await onLocalhost(
  'the guide for admins',
  async ({ running, issuer, databaseUrl, test }) => {
    const { operator } = running
    const make = async (path: string, body: unknown) => (await operator('POST', path, body)).body
    const person = async (name: string, email: string) => {
      const { id } = await make('/users', { name, email, password })
      return { id: id as string, email, password, organizationId: acme }
    }
    const { id: acme } = await make('/organizations', { name: 'Acme' })
    const [kim, ana] = [
      await person('Kim Okafor', 'kim@acme.example'),
      await person('Ana Lima', 'ana@acme.example'),
    ]
    await operator('PUT', `/organizations/${acme}/members/${kim.id}`, { role: 'admin' })
    await operator('PUT', `/organizations/${acme}/members/${ana.id}`, { role: 'member' })
    for (const name of ['Sales', 'Support', 'Finance']) {
      const { id } = await make(`/organizations/${acme}/workspaces`, { name })
      for (const one of [kim, ana]) await operator('PUT', `/workspaces/${id}/members/${one.id}`, {})
    }
    const register = (name: string, description: string, permissions: string[]) => {
      const redirect_uris = [`https://${name.toLowerCase().replace(' ', '-')}.example/callback`]
      return createApp(running, { name, description, permissions, redirect_uris })
    }
    const reports = await register('Report Builder', 'Turns records into reports.', [
      'records:create',
      'records:update',
      'workspace_members:read',
    ])
    const letters = await register('Letter Press', 'Turns records into letters and sends them.', [
      'records:create',
      'records:delete',
      'workspace_members:read',
    ])
    const merge = await register('Mail Merge', 'Fills letters with records.', ['records:create'])
    const forms = await register('Form Filler', 'Fills in what is missing.', ['records:update'])

    /** Thirty days of use, with less at the weekends. */
    const useApps = async (apps: TestApp[]) => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const insert = (clientId: string, outcome: string, reason: string, weight: number) =>
        client.query(
          `insert into usage_days (organization_id, day, client_id, outcome, reason, count)
           select $1, current_date - back, $2, $3, $4,
                  greatest(1, round($5 * (case when (30 - back) % 7 in (0, 6) then 0.2 else 1 + back % 4 * 0.1 end)))
           from generate_series(1, 29) as back`,
          [acme, clientId, outcome, reason, weight],
        )
      for (const [at, app] of apps.entries()) {
        await insert(app.client_id, 'issued', 'refresh_token', 90 / (at + 1))
        await insert(app.client_id, 'refused', at === 0 ? 'refresh_token_reused' : 'uninstalled', 2)
      }
      await client.end()
    }

    const seen: string[] = []
    /** Collects the words of a page, including collapsed ones. */
    const note = async (page: Page) => seen.push(flat((await page.textContent('body')) ?? ''))
    const ask = (page: Page, app: TestApp) =>
      page.goto(authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) }))
    const window = { viewport: { width: 640, height: 480 }, deviceScaleFactor: 1.5 }
    const organization = `/organizations/${acme}`

    test(
      'an install, and the consent that follows',
      async (t, { page, context }) => {
        await ask(page, reports)
        await signIn(page, kim)
        await page.waitForSelector('h1:has-text("Install Report Builder")')
        await note(page)
        await take(page, 'install', page.locator('main'))
        await press(page, 'button[value="approve"]')
        await page.waitForSelector('h1:has-text("with your account")')
        await context.clearCookies()
        await ask(page, reports)
        await signIn(page, ana)
        await page.waitForSelector('h1:has-text("with your account")')
        await take(page, 'consent', page.locator('main'))
        const again = await exchangeCode(issuer, reports, await currentCode(running, reports, ana))
        t.equal(again.status, 200)
      },
      window,
    )

    test(
      'requests, installed apps',
      async (t, { page, context }) => {
        await ask(page, letters)
        await signIn(page, ana)
        await page.fill('textarea[name="reason"]', 'I have to send 400 letters before Friday.')
        await press(page, 'button[value="request"]')
        await page.waitForSelector('h1:has-text("Your request is with the admins")')
        await context.clearCookies()
        await byPassword(page, kim, '/')
        await note(page)
        await page.goto(`${organization}/apps`)
        await note(page)
        await take(page, 'request', page.locator('.request'))
        await take(page, 'apps', page.locator('section[aria-labelledby="installed"]'))
        t.equal(await page.locator('.request').count(), 1)
        await context.clearCookies()
        await ask(page, merge)
        await signIn(page, ana)
        await press(page, 'button[value="request"]')
        await page.waitForSelector('h1:has-text("Your request is with the admins")')
        await context.clearCookies()
        const app = `${organization}/apps/${reports.client_id}`
        await byPassword(page, kim, app)
        for (const path of [
          ...[app, `${app}/audience`, `${app}/members`, `${organization}/policy`],
          ...[`${organization}/members/${ana.id}`, `${organization}/apps`],
        ]) {
          await page.goto(path)
          await note(page)
        }

        await install(running, acme, forms, { permissions: ['records:update'] })
        const more = { permissions: ['records:update', 'records:create'] }
        await operator('PATCH', `/apps/${forms.client_id}`, more)
        await page.goto(`${app}/suspend`)
        await press(page, 'main form.panel button')
        await page.waitForSelector('.notice.good')
        await note(page)
        await operator('PATCH', `${organization}/installs/${reports.client_id}`, {
          suspended: false,
        })
        await operator('POST', `${organization}/suspend-all`)
        await page.goto(`${organization}/apps`)
        await note(page)
        await operator('POST', `${organization}/resume-all`)
      },
      window,
    )

    test(
      'key sets',
      async (t, { page }) => {
        await byPassword(page, kim, `${organization}/keys`)
        await note(page)
        await page.click('a:has-text("New key")')
        await page.fill('#name', 'Nightly export')
        await page.fill('#description', 'Copies yesterday’s records into the warehouse')
        await page.check('input[value="records:create"]')
        await press(page, 'button[value="create"]')
        await page.waitForSelector('#secret')
        await note(page)
        await page.goto(`${organization}/keys`)
        await page.click('a:has-text("New secret")')
        await note(page)
        await press(page, 'button[value="rotate"]')
        await page.waitForSelector('#secret')
        await page.goto(`${organization}/keys`)
        await note(page)
        await take(page, 'key-sets', page.locator('.requests > li').first())
        t.equal(await page.locator('.compare tbody tr').count(), 2)
      },
      window,
    )

    test(
      'activity and the inspector',
      async (t, { page }) => {
        await useApps([reports, forms])
        await clientCredentials(issuer, reports, acme)
        await byPassword(page, kim, `${organization}/activity`)
        await page.waitForSelector('.plot-area')
        await note(page)
        await take(page, 'activity', page.locator('.charts'))
        t.ok((await page.locator('.plot-area rect').count()) > 28)
        await operator('PUT', '/audit-streams/siem', {
          ...{ url: 'https://siem.acme.example/events', format: 'ocsf', organization_id: acme },
          secret: `whsec_${Buffer.alloc(32, 'k').toString('base64')}`,
        })
        await page.goto(`${organization}/activity/streams/siem`)
        await note(page)
        await page.goto(`${organization}/inspect`)
        await note(page)
      },
      { ...window, viewport: { width: 760, height: 900 } },
    )

    test(
      'passkeys',
      async (t, { page }) => {
        await byPassword(page, kim, '/account/passkeys')
        await add(page, 'Laptop')
        await page.goto('/account/passkeys')
        await note(page)
        await take(page, 'passkeys', page.locator('main'))
        t.equal(await page.locator('.row').count(), 1)
        await page.goto('/account/apps')
        await note(page)
      },
      window,
    )

    test('the pages have the words that the guide quotes', async (t) => {
      t.ok(labels.length > 25, `${labels.length} labels`)
      for (const label of labels)
        t.ok(
          seen.some((words) => words.includes(label)),
          label,
        )
    })

    test('the guide’s pictures exist, in light and dark, and are small', async (t) => {
      const pictures = [...guide.matchAll(/"images\/([\w-]+\.png)"/g)].map(([, name = '']) => name)
      t.ok(pictures.length > 10, `${pictures.length} pictures`)
      for (const name of pictures) t.ok(statSync(join(folder, name)).size > 0, name)
      const all = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
      t.ok(all.reduce((sum, one) => sum + one, 0) < most, 'together')
    })
  },
  {
    onlyOn: 'embedded',
    environment: { SMTP_URL: smtp.url, MAIL_FROM: 'latchkey@mail.test' },
  },
)
