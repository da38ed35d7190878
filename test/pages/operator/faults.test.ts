/** What the console does not save, it says in the language of the operator, and keeps what was typed. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

const faultsOn = (page: VisitedPage) =>
  page.dom.querySelectorAll('.field-error').map(({ text }) => text.trim())
const noticeOn = (page: VisitedPage) =>
  page.dom.querySelector('main [role="alert"]')?.text.replaceAll(/\s+/g, ' ').trim()

// Nothing listens there: invitations wait.
const environment = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@mail.test' }

await onEachBackend(
  'faults in the console',
  async (t, { running, stores, world }) => {
    const { operator } = running
    const { acme, sales, ana, kim, zoe, confidential } = world
    const { visitor, person } = await visitAs(running, stores, '*')
    await operator('PATCH', `/users/${person.id}`, { locale: 'de' })
    const app = `/operator/apps/${confidential.client_id}`
    const org = `/operator/organizations/${acme}`

    const send = async (path: string, fields: Record<string, string | string[]>) =>
      visitor.submit(await visitor.get(path), fields)

    await t.test('at their fields', async (t) => {
      const link = 'Geben Sie eine Adresse an, die mit https:// beginnt.'
      const uris = { redirect_uris: 'https://letters.example/cb' }
      const cases: [
        path: string,
        fields: Record<string, string | string[]>,
        said: RegExp | string,
      ][] = [
        ['/operator/import', { url: 'http://x' }, /^Geben Sie eine https-Adresse mit Pfad an/],
        ['/operator/hosts/new', { host: 'Not a host' }, /^Geben Sie einen Host in Kleinbuchstaben/],
        ['/operator/apps/new', { name: 'x'.repeat(101), ...uris }, /^Geben Sie einen Namen mit 1/],
        ['/operator/apps/new', { name: 'A', redirect_uris: 'http://x' }, /eine Redirect-URI an/],
        ['/operator/apps/new', { name: 'A', ...uris, policy_uri: 'http://x.example' }, link],
        [
          '/operator/apps/new',
          { name: 'A', ...uris, owners: 'usr_nobody' },
          'Kein Benutzer hat diese Adresse.',
        ],
        ['/operator/people/new', { email: 'x', name: 'X' }, 'Geben Sie eine E-Mail-Adresse ein.'],
        [
          '/operator/people/new',
          { email: 'x@x.test', name: 'X', password: 'short' },
          /^Wählen Sie ein Passwort mit 8/,
        ],
        [
          '/operator/people/new',
          { email: 'x@x.test', name: 'X', password: 'password' },
          /^Verwenden Sie ein paar zufällige Wörter/,
        ],
        [
          '/operator/people/new',
          { email: 'x@x.test', name: 'X', password: 'a rather long passphrase', invite: 'yes' },
          /bekommt keine Einladung/,
        ],
        [
          '/operator/resource-servers/new',
          { name: 'X', resource: 'x' },
          /^Geben Sie absolute Adressen/,
        ],
        [
          '/operator/permissions/new',
          { permission: 'a b', sentence: 'X' },
          /^Wählen Sie einen anderen Namen/,
        ],
        ['/operator/webhooks/new', { url: 'x' }, /^Geben Sie eine https-Adresse an/],
        [
          '/operator/webhooks/new',
          { url: 'https://x.example', which: 'some', events: 'x' },
          /keine Art von Ereignis/,
        ],
        ['/operator/tokens/new', { name: 'X' }, 'Kreuzen Sie mindestens eines an.'],
        [
          '/operator/tokens/new',
          { name: 'X', permissions: ['apps:read'], last_day: 'soon' },
          /^Geben Sie einen Zeitpunkt/,
        ],
        [
          `${org}/members/new`,
          { user: 'usr000000000000000000' },
          'Kein Benutzer hat diese Adresse.',
        ],
        [`${org}/identity-provider`, { issuer: 'x' }, /https-Adresse des Issuers/],
      ]
      for (const [path, fields, said] of cases) {
        const page = await send(path, fields)
        t.equal(page.status, 400, path)
        const [fault, ...others] = faultsOn(page)
        t.match(fault, said, path)
        t.same(others, [], path)
        for (const [name, value] of Object.entries(fields)) {
          const kept = page.dom.querySelector(`main input[type="text"][name="${name}"]`)
          if (kept) t.equal(kept.getAttribute('value'), value, `${path} keeps ${name}`)
        }
      }
    })

    await t.test('a required field without words', async (t) => {
      const required = 'Füllen Sie dieses Feld aus.'
      t.same(faultsOn(await send(`${app}/change`, { name: ' ', redirect_uris: '' })), [
        required,
        required,
      ])
      t.same(faultsOn(await send(`${org}/rename`, { name: ' ' })), [required])
      t.same(faultsOn(await send(`${org}/members/new`, { user: ' ' })), [required])
      const user = `/operator/people/${ana.id}/change`
      t.same(faultsOn(await send(user, { name: ' ', email: ana.email })), [required])
      t.not((await operator('GET', `/organizations/${acme}`)).body.name.trim(), '')
    })

    await t.test('conflicts', async (t) => {
      const taken = await send('/operator/people/new', { email: kim.email, name: 'Kim Two' })
      t.equal(taken.status, 409)
      t.equal(noticeOn(taken), 'Eine andere Person hat diese E-Mail-Adresse.')
      t.equal(taken.dom.querySelector('#name')?.getAttribute('value'), 'Kim Two')
      const stranger = await send(`${org}/workspaces/${sales}/members/new`, { user: zoe.email })
      t.equal(noticeOn(stranger), 'Die Person ist kein Mitglied der Organisation.')
      const resource = 'https://data.example/'
      await operator('POST', '/resource-servers', { name: 'One', resource: [resource] })
      const server = await send('/operator/resource-servers/new', { name: 'Two', resource })
      t.equal(noticeOn(server), 'Ein anderer Resource-Server hat eine dieser Adressen.')
    })

    await t.test('a new permission does not replace one that exists', async (t) => {
      const path = '/permissions/current/invoices:read'
      const stored = { sentence: 'Read invoices', group: 'read', mark: null }
      t.equal((await operator('PUT', path, stored)).status, 201)
      const again = { permission: 'invoices:read', sentence: 'Something else' }
      const page = await send('/operator/permissions/new', again)
      t.equal(page.status, 400)
      t.match(faultsOn(page), [/^Diese Berechtigung gibt es schon/])
      t.match((await operator('GET', path)).body, stored)
      const other = { permission: 'invoices:write', sentence: 'Write invoices' }
      t.match(wordsOf(await send('/operator/permissions/new', other)), 'Write invoices')
    })

    await t.test('a long list goes on at a page of its own', async (t) => {
      const path = `/organizations/${acme}/key-sets`
      const has = (await operator('GET', `${path}?limit=200`)).body.items.length
      for (let n = has; n < 51; n++)
        await operator('POST', path, { name: `Set ${n}`, interface: 'current', permissions: [] })
      const rowsOn = (page: VisitedPage) =>
        page.dom
          .querySelectorAll(`main a[href^="${org}/key-sets/kst"]`)
          .map((one) => one.getAttribute('href'))
      const first = await visitor.get(`${org}/key-sets`)
      t.equal(rowsOn(first).length, 15)
      const href = first.dom.querySelector(`main a[href*="after="]`)?.getAttribute('href')
      const second = await visitor.get(String(href).replaceAll('&amp;', '&'))
      t.equal(rowsOn(second).length, 15)
      t.equal(new Set([...rowsOn(first), ...rowsOn(second)]).size, 30)
      for (const list of ['members', 'workspaces', 'installs'])
        t.equal((await visitor.get(`${org}/${list}`)).status, 200, list)
    })

    await t.test('who may not decide sees what waits, without a link', async (t) => {
      const owner = await operator('PATCH', `/apps/${confidential.client_id}`, { owners: [ana.id] })
      t.equal(owner.status, 200)
      const maker = await signedIn(running.issuer, ana)
      const change = await maker.get(`/developer/apps/${confidential.client_id}/change`)
      const wider = `${confidential.redirect_uri}\nhttps://letters.example/second`
      await maker.submit(change, { redirect_uris: wider })
      const reader = await visitAs(running, stores, 'apps:read')
      const page = await reader.visitor.get('/operator/changes')
      t.match(wordsOf(page), 'Redirect URIs')
      t.notMatch(page.text, '/operator/changes/')
      const decider = await visitAs(running, stores, 'apps:read', 'apps:write', 'users:read')
      const link = (await decider.visitor.get('/operator/changes')).dom.querySelector(
        'a[href^="/operator/changes/"]',
      )
      const review = await decider.visitor.get(String(link?.getAttribute('href')))
      t.match(wordsOf(review), ana.email, 'who asks')
    })
  },
  { environment },
)
