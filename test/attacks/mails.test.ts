import { simpleParser } from 'mailparser'
import t from 'tap'
import { languages } from '../../src/core/language/languages.ts'
import type { DueMail } from '../../src/core/notifications/mail.ts'
import { mailCategories, mailTypes } from '../../src/core/notifications/mail-rules.ts'
import { createMailMessages } from '../../src/http/mail/mail-message.ts'
import { unlinked } from '../../src/http/mail/unlinked.ts'
import { textIn } from '../../src/http/pages/rendering/text.ts'

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
    issuer,
    brand,
    defaultLanguage: 'en',
    mailChoices: { tokenFor: () => 'token' },
    passwordLinks: { tokenFor: () => 'token' },
  })

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
