import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { currentCode, exchangeCode } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn, signIn } from '../support/signed-in.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { countRows, sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const smtp = await startSmtpServer()
t.teardown(smtp.stop)
const environment = {
  SMTP_URL: smtp.url,
  MAIL_FROM: 'Latchkey <latchkey@mail.test>',
  BRAND_NAME: 'Northwind',
}

const about = (event: string, to: string) => (one: (typeof smtp.received)[number]) =>
  one.to === to && one.header('x-latchkey-event') === event

await onEachBackend(
  'a changed password is reported to its user',
  async (t, { running, world }) => {
    const { kim } = world
    await running.operator('PATCH', `/users/${kim.id}`, { password: 'another horse battery' })
    const { mail, header, raw } = await smtp.next(about('user.password_changed', kim.email))
    t.equal(mail.subject, 'Your password was changed')
    t.equal(mail.from?.text, '"Latchkey" <latchkey@mail.test>')
    t.equal(header('auto-submitted'), 'auto-generated')
    t.match(header('message-id'), /^<[0-9a-f]{32}@127\.0\.0\.1>$/)
    t.equal(header('list-unsubscribe'), '', 'it cannot be switched off')
    t.match(mail.text, 'Northwind')
    t.match(mail.text, 'cannot be switched off')
    t.match(String(mail.html), '<html lang="en" dir="ltr">')
    t.notMatch(raw, /another horse/)
    for (const [url] of `${mail.text} ${mail.html}`.matchAll(/https?:\/\/[^\s"<]+/g))
      t.equal(new URL(url).origin, running.issuer, url)
  },
  { environment },
)

await onEachBackend(
  'one mail for each event and user, whatever number of instances sends',
  async (t, { running }) => {
    const names = Array.from({ length: 12 }, (_, at) => `u${at}-${Date.now()}@many.test`)
    const ids = await Promise.all(
      names.map(async (email) => {
        const { body } = await running.operator('POST', '/users', { email, name: 'Many' })
        return body.id as string
      }),
    )
    // A busy server refuses some of many passwords at once.
    await Promise.all(
      ids.map((id) =>
        eventually(async () => {
          const change = { password: 'a horse of its own' }
          return (await running.operator('PATCH', `/users/${id}`, change)).status === 200
        }),
      ),
    )
    const mine = () => smtp.received.filter(({ to }) => names.includes(to))
    await eventually(() => mine().length >= names.length)
    t.same(
      mine()
        .map(({ to }) => to)
        .sort(),
      [...names].sort(),
    )
    t.equal(new Set(mine().map(({ header }) => header('message-id'))).size, names.length)
  },
  { environment, instances: 3 },
)

await onEachBackend(
  'mails wait for an SMTP server that is away, and the server stays ready',
  async (t, { stores, running, world }) => {
    const { ana } = world
    await smtp.stop()
    await running.operator('PATCH', `/users/${ana.id}`, { password: 'a horse without a stable' })
    await eventually(async () => {
      const [row] = await sql<{ count: number }>(
        stores,
        'select count(*)::integer as count from mails where user_id = $1 and sent_at is null',
        [ana.id],
      )
      return row?.count === 1
    })
    t.equal((await fetch(`${running.issuer}/health/ready`)).status, 200)
    const outages = () => running.log.join('').match(/"ESOCKET ECONNREFUSED".*mails wait/g)?.length
    await eventually(() => outages() === 1)
    await smtp.restart()
    await smtp.next(about('user.password_changed', ana.email))
    await eventually(async () => {
      const rows = await sql(stores, 'select 1 from mails where user_id = $1 and sent_at is null', [
        ana.id,
      ])
      return rows.length === 0
    })
    t.match(running.log.join(''), 'the SMTP server can be used again')
    t.equal(outages(), 1, 'logged once')
  },
  { environment },
)

await onEachBackend(
  'a refused message is given up, a deferred one is sent again under the same Message-ID',
  async (t, { stores, running, world }) => {
    const { kim, ana } = world
    let deferrals = 0
    smtp.answerWith((to) => {
      if (to === kim.email) return { code: 550, text: 'no such mailbox' }
      if (to !== ana.email || deferrals++ > 0) return null
      return { code: 451, text: 'later' }
    })
    t.teardown(() => smtp.answerWith(() => null))
    for (const { id } of [kim, ana])
      await running.operator('PATCH', `/users/${id}`, { password: 'a horse on its way' })
    await eventually(() => deferrals === 1)
    await eventually(async () => {
      const rows = await sql<{ last_error: string }>(
        stores,
        `select last_error from mails where user_id = $1 and next_attempt_at is null and sent_at is null`,
        [kim.id],
      )
      return rows[0]?.last_error === 'EMESSAGE 550'
    })
    t.match(running.log.join(''), /"EMESSAGE 550".*mail given up/)
    t.notMatch(running.log.join(''), kim.email, 'no address in the log')
    await sql(stores, 'update mails set next_attempt_at = now() where user_id = $1', [ana.id])
    await smtp.next(about('user.password_changed', ana.email))
    t.equal(smtp.received.filter(about('user.password_changed', kim.email)).length, 0)
  },
  { environment },
)

await onEachBackend(
  'names cannot add a header or reorder a subject',
  async (t, { stores, running, world }) => {
    const { kim } = world
    await sql(stores, 'update users set name = $2, verified_email = email where id = $1', [
      kim.id,
      'Kim\r\nBcc: eve@evil.test\r\n\r\nHello',
    ])
    await sql(stores, 'update organizations set name = $2 where id = $1', [
      world.acme,
      'Acme\u202e\r\nX-Evil: yes',
    ])
    await sql(stores, 'update users set name = $2 where id = $1', [
      world.ana.id,
      'Ana\u202e\r\nX-Evil: yes\r\n<script>',
    ])
    const app = await createApp(running, { name: '<b>Report</b> & Builder' })
    await install(running, world.acme, app)
    await sql(
      stores,
      `insert into mail_events (id, type, organization_id, client_id, user_id)
       values ($1, 'install.requested', $2, $3, $4)`,
      [`evil${app.client_id}`, world.acme, app.client_id, world.ana.id],
    )
    const { mail, raw, header } = await smtp.next(about('install.requested', kim.email))
    const [headers = ''] = raw.split('\r\n\r\n', 1)
    t.notMatch(headers, /^(Bcc|X-Evil):/im)
    t.notMatch(mail.subject, /\u202e|[\r\n]/)
    t.match(mail.subject, 'Ana')
    t.match(mail.subject, 'asks for <b>Report</b> & Builder')
    t.match(String(mail.html), '<bdi>&lt;b&gt;Report&lt;/b&gt; &amp; Builder</bdi>')
    t.match(header('list-unsubscribe'), `<${running.issuer}/unsubscribe?token=`)
    t.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  },
  { environment },
)

await onEachBackend(
  'many mails that can wait become one message',
  async (t, { stores, running, world }) => {
    const { kim } = world
    await running.operator('PATCH', `/users/${kim.id}`, { email_verified: true })
    const apps = await Promise.all(
      Array.from({ length: 8 }, (_, at) => createApp(running, { name: `Tool ${at}` })),
    )
    const values = apps.map(({ client_id }) => `('many${client_id}', '${client_id}')`).join()
    await sql(
      stores,
      `insert into mail_events (id, type, organization_id, client_id)
       select id, 'install.requested', $1, client_id from (values ${values}) one (id, client_id)`,
      [world.acme],
    )
    const { mail, header } = await smtp.next(about('digest', kim.email))
    for (const at of apps.keys()) t.match(mail.text, `: a member asks for Tool ${at}`)
    t.match(header('list-unsubscribe'), '/unsubscribe?token=')
    const sent = await sql<{ count: number }>(
      stores,
      `select count(distinct bundle)::integer as count from mails where user_id = $1
         and type = 'install.requested'`,
      [kim.id],
    )
    t.equal(sent[0]?.count, 1)
    // Later ones wait for each other.
    await sql(
      stores,
      `insert into mail_events (id, type, organization_id) values ('late', 'app.unused', $1)`,
      [world.acme],
    )
    await eventually(async () => {
      const rows = await sql<{ waits: boolean }>(
        stores,
        `select next_attempt_at > now() + interval '50 minutes' as waits from mails where event_id = 'late'`,
      )
      return rows[0]?.waits === true
    })
  },
  { environment },
)

await onEachBackend(
  'a sign-in from a new place is reported',
  async (t, { stores, running, world }) => {
    const { kim } = world
    const signInWith = async (userAgent: string) => {
      const visitor = createVisitor(running.issuer)
      await signIn(visitor, kim, { 'user-agent': userAgent })
    }
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
    const safari =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'
    await signInWith(firefox)
    await eventually(async () => (await countPlaces(world.kim.id)) === 2)
    await signInWith(firefox)
    await signInWith(safari)
    const { mail } = await smtp.next(about('session.signed_in', kim.email))
    t.match(mail.text, /Device: Safari.*mac/i)
    t.match(mail.text, /IP address: 127\.0\.0\.1/)
    t.equal(smtp.received.filter(about('session.signed_in', kim.email)).length, 1)

    async function countPlaces(userId: string) {
      const rows = await sql(stores, 'select 1 from sign_in_places where user_id = $1', [userId])
      return rows.length
    }
  },
  { environment },
)

await onEachBackend(
  'without a mail server nothing is queued',
  async (t, { stores, running, world }) => {
    await running.operator('PATCH', `/users/${world.kim.id}`, { password: 'a horse in silence' })
    await signedIn(running.issuer, { email: world.kim.email, password: 'a horse in silence' })
    t.equal(await countRows(stores, 'mail_events'), 0)
    t.equal(await countRows(stores, 'mails'), 0)
    t.equal(await countRows(stores, 'sign_in_places'), 0)
  },
)

await onEachBackend(
  'people whose access becomes smaller are told',
  async (t, { running, world, issuer }) => {
    const { acme, sales, ana, kim } = world
    const app = await createApp(running, { name: 'Letters' })
    await install(running, acme, app)
    const path = `/organizations/${acme}/installs/${app.client_id}`
    const change = async (body: object) =>
      t.equal((await running.operator('PATCH', path, body)).status, 200)
    for (const person of [ana, kim]) {
      const code = await currentCode(running, app, person, { organization_id: acme })
      await exchangeCode(issuer, app, code)
      await signedIn(issuer, person)
    }
    const told = () =>
      smtp.received.filter(
        (one) =>
          one.header('x-latchkey-event') === 'install.narrowed' &&
          [ana.email, kim.email].includes(one.to),
      )
    await change({ expires_at: '2030-01-01T00:00:00Z' })
    await change({ audience: { users: [kim.id], workspaces: [] } })
    const { mail } = await smtp.next(about('install.narrowed', ana.email))
    t.equal(mail.subject, 'Letters has less access in Acme')
    await change({ audience: { everyone: true } })
    await change({ workspace_ids: [sales] })
    await eventually(() => told().length === 3)
    const addressees = told().map(({ to }) => to)
    t.same(addressees.sort(), [ana.email, ana.email, kim.email].sort(), 'no other change does')
  },
  { environment },
)

await onEachBackend(
  'an owner reads what the operator decided, and admins what a member installed',
  async (t, { running, world }) => {
    const { operator, issuer } = running
    const { acme, ana, kim } = world
    const app = await createApp(running, {
      name: 'Letter Press',
      reviewed: true,
      owners: [ana.id],
    })
    const owner = await signedIn(issuer, ana)
    await signedIn(issuer, kim)
    const decide = async (name: string, decision: Record<string, string>) => {
      const page = await owner.get(`/developer/apps/${app.client_id}/change`)
      await owner.submit(page, { name })
      const { items } = (await operator('GET', '/app-changes')).body
      const { id } = items.find(({ client_id }: Json) => client_id === app.client_id)
      t.equal((await operator('POST', `/app-changes/${id}`, decision)).status, 200)
    }
    await decide('Data Bank', { decision: 'refuse', note: 'This is the name of a bank.' })
    const refused = await smtp.next(about('app_change.refused', ana.email))
    t.match(refused.mail.text, 'This is the name of a bank.')
    t.not(refused.header('list-unsubscribe'), '')
    await decide('Letter Box', { decision: 'approve' })
    t.match((await smtp.next(about('app_change.approved', ana.email))).mail.subject, 'Letter Box')

    const reader = await createApp(running, { permissions: [], reviewed: true, name: 'Reader' })
    const policy = { connect: 'all', self_install: 'reviewed_read_only' }
    const rest = { default_expires_days: null, default_idle_days: null }
    await operator('PUT', `/organizations/${acme}/policy`, { ...policy, ...rest })
    await currentCode(running, reader, ana, { organization_id: acme })
    const told = await smtp.next(about('install.self_installed', kim.email))
    t.match(told.mail.subject, 'installed Reader')
  },
  { environment },
)
