import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { type ReceivedMail, startSmtpServer } from '../support/smtp-server.ts'
import type { StoreSetup } from '../support/stores.ts'
import { countRows, sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp } from '../support/world.ts'

const smtp = await startSmtpServer()
t.teardown(smtp.stop)
const environment = { SMTP_URL: smtp.url, MAIL_FROM: 'latchkey@mail.test' }

const changes = (stores: StoreSetup, userId: string) =>
  sql<{ actor_kind: string; detail: { changed: string[]; declined: string[] } }>(
    stores,
    `select actor_kind, detail from audit_events
      where type = 'user.mails_changed' and user_id = $1 order by id`,
    [userId],
  )

const unsubscribeUrl = (one: ReceivedMail) => one.header('list-unsubscribe').slice(1, -1)

await onEachBackend(
  'a mailbox provider unsubscribes a user with one POST, and nothing else does',
  async (t, { stores, running, issuer, world }) => {
    const { kim } = world
    await running.operator('PATCH', `/users/${kim.id}`, { email_verified: true })
    const app = await createApp(running, {})
    const queue = (id: string) =>
      sql(
        stores,
        `insert into mail_events (id, type, organization_id, client_id)
         values ($1, 'install.requested', $2, $3)`,
        [id, world.acme, app.client_id],
      )
    await queue('first')
    const url = unsubscribeUrl(await smtp.next(({ to }) => to === kim.email))
    const declined = () => countRows(stores, 'mail_choices')

    const page = await createVisitor(issuer).get(url)
    t.equal(page.status, 200)
    t.match(page.text, 'Requests for apps')
    t.equal(await declined(), 0, 'GET changes nothing')
    for (const method of ['PUT', 'DELETE'])
      t.equal((await fetch(url, { method })).status, 405, method)

    const forged = new URL(url)
    forged.searchParams.set('token', `${forged.searchParams.get('token')?.slice(0, -6)}AAAAAA`)
    t.equal((await fetch(forged, { method: 'POST' })).status, 404)
    t.equal((await fetch(`${issuer}/unsubscribe`, { method: 'POST' })).status, 404)
    t.equal(await declined(), 0)

    const multipart = new FormData()
    multipart.set('List-Unsubscribe', 'One-Click')
    const bodies = [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), multipart]
    // RFC 8058 §3.1: no cookie, no session, no redirect; a repetition changes nothing.
    for (const body of bodies) {
      const answer = await fetch(url, { method: 'POST', body, redirect: 'error' })
      t.equal(answer.status, 200)
      t.match(await answer.text(), 'You get no more mails like this')
    }
    t.same(await sql(stores, 'select user_id, category from mail_choices'), [
      { user_id: kim.id, category: 'requests' },
    ])
    const audited = await changes(stores, kim.id)
    t.match(audited, [
      { actor_kind: 'anonymous', detail: { changed: ['requests'], declined: ['requests'] } },
    ])
    t.equal(audited.length, 1, 'of the first POST only')
    t.notMatch(JSON.stringify(audited), new URL(url).searchParams.get('token') ?? 'none')

    await queue('second')
    await eventually(async () => (await countRows(stores, 'mail_events')) === 0)
    t.equal((await sql(stores, `select 1 from mails where event_id = 'second'`)).length, 0)
    await running.operator('PATCH', `/users/${kim.id}`, { password: 'a horse for security' })
    const security = await smtp.next(
      (one) => one.to === kim.email && one.header('x-latchkey-event') === 'user.password_changed',
    )
    t.equal(security.header('list-unsubscribe'), '')
  },
  { environment },
)

await onEachBackend(
  'a user chooses which mails to get',
  async (t, { stores, issuer, world }) => {
    const visitor = await signedIn(issuer, world.ana)
    const page = await visitor.get('/account/notifications')
    t.equal(page.status, 200)
    const ticked = (one: typeof page) =>
      one.dom
        .querySelectorAll('input[name="categories"]')
        .filter((box) => box.hasAttribute('checked'))
        .map((box) => box.getAttribute('value'))
    t.same(ticked(page), ['requests', 'apps', 'secrets', 'operation'])
    const saved = await visitor.submit(page, { categories: ['apps', 'made-up'] })
    t.match(saved.text, 'Your choice is saved')
    t.same(ticked(saved), ['apps'])
    t.equal(await countRows(stores, 'mail_choices'), 3)
    t.same(ticked(await visitor.submit(saved, { categories: ['secrets', 'apps'] })), [
      'apps',
      'secrets',
    ])
    await visitor.submit(saved, { categories: ['secrets', 'apps'] }) // changes nothing
    const forged = await visitor.submit(saved, { _csrf: 'wrong', categories: [] })
    t.equal(forged.status, 403)
    t.equal(await countRows(stores, 'mail_choices'), 2)
    const audited = await changes(stores, world.ana.id)
    t.match(audited, [
      { actor_kind: 'user', detail: { changed: ['requests', 'secrets', 'operation'] } },
      { detail: { changed: ['secrets'], declined: ['requests', 'operation'] } },
    ])
    t.equal(audited.length, 2, 'none for the same choice and for a forged form')
    const anonymous = await createVisitor(issuer).get('/account/notifications')
    t.equal(anonymous.url.pathname, '/login')
  },
  { environment },
)
