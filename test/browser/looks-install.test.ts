import type { Page } from 'playwright-core'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { install, password, type TestApp } from '../support/world.ts'
import { look } from './looks.ts'
import { press } from './press.ts'
import { answer, inChromium, onlyThese, signIn, untick } from './scene.ts'

const everyPermission = [
  'records:create',
  'records:update',
  'records:delete',
  'workspace_members:read',
  'teams:read',
  'documents:read',
  'table:create',
  'table:modify',
  'rootTable:create',
]

await inChromium(
  'the pages of an installation',
  async ({ running, world, test, register }) => {
    const { issuer, operator } = running
    const { acme, kim } = world

    const urlOf = (app: TestApp, more: Record<string, string> = {}) => {
      const requested = { code_challenge: challengeOf(newVerifier()), prompt: 'consent', ...more }
      return authorizeUrl(issuer, app, requested)
    }
    const folded = '.workspaces summary'
    const consentPage = (page: Page) => page.waitForSelector('button[value="approve"]')

    test('install', async (t, { page }) => {
      const app = await register({
        name: 'Quarterly Report Builder',
        description: 'Charts and PDF reports from your tables, every Monday morning.',
        homepage_uri: 'https://reports.example/',
        location: 'https://frames.reports.example/start',
        kind: 'inside',
        publisher: 'Reporting Company of the Northern Provinces Ltd',
        permissions: everyPermission,
      })
      await page.goto(urlOf(app))
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Install")')
      await look(t, page, 'install')
      await onlyThese(page)
      await look(t, page, 'install-only-these')
      for (const box of await page.locator('.options input').all()) await box.uncheck()
      await answer(page, 'approve')
      await page.waitForSelector('[role="alert"]')
      await look(t, page, 'install-fault')

      const sheets = await register({ name: 'Sheets', interface: 'legacy' })
      await page.goto(legacyAuthorizeUrl(issuer, sheets))
      await page.waitForSelector('h1:has-text("Install")')
      await look(t, page, 'install-legacy')
    })

    test('consent: what is new, installed by an admin, nothing but reading', async (t, {
      page,
    }) => {
      const growing = await register({ name: 'Growing', permissions: everyPermission })
      await page.goto(urlOf(growing, { scope: 'records:create' }))
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Install")')
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("with your account")')
      await look(t, page, 'consent-approved-by')
      await answer(page, 'approve')
      await page.waitForURL('**/cb?*')
      await install(running, acme, growing, { permissions: everyPermission })
      await page.goto(urlOf(growing))
      await page.waitForSelector('.state')
      await look(t, page, 'consent-new-permissions')

      const reader = await register({ name: 'Reader', permissions: [] })
      await install(running, acme, reader, { permissions: [] })
      await page.goto(urlOf(reader))
      await consentPage(page)
      await look(t, page, 'consent-read-only')
    })

    test('a hundred permissions of the platform', async (t, { page }) => {
      const groups = ['read', 'write', 'people', 'structure', 'other']
      const names = Array.from({ length: 100 }, (_, at) => `area${at % 7}:act-${at}`)
      for (const [at, name] of names.entries()) {
        const sentence = `Do the task number ${at} of area ${at % 7}${at % 50 ? '' : ', whose description is a good deal longer than one line of a phone'}`
        const mark = at % 60 === 0 ? 'personal_data' : null
        const body = { sentence, group: groups[at % groups.length], mark }
        t.equal((await operator('PUT', `/permissions/current/${name}`, body)).status, 201)
      }
      const permissions = [...everyPermission, ...names]
      const app = await register({ name: 'Everything', permissions })
      await page.goto(urlOf(app))
      await signIn(page, kim)
      await page.waitForSelector('h1:has-text("Install")')
      t.equal(await page.locator('input[name="permissions"]').count(), permissions.length)
      await look(t, page, 'install-many-permissions')
      await untick(page, 'permissions', 'area1:act-1')
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("with your account")')
      t.equal(await page.locator('input[name="permissions"]').count(), permissions.length - 1)
      await look(t, page, 'consent-many-permissions')
      await answer(page, 'approve')
      await page.waitForURL('**/cb?code=*')
    })

    test('many workspaces, and names of every kind', async (t, { page }) => {
      const post = async (path: string, body: unknown) => (await operator('POST', path, body)).body
      const { id: company } = await post('/organizations', {
        name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      })
      const { id: noa } = await post('/users', {
        email: `noa.${'x'.repeat(48)}@a-rather-long-subdomain.company.test`,
        name: 'נועה ברק',
        password,
      })
      await operator('PUT', `/organizations/${company}/members/${noa}`, { role: 'admin' })
      for (let number = 1; number <= 12; number++) {
        const name =
          number === 3 ? 'قسم المبيعات' : `${'Department-of-everything-'.repeat(3)}${number}`
        const { id } = await post(`/organizations/${company}/workspaces`, { name })
        await operator('PUT', `/workspaces/${id}/members/${noa}`, {})
      }
      const app = await register({
        name: 'Extraordinarily-Long-Application-Name-Without-Any-Space-In-It',
        description: 'مرحبا بكم في هذا التطبيق',
        redirect_uris: ['https://a-very-long-host-name.with.many.labels.reports.example.com/cb'],
      })
      await page.goto(urlOf(app))
      await signIn(page, {
        email: `noa.${'x'.repeat(48)}@a-rather-long-subdomain.company.test`,
        password,
      })
      await page.waitForSelector('h1:has-text("Install")')
      await look(t, page, 'install-many')
      t.notOk(await page.isVisible('.options'), 'the list belongs to the other choice')
      await onlyThese(page)
      await look(t, page, 'install-many-open')
      t.equal(await page.innerText(folded), '0 of 12 workspaces', 'open, and none ticked yet')
      await page.fill('#sift', 'EVERYTHING-1')
      await page.keyboard.press('Enter')
      await press(page, 'button[value="tick"]')
      t.equal(await page.innerText(folded), '4 of 12 workspaces', 'the four visible ones')
      t.equal(await page.innerText('.sift [role="status"]'), '4 shown; 4 of 12 workspaces')
      await look(t, page, 'install-many-found')
      await page.check('.every input')
      t.notOk(await page.isVisible('.options'))
      await answer(page, 'approve')
      await page.waitForSelector('h1:has-text("with your account")')
      await look(t, page, 'consent-many')
      await press(page, 'button[value="untick"]')
      t.equal(await page.innerText(folded), '0 of 12 workspaces')
    })
  },
  { onlyOn: 'embedded' },
)
