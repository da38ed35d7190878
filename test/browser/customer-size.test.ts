/** The console and an admin's pages with a real customer: no page is long on a phone, and the emergency is near. */
import type { Page } from 'playwright-core'
import { operatorToken, type Running } from '../support/latchkey.ts'
import { sql } from '../support/traces.ts'
import { createApp, password } from '../support/world.ts'
import { onLocalhost, signIn } from './passkeys.ts'
import { press } from './press.ts'

const size = { members: 126, workspaces: 60, installs: 25, requests: 6 }
const longest = 4000 // px at 360 px

const times = <Item>(count: number, of: (nr: string) => Item) =>
  Array.from({ length: count }, (_, at) => of(String(at + 1).padStart(3, '0')))

const customer = [
  { type: 'organization', id: 'big', name: 'Aardvark' },
  ...times(size.workspaces, (nr) => ({
    ...{ type: 'workspace', organization: 'big', id: `wks-big-${nr}`, name: `Workspace ${nr}` },
  })),
  ...times(size.members, (nr) => ({
    ...{ type: 'user', id: `big-usr-${nr}`, email: `person${nr}@big.test`, name: `Person ${nr}` },
    ...(nr < '003' && { password }),
  })),
  ...times(size.members, (nr) => ({
    ...{ type: 'member', organization: 'big', user: `big-usr-${nr}` },
    role: nr === '001' ? 'admin' : 'member',
  })),
  ...times(size.workspaces, (nr) => ({
    ...{ type: 'workspace_member', workspace: `wks-big-${nr}`, user: 'big-usr-002' },
  })),
  ...times(size.installs + size.requests, (nr) => ({
    ...{ type: 'app', client_id: `big-app-${nr}`, name: `An app with a long name ${nr}` },
    ...{ interface: 'current', client_type: 'public', redirect_uris: ['https://app.example/cb'] },
    permissions: ['records:create', 'records:update'],
  })),
  ...times(size.installs, (nr) => ({
    ...{ type: 'install', organization: 'big', client_id: `big-app-${nr}` },
    permissions: ['records:create', 'records:update'],
    workspace_ids: null,
  })),
]

const importLines = async ({ issuer }: Running, lines: readonly object[]) => {
  const response = await fetch(`${issuer}/api/admin/v1/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  const refused = (await response.text()).split('\n').filter((line) => line.includes('"refused"'))
  if (!response.ok || refused.length > 0) throw new Error(refused[0] ?? `${response.status}`)
}

const under = (base: string, paths: readonly string[]) => paths.map((path) => base + path)

await onLocalhost(
  'a customer of a real size',
  async ({ running, databaseUrl, world, test }) => {
    const { operator } = running
    await importLines(running, customer)
    const email = 'olga@operators.test'
    const { body: olga } = await operator('POST', '/users', { email, name: 'Olga', password })
    await operator('PUT', `/users/${olga.id}/operator`, { permissions: ['*'] })
    for (const statement of [
      `insert into install_requests (id, organization_id, client_id, user_id, permissions)
       select 'irq' || n, 'big', 'big-app-0' || n, 'big-usr-00' || (n - 23), '{}' from generate_series(26, 31) n`,
      `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
       select 'big-usr-002', 'big', client_id, id, permissions, permissions from installs where organization_id = 'big'`,
      `insert into sessions (id, lineage_hash, token_hash, user_id, credentials_epoch, sessions_epoch,
         methods, passkey_ids, authenticated_at, address, expires_at)
       select 'ses' || n, 'l' || n, 't' || n, 'big-usr-002', 0, 0, '{password}', '{}', 0, '192.0.2.1', now() + interval '1 hour'
         from generate_series(1, 30) n`,
      `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
       select 'big-usr-' || lpad(n::text, 3, '0'), 'big', client_id, id, permissions, permissions
         from installs, generate_series(3, 90) n where client_id = 'big-app-001'`,
      `insert into key_sets (id, client_id, organization_id, interface, name, permissions)
       select 'kst' || n, 'kcl' || n, 'big', 'current', 'Export ' || n, '{records:create}' from generate_series(1, 25) n`,
      `insert into audit_events (at, type, actor_kind, actor_id, organization_id, client_id, user_id, request_id)
       select now() - n * interval '3 hours', 'consent.granted', 'user', 'big-usr-00' || n % 9 + 1, 'big',
         'big-app-00' || n % 9 + 1, 'big-usr-00' || n % 9 + 1, 'req_' || n from generate_series(1, 100) n`,
      "update organizations set created_at = created_at - interval '1 day' where id = 'big'",
      `insert into directory_groups (id, organization_id, name) values ('grp1', 'big', 'Night shift')`,
      `insert into directory_group_members (user_id, group_id) values ('big-usr-002', 'grp1')`,
    ])
      await sql({ databaseUrl }, statement)
    await createApp(running, { name: 'Not reviewed' })

    const enter = async (page: Page) => {
      await page.goto('/login')
      await signIn(page, { email, password })
      await page.waitForSelector('h1:has-text("Hello")')
      const shown = `update sessions set methods = '{password,passkey}' where user_id = $1`
      await sql({ databaseUrl }, shown, [olga.id])
    }
    const enterAsAdmin = async (page: Page) => {
      await page.goto('/login')
      await signIn(page, { email: 'person001@big.test', password })
      await page.waitForSelector('h1:has-text("Hello")')
    }
    const heightOf = async (page: Page, path: string) => {
      await page.goto(path)
      await page.waitForSelector('h1')
      return page.evaluate<number>('document.documentElement.scrollHeight')
    }

    test('no page of the console is long on a phone', async (t, { page }) => {
      await enter(page)
      await page.setViewportSize({ width: 360, height: 740 })
      const org = '/operator/organizations/big'
      for (const path of [
        ...under('/operator', ['', '/apps', '/apps/new', '/people', '/organizations', '/audit']),
        ...under('/operator', ['/not-reviewed', '/webhooks/new']),
        ...under(org, [
          '',
          '/installs',
          '/members',
          '/members/several',
          '/workspaces',
          '/key-sets',
        ]),
        ...under(org, ['/settings', '/sign-in', '/delete', '/installs/big-app-001']),
        ...under('/operator/people/big-usr-002', ['', '/organizations', '/apps', '/sessions']),
        '/operator/people/big-usr-002/end-access',
      ]) {
        const height = await heightOf(page, path)
        t.ok(height <= longest, `${path}: ${height} px`)
      }
      await page.goto(org)
      const counts = '126 members · 60 workspaces · 25 apps · 25 keys'
      t.equal(await page.innerText('.lead'), counts)
    })

    test('an admin sees first what waits, and ends all access in four clicks', async (t, {
      page,
    }) => {
      await enterAsAdmin(page)
      t.match(await page.innerText('main a >> nth=0'), '6 requests wait in Aardvark')
      await page.setViewportSize({ width: 360, height: 740 })
      for (const path of [
        '/',
        ...under('/organizations/big', ['/apps', '/apps/big-app-001', '/requests', '/directory']),
        ...under('/organizations/big', ['/members', '/members/big-usr-002', '/keys', '/policy']),
        ...under('/organizations/big', ['/activity', '/review', '/inspect']),
      ]) {
        const height = await heightOf(page, path)
        t.ok(height <= longest, `${path}: ${height} px`)
      }
      await page.goto('/organizations/big/apps')
      await page.click('nav.tabs a:has-text("Members")')
      await page.click('main a:has-text("Person 002")')
      t.match(await page.innerText('main'), 'Night shift')
      t.match(await page.innerText('main'), 'Workspace 030')
      await page.click('main a:has-text("End all access")')
      t.match(await page.innerText('main'), '25 apps lose access for Person 002')
      await press(page, 'button[value="end_all"]')
      await page.waitForSelector('[role="status"]:has-text("No app has access")')
      const live = `select client_id from consents where user_id = 'big-usr-002'`
      t.equal((await sql({ databaseUrl }, live)).length, 0)
    })

    test('what a person has connected is not long on a phone', async (t, { page }) => {
      await page.goto('/login')
      await signIn(page, { email: 'person002@big.test', password })
      await page.waitForSelector('h1:has-text("Hello")')
      await page.setViewportSize({ width: 360, height: 740 })
      for (const path of ['/', '/account/apps', '/account/sessions']) {
        const height = await heightOf(page, path)
        t.ok(height <= longest, `${path}: ${height} px`)
      }
    })

    test('an operator suspends the apps of an organization by keyboard', async (t, { page }) => {
      await enter(page)
      await page.goto('/operator')
      let tabs = 0
      const reach = async (selector: string) => {
        const wanted = page.locator(selector).first()
        for (let presses = 0; presses < 40; presses++) {
          await page.keyboard.press('Tab')
          tabs++
          if (await wanted.evaluate((one) => one === one.ownerDocument.activeElement)) return
        }
        throw new Error(`no way to ${selector} by the Tab key`)
      }
      const follow = async (selector: string, heading?: string) => {
        await reach(selector)
        await page.keyboard.press('Enter')
        if (heading) await page.waitForSelector(`h1:has-text("${heading}")`)
      }
      const skip = '.skip[href="#content"]'
      await page.keyboard.press('/')
      await page.keyboard.type('Aardvark')
      await page.keyboard.press('Enter')
      await page.waitForSelector('tbody a:has-text("Aardvark")')
      await follow(skip)
      await follow('tbody a:has-text("Aardvark")', 'Aardvark')
      await follow(skip)
      await follow('main a:has-text("Suspend every app")', 'Suspend every app')
      await follow(skip)
      await follow('main form.panel button.danger', 'Aardvark')
      t.ok(tabs <= 12, `${tabs} times Tab`)
      await page.waitForSelector('main a:has-text("25 apps are suspended. Resume them")')
      await page.click('main a:has-text("Resume them")')
      await press(page, 'main form.panel button')
      await page.waitForSelector('main a:has-text("Suspend every app")')
      t.equal(await page.locator('main a:has-text("Resume them")').count(), 0)
    })

    test('an operator ends all access of a person', async (t, { page }) => {
      const install = `/organizations/${world.acme}/installs/${world.confidential.client_id}`
      t.equal((await operator('GET', install)).status, 200)
      await sql(
        { databaseUrl },
        `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
         select '${world.ana.id}', organization_id, client_id, id, permissions, permissions
           from installs where organization_id = '${world.acme}' and ended_at is null
         on conflict do nothing`,
      )
      await enter(page)
      await page.goto(`/operator/people/${world.ana.id}`)
      await page.waitForSelector('#organizations')
      t.match(await page.innerText('main'), 'Acme')
      await page.click('main a:has-text("End all access")')
      await press(page, 'main form.panel button')
      await page.waitForSelector('.notice:has-text("No app has access for")')
      t.match(await page.innerText('main'), 'No app acts for this person.')
    })
  },
  { onlyOn: 'embedded' },
)
