import type { Page } from 'playwright-core'
import { importLines } from '../support/import-lines.ts'
import { createSuccessor } from '../support/migration.ts'
import { sql } from '../support/traces.ts'
import { createApp, install, password } from '../support/world.ts'
import { firstWords } from './first-words.ts'
import { look } from './looks.ts'
import { onLocalhost, signIn } from './passkeys.ts'
import { press } from './press.ts'

/** Single words of tables, shorter than the widest column needs, that stand on two lines. */
const brokenWords = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('.listing :is(td, tbody th)')]
      .filter((cell) => !cell.querySelector('.code') && /^\\S{1,27}$/.test(cell.innerText.trim()))
      .filter((cell) => {
        const tops = new Set()
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) {
          const range = document.createRange()
          range.selectNodeContents(texts.currentNode)
          if (texts.currentNode.data.trim())
            for (const { top } of range.getClientRects()) tops.add(Math.round(top))
        }
        return tops.size > 1
      })
      .map((cell) => cell.innerText)`)

await onLocalhost(
  "the operator's console",
  async ({ running, databaseUrl, world, test }) => {
    const { operator } = running
    const { acme } = world
    const email = 'olga@operators.test'
    const { body: olga } = await operator('POST', '/users', {
      email,
      name: 'Olga Orlova',
      password,
    })
    await operator('PUT', `/users/${olga.id}/operator`, { permissions: ['*'] })
    const names = ['x'.repeat(100), 'A name of many words '.repeat(4).trim(), 'مثال', '<b>']
    for (const name of names) {
      const app = await createApp(running, { name })
      await install(running, acme, app)
    }
    await operator('PUT', '/client-hosts/apps.example.com', { policy: 'review' })
    await operator('POST', '/resource-servers', { name: 'Data API' })
    const { body: hook } = await operator('POST', '/webhooks', { url: 'https://hooks.example/all' })
    const { body: delivery } = await operator('POST', `/webhooks/${hook.id}/test`, {})
    const givenUp = 'update webhook_deliveries set next_attempt_at = null where id = $1'
    await sql({ databaseUrl }, givenUp, [delivery.id])
    await operator('POST', `/webhooks/${hook.id}/test`, {})
    await operator('POST', '/operator-tokens', { name: 'CI', permissions: ['apps:read'] })

    const inAcme = `/organizations/${acme}`
    const { body: keySet } = await operator('POST', `${inAcme}/key-sets`, {
      ...{ name: names[0], interface: 'current', permissions: ['records:create'] },
    })
    await operator('POST', `${inAcme}/scim-tokens`, { name: names[1] })
    const issuer = `https://idp.example/${'x'.repeat(100)}`
    await operator('PUT', `${inAcme}/identity-provider`, { issuer })
    const { client_id: legacy } = world.legacy
    await sql(
      { databaseUrl },
      `insert into app_changes (id, client_id, before, after, reason, requested_by)
       select 'ach1', client_id, json_build_object('redirectUris', redirect_uris, 'permissions', permissions),
         json_build_object('redirectUris', redirect_uris || $2, 'permissions', array['teams:read']), $3, $4
         from apps where client_id = $1`,
      [
        world.confidential.client_id,
        [`https://reports.example/${'x'.repeat(100)}`],
        names[1],
        olga.id,
      ],
    )
    await createSuccessor(running, world, world.legacy)
    const { client_id } = world.confidential
    const moved = { type: 'grant', organization: acme, user: world.ana.id, client_id }
    const old = { permissions: [], workspace_ids: null, refresh_token: 'of-an-earlier-server' }
    await install(running, acme, world.confidential)
    await importLines(running.issuer, [{ ...moved, ...old }])

    const enter = async (page: Page) => {
      await page.goto('/login')
      await signIn(page, { email, password })
      await page.waitForSelector('h1:has-text("Hello")')
      const shown = `update sessions set methods = '{password,passkey}' where user_id = $1`
      await sql({ databaseUrl }, shown, [olga.id])
    }

    test('its pages', async (t, { page }) => {
      await enter(page)
      const { client_id: client } = world.confidential
      const pages: [name: string, path: string][] = [
        ['overview', ''],
        ['apps', '/apps'],
        ['app', `/apps/${client}`],
        ['app-new', '/apps/new'],
        ['change', '/changes/ach1'],
        ['app-disable', `/apps/${client}/disable`],
        ['app-secret', `/apps/${client}/secret`],
        ['organizations', '/organizations'],
        ['organization', `/organizations/${acme}`],
        ...['members', 'workspaces', 'key-sets', 'settings', 'sign-in', 'delete'].map(
          (part): [string, string] => [`organization-${part}`, `/organizations/${acme}/${part}`],
        ),
        ['install', `/organizations/${acme}/installs/${client}`],
        ['scim-token-new', `/organizations/${acme}/scim-tokens/new`],
        ['identity-provider', `/organizations/${acme}/identity-provider`],
        ['key-set-new', `/organizations/${acme}/key-sets/new`],
        ['key-set', `/organizations/${acme}/key-sets/${keySet.id}`],
        ['key-set-change', `/organizations/${acme}/key-sets/${keySet.id}/change`],
        ['key-set-rotate', `/organizations/${acme}/key-sets/${keySet.id}/rotate`],
        ['key-set-workloads', `/organizations/${acme}/key-sets/${keySet.id}/workloads`],
        ['install-change', `/organizations/${acme}/install/${client}`],
        ['key-set-delete', `/organizations/${acme}/key-sets/${keySet.id}/delete`],
        ['legacy-app', `/apps/${legacy}`],
        ['successor', `/apps/${legacy}/successor`],
        ['people', '/people'],
        ['person', `/people/${olga.id}`],
        ['person-end', `/people/${olga.id}/end-access`],
        ['person-role', `/people/${olga.id}/operator`],
        ['servers', '/resource-servers'],
        ['permissions', '/permissions'],
        ['permission', '/permissions/current/records:create'],
        ['keys', '/keys'],
        ['webhook', `/webhooks/${hook.id}`],
        ['webhook-change', `/webhooks/${hook.id}/change`],
        ['webhook-rotate', `/webhooks/${hook.id}/rotate`],
        ['webhook-resend', `/webhooks/${hook.id}/deliveries/${delivery.id}/resend`],
        ['audit', '/audit'],
        ['health', '/health'],
        ['tokens', '/tokens'],
      ]
      for (const [name, path] of pages) {
        await page.goto(`/operator${path}`)
        await page.waitForSelector('h1')
        await look(t, page, `operator-${name}`)
        if (name === 'overview') t.match(await page.textContent('main'), 'earlier server')
        t.same(await brokenWords(page), [], `${name}: no word is broken`)
      }
    })

    test('a change: what, where, how long and how to stop it, before any link', async (t, {
      page,
    }) => {
      await enter(page)
      await page.goto('/operator/changes/ach1')
      await page.waitForSelector('h1')
      const words = await firstWords(page)
      const parts = [
        /asks for one more: Read which teams exist/,
        /Used in \d+ organizations? by/,
        /No end date/,
        /You can change or disable the app at any time/,
      ]
      for (const part of parts) t.match(words, part)
    })

    test('a fault beside its field, and a secret shown once', async (t, { page }) => {
      await enter(page)
      await page.goto('/operator/apps/new')
      await page.fill('#name', 'Letter Press')
      await page.fill('#redirect_uris', 'http://letters.example/cb')
      await press(page, 'main form button')
      await page.waitForSelector('.field-error')
      t.equal(await page.inputValue('#name'), 'Letter Press', 'what was typed stays')
      await look(t, page, 'operator-app-fault')
      await page.fill('#redirect_uris', 'https://letters.example/cb')
      await press(page, 'main form button')
      await page.waitForSelector('h1:has-text("The new secret")')
      await look(t, page, 'operator-secret')
      t.match(await page.inputValue('#secret'), /^lkcs_/)
      await page.reload()
      await page.waitForSelector('h1:has-text("already shown")')
      await look(t, page, 'operator-secret-gone')
    })
  },
  { onlyOn: 'embedded' },
)
