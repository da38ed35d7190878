import { simpleParser } from 'mailparser'
import t from 'tap'
import { languages } from '../../src/core/language/languages.ts'
import type { DueMail } from '../../src/core/notifications/mail.ts'
import { mailCategories, mailTypes } from '../../src/core/notifications/mail-rules.ts'
import { createMailMessages } from '../../src/http/mail/mail-message.ts'
import { unlinked } from '../../src/http/mail/unlinked.ts'
import { textIn } from '../../src/words/text.ts'
import { eventually } from '../support/eventually.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import type { StoreSetup } from '../support/stores.ts'
import { sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'

const issuer = 'https://login.acme.test'

/** Names, and what mails make of them. */
const links: [name: string, written: string][] = [
  ['evil.com', 'evil. com'],
  ['https://evil.com/a?b=c', 'https: / /evil. com/a?b=c'],
  ['http://localhost:80/', 'http: / /localhost: 80/'],
  ['http:/\\intranet', 'http: / \\intranet'],
  ['www.evil.com', 'www. evil. com'],
  ['//evil.com', '/ /evil. com'],
  ['eve@evil.com', 'eve @ evil. com'],
  ['mailto:eve@localhost', 'mailto: eve @ localhost'],
  ['tel:+1-900', 'tel: +1-900'],
  ['sms:900', 'sms: 900'],
  ['\\\\evil\\share', '\\ \\evil\\share'],
  ['Reset:login.evil.com', 'Reset: login. evil. com'],
  ['evil.c.om', 'evil.c. om'],
  ['evil.xn--p1ai', 'evil. xn--p1ai'],
  ['evil.\u0440\u0444', 'evil. \u0440\u0444'],
  ['evil.\u4e2d', 'evil. \u4e2d'],
  ['evil.\u0301com', 'evil. \u0301com'],
  ['evil.\u24d2\u24de\u24dc', 'evil. \u24d2\u24de\u24dc'],
  ['evil\u3002com', 'evil\u3002 com'],
  ['evil\uff0ecom', 'evil\uff0e com'],
  ['evil\uff61com', 'evil\uff61 com'],
  ['evil\u2024com', 'evil\u2024 com'],
  ['evil\ufe52com', 'evil\ufe52 com'],
  ['https\uff1a\uff0f\uff0fevil', 'https\uff1a \uff0f \uff0fevil'],
  ['eve\uff20evil', 'eve \uff20 evil'],
  ['203.0.113.9', '203.0.113. 9'],
  ['http://203.0.113.9:8080/', 'http: / /203.0.113. 9:8080/'],
  ['Call +1 900 555 0100', 'Call +1_900_555_010_0'],
  ['Call 0900 5550100', 'Call 090_0_555_010_0'],
  [
    'Call +\u0661\u0669\u0660\u0660\u0665\u0665\u0665',
    'Call +\u0661\u0669\u0660_\u0660\u0665\u0665_\u0665',
  ],
]
const ordinary = [
  ...[
    'Acme Inc.',
    'St. Mary',
    'Dr. No',
    'Version 2.0',
    'v1.2.3',
    'S.p.A.',
    'TSV e.V.',
    'J.R.R. Tolkien',
  ],
  ...[
    '.NET',
    'R&D / Ops',
    'A/B',
    'Kim @ Work',
    '10:30 Club',
    'Class 2024-2025',
    '2026-01-15',
    'Q: A',
  ],
  ...[
    '\u55b6\u696d\u90e8\uff1a\u6771\u4eac',
    'Mr.\u00a0Smith',
    '3.5mm',
    'To be continued\u2026',
    'a.m.',
  ],
]

/** The links that a mail program finds in a plain text. */
const foundIn = async (text: string) => {
  const { textAsHtml = '' } = await simpleParser(
    `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
  )
  return [...textAsHtml.matchAll(/href="([^"]*)"/g)].map(([, href]) => String(href))
}

/** Each has links to the issuer only. */
const partsOf = (message: ReturnType<ReturnType<typeof createMailMessages>>) => [
  message.subject,
  message.to.name,
  message.text,
  message.html.replace(/<style>.*?<\/style>|<a .*?<\/a>/gs, ' ').replace(/<[^>]*>/g, ''),
]

const messagesAs = (brand: string) =>
  createMailMessages({
    base: issuer,
    brand,
    defaultLanguage: 'en',
    mailChoices: { tokenFor: () => 'token' },
    passwordLinks: { tokenFor: () => 'token' },
  })

const smtp = await startSmtpServer()
t.teardown(smtp.stop)
const environment = { SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@mail.test' }
const receivedBy = (part: string) => smtp.received.filter(({ to }) => to.includes(part))

/** Users, each with an address of `host`; `role`: members of the organization. */
const addUsers = async (
  stores: StoreSetup,
  { organization, host, count }: { organization: string; host: string; count: number },
) => {
  await sql(
    stores,
    `with added as (
       insert into users (id, email, name, verified_email)
       select $2 || n, n || '@' || $2, 'Kim', n || '@' || $2 from generate_series(1, $3::integer) n
       returning id)
     insert into members (organization_id, user_id, role) select $1, id, 'admin' from added`,
    [organization, host, count],
  )
}

await onEachBackend(
  'MAI-02 mails about requests and apps reach no stranger whom an organization has named',
  async (t, { stores, running, issuer, world }) => {
    const { acme, kim, second } = world
    const admins = [
      { name: 'a stranger', part: {} },
      { name: 'a stranger with a password', part: { password: 'a horse of a stranger' } },
      { name: 'verified', part: { email_verified: true } },
    ]
    for (const [at, { part }] of admins.entries()) {
      const user = {
        email: `${at}@named-${acme}.test`.toLowerCase(),
        name: 'See evil.com',
        ...part,
      }
      const { body } = await running.operator('POST', '/users', user)
      await running.operator('PUT', `/organizations/${acme}/members/${body.id}`, { role: 'admin' })
    }
    await signedIn(issuer, kim)
    const types = ['install.requested', 'app.unused', 'secret.expiring', 'grant.reuse_detected']
    for (const type of types)
      await sql(
        stores,
        `insert into mail_events (id, type, organization_id, client_id, detail)
         values ($1, $1, $2, $3, '{"expires_at": "2099-01-01T00:00:00Z"}')`,
        [type, acme, second.client_id],
      )
    await eventually(() => receivedBy(kim.email).length >= types.length)
    await eventually(() => receivedBy(`2@named-${acme}`.toLowerCase()).length >= types.length)
    const named = receivedBy(`named-${acme}`.toLowerCase()).map(({ to }) => to[0])
    t.same(new Set(named), new Set(['2']))
  },
  { environment },
)

await onEachBackend(
  'MAI-03 an organization causes a thousand mails an hour',
  async (t, { stores, world }) => {
    const { acme, other, zoe } = world
    await addUsers(stores, { organization: acme, host: 'flood.test', count: 100 })
    await sql(stores, 'update users set verified_email = email where id = $1', [zoe.id])
    await sql(stores, `update members set role = 'admin' where user_id = $1`, [zoe.id])
    const add = (name: string, organization: string, count: number) =>
      sql(
        stores,
        `insert into mail_events (id, type, organization_id, client_id)
         select $1 || n, 'install.requested', $2, $1 || n from generate_series(1, $3::integer) n`,
        [name, organization, count],
      )
    await add('one', acme, 9)
    await add('two', acme, 9)
    await add('three', other, 2)
    await eventually(async () => (await sql(stores, 'select 1 from mail_events')).length === 0)
    const mailsOf = (organization: string) =>
      sql(stores, `select 1 from mails where organization_id = $1`, [organization])
    t.equal((await mailsOf(acme)).length, 1000)
    t.equal((await mailsOf(other)).length, 2)
  },
  { environment },
)

await onEachBackend(
  'MAI-04 mails of one organization do not delay those of others, or a password',
  async (t, { stores, issuer, world }) => {
    const { acme, other, kim, zoe } = world
    const count = 300
    const host = `slow-${acme}.test`.toLowerCase()
    await addUsers(stores, { organization: acme, host, count })
    smtp.slowDown(40)
    t.teardown(() => smtp.slowDown(0))
    const add = (type: string, category: string, organization: string, part: string) =>
      sql(
        stores,
        `insert into mails (user_id, event_id, type, category, organization_id, detail, next_attempt_at)
         select id, $1, $1, $2, $3, '{}', now() from users where email like $4`,
        [type, category, organization, part],
      )
    await add('install.requested', 'requests', acme, `%@${host}`)
    await add('grant.reuse_detected', 'security', acme, `%@${host}`)
    await eventually(() => receivedBy(host).length > 10)
    await add('app.unused', 'apps', other, zoe.email)
    await add('grant.reuse_detected', 'security', other, zoe.email)
    const visitor = createVisitor(issuer)
    await visitor.submit(await visitor.get('/forgot-password'), { email: kim.email })
    const ahead = (isWanted: (one: (typeof smtp.received)[number]) => boolean) => {
      const mine = smtp.received.filter(
        ({ to }) => to.includes(host) || [kim.email, zoe.email].includes(to),
      )
      const at = mine.findIndex(isWanted)
      return at < 0 ? null : at
    }
    const places = () => [
      ahead((one) => one.header('x-latchkey-event') === 'password.requested'),
      ahead(({ to, header }) => to === zoe.email && header('x-latchkey-event') === 'app.unused'),
      ahead(
        ({ to, header }) =>
          to === zoe.email && header('x-latchkey-event') === 'grant.reuse_detected',
      ),
    ]
    await eventually(() => places().every((at) => at !== null))
    for (const at of places()) t.ok(Number(at) < count, `${at} mails were sent before`)
    await eventually(() => receivedBy(host).length >= 2 * count)
    await eventually(async () => {
      const waiting = await sql(stores, 'select 1 from mails where next_attempt_at is not null')
      return waiting.length === 0
    })
    const ids = receivedBy(host).map(({ header }) => header('message-id'))
    t.equal(ids.length, 2 * count)
    t.equal(new Set(ids).size, ids.length, 'each mail once')
  },
  { environment, instances: 2 },
)

t.test('MAI-01 names that a mail program would turn into links', async (t) => {
  const messageOf = messagesAs('Northwind')
  const mailOf = (
    type: DueMail['type'],
    locale: string,
    [app, organization, asker]: string[],
  ): DueMail => ({
    recipient: {
      id: 'usr1',
      email: 'kim@acme.test',
      name: asker ?? '',
      locale,
      credentialsEpoch: 0,
      sessionsEpoch: 0,
    },
    eventId: type,
    type,
    category: mailCategories[0],
    organizationId: 'org1',
    organization: organization ?? null,
    clientId: 'app1',
    client: app ?? null,
    asker: asker ?? null,
    inviter: asker ?? null,
    invitedTo: organization ?? null,
    detail: { expires_at: '2026-11-30T22:30:00Z', count: 70, browser: 'Firefox', system: 'Linux' },
    createdAt: new Date('2026-11-30T22:30:00Z'),
    attempts: 1,
    age: 1,
    bundle: null,
  })

  for (const [name, written] of links) t.equal(unlinked(name), written)
  for (const name of ordinary) t.equal(unlinked(name), name)
  for (const code of languages) {
    const { formats } = textIn(code)
    for (const written of [formats.moment, formats.day].map((format) => format(new Date(0))))
      t.equal(unlinked(written), written, code)
  }
  t.ok((await foundIn('See evil.com')).length > 0, 'the test finds links')

  // The last ones are harmless alone; the words between them must not make links of them.
  const names = [
    ...links.map(([name]) => [name, name, name]),
    ['www.', 'com', 'evil'],
    ['com', 'evil', 'eve@'],
  ]
  for (const code of languages)
    for (const three of names) {
      const mails = mailTypes.map((type) => mailOf(type, code, three))
      const digest = messageOf(mails as [DueMail, ...DueMail[]])
      const texts = [...mails.map((mail) => messageOf([mail])), digest].flatMap(partsOf)
      const found = await foundIn(texts.join('\n\n'))
      t.same(
        found.filter((href) => !href.startsWith(`${issuer}/`)),
        [],
        `${code}: ${three}`,
      )
    }

  const branded = messagesAs('login.brand.example')
  t.match(
    branded([mailOf('user.invited', 'en', [])]).subject,
    'login.brand.example',
    'the name of the operator stays',
  )
})
