/** Each kind of mail, in four languages, as a real SMTP server receives it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type MailType, mailRuleOf } from '../../src/core/notifications/mail-rules.ts'
import { eventually } from '../support/eventually.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { type ReceivedMail, startSmtpServer } from '../support/smtp-server.ts'
import { sql } from '../support/traces.ts'
import { createApp } from '../support/world.ts'

const smtp = await startSmtpServer()
t.teardown(smtp.stop)

// LATCHKEY_TEST_SCREENSHOTS=1 writes each HTML part, for review in a browser.
const folder = join(import.meta.dirname, '../../.tap/mails')
const writesFiles = Boolean(process.env.LATCHKEY_TEST_SCREENSHOTS)
if (writesFiles) mkdirSync(folder, { recursive: true })

const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString()
const place = { browser: 'Firefox', system: 'Linux', address: '203.0.113.9' }

interface Sample {
  detail?: Record<string, unknown>
  /** In English. */
  subject: RegExp
  /** The path of its action. */
  path: RegExp
}

const ofApps = /^\/organizations\/[^/]+\/apps$/
const ofRequest = /^\/organizations\/[^/]+\/requests\/[^/]+$/
const ofDeveloper = /^\/developer\/apps\/[^/]+$/
const samples: Record<MailType, Sample> = {
  'install.requested': { subject: /^Acme: Ana Ruiz asks for Letter Press$/, path: ofRequest },
  'install_request.reminded': {
    subject: /^Acme: Ana Ruiz still waits for Letter Press$/,
    path: ofRequest,
  },
  'install_request.approved': {
    subject: /^Your request for Letter Press in Acme was approved$/,
    path: /apps$/,
  },
  'install_request.refused': { subject: /in Acme was refused$/, path: /apps$/ },
  'install_request.expired': { subject: /^No answer to your request/, path: /apps$/ },
  'install.self_installed': {
    subject: /^Acme: Ana Ruiz installed Letter Press$/,
    path: ofApps,
  },
  'app_change.approved': {
    detail: { note: 'Welcome.' },
    subject: /^The change of Letter Press was approved$/,
    path: ofDeveloper,
  },
  'app_change.refused': {
    detail: { note: 'Too much.' },
    subject: /^The change of Letter Press was refused$/,
    path: ofDeveloper,
  },
  'install.narrowed': {
    subject: /^Letter Press has less access in Acme$/,
    path: /^\/account\/apps$/,
  },
  'app.asks_for_more': { subject: /^Letter Press asks for more in Acme$/, path: ofApps },
  'app.unused': { subject: /unused for 90 days in Acme$/, path: ofApps },
  'secret.expiring': {
    detail: { days: 7, kind: 'key_set', expires_at: inAWeek },
    subject: /^Acme: a secret of Letter Press ends on \d+ \w+ \d{4}$/,
    path: /^\/organizations\/[^/]+\/keys$/,
  },
  'webhook.disabled': { subject: /^A webhook of Letter Press/, path: ofDeveloper },
  'webhook.given_up': { subject: /were not delivered$/, path: ofDeveloper },
  'app.refusals_rose': {
    detail: { count: 70 },
    subject: /^Many more requests of Letter Press/,
    path: ofDeveloper,
  },
  'grant.reuse_detected': {
    subject: /^A token of Letter Press was used twice in Acme$/,
    path: /^\/organizations\/[^/]+\/activity$/,
  },
  'consent.granted': { subject: /can now act in your name$/, path: /^\/account\/apps$/ },
  'connection.ended': { subject: /can no longer act in your name$/, path: /^\/account\/apps$/ },
  'passkey.added': { subject: /^A passkey was added/, path: /^\/account\/passkeys$/ },
  'user.password_set': {
    detail: place,
    subject: /^Your password is set$/,
    path: /^\/forgot-password$/,
  },
  'user.password_changed': {
    detail: place,
    subject: /^Your password was changed$/,
    path: /^\/forgot-password$/,
  },
  'session.signed_in': { detail: place, subject: /^New sign-in/, path: /^\/account\/sessions$/ },
  'password.requested': { subject: /^Set a new password$/, path: /^\/set-password$/ },
  'user.invited': {
    subject: /^Ana Ruiz invites you to Northwind$/,
    path: /^\/set-password$/,
  },
}
const types = Object.keys(samples) as MailType[]

const languages = { en: 'ltr', de: 'ltr', ja: 'ltr', ar: 'rtl' } as const

/** The links of the HTML part, apart from those below the card. */
const actionsOf = ({ mail }: ReceivedMail) =>
  [...String(mail.html).matchAll(/<a class="button" href="([^"]+)">/g)].map(([, href]) => href)

await onEachBackend(
  'each kind of mail, in the language of its reader',
  async (t, { stores, running, world }) => {
    const { issuer } = running
    await sql(stores, 'update organizations set name = $2 where id = $1', [world.acme, 'Acme'])
    await sql(stores, 'update users set name = $2 where id = $1', [world.ana.id, 'Ana Ruiz'])
    await running.operator('PUT', `/organizations/${world.acme}/members/${world.ana.id}`, {
      role: 'member',
    })
    const app = await createApp(running, { name: 'Letter Press' })
    const readers = await Promise.all(
      Object.keys(languages).map(async (locale) => {
        const email = `${locale}-${app.client_id}@readers.test`.toLowerCase()
        const { body } = await running.operator('POST', '/users', { email, name: 'Kim Lee' })
        await sql(stores, 'update users set locale = $2 where id = $1', [body.id, locale])
        return { id: String(body.id), email, locale: locale as keyof typeof languages }
      }),
    )
    for (const type of types) {
      const { detail = {}, subject, path } = samples[type]
      const { category } = mailRuleOf(type)
      for (const { id } of readers)
        await sql(
          stores,
          `insert into mails (user_id, event_id, type, category, organization_id, client_id, detail,
             next_attempt_at) values ($1, $2, $3, $4, $5, $6, $7, now() - interval '1 second')`,
          [
            id,
            `${type}-1`,
            type,
            category,
            world.acme,
            app.client_id,
            JSON.stringify({ ...detail, asker_id: world.ana.id, inviter_id: world.ana.id }),
          ],
        )
      const mine = () => smtp.received.filter((one) => one.header('x-latchkey-event') === type)
      const all = () => readers.map(({ email }) => mine().find(({ to }) => to === email))
      await eventually(() => all().every(Boolean))
      for (const [at, one] of all().entries()) {
        const { locale, email } = readers[at] as (typeof readers)[number]
        const { mail, header, raw } = one as ReceivedMail
        const about = `${type} in ${locale}`
        const isSecurity = category === 'security' || category === 'account'
        if (locale === 'en') t.match(mail.subject, subject, about)
        else t.notMatch(mail.subject, subject, about)
        t.match(String(mail.html), `<html lang="${locale}" dir="${languages[locale]}">`, about)
        t.match(header('content-language'), locale, about)
        t.equal(header('auto-submitted'), 'auto-generated', about)
        t.match(header('message-id'), /^<[0-9a-f]{32}@/, about)
        t.equal(header('list-unsubscribe') !== '', !isSecurity, about)
        t.equal(header('list-unsubscribe-post') !== '', !isSecurity, about)
        const [href, ...others] = actionsOf(one as ReceivedMail)
        t.same(others, [], `${about}: one action`)
        t.match(new URL(String(href)).pathname, path, about)
        t.match(mail.text, String(href), `${about}: the action is in the text too`)
        for (const [url] of `${mail.text} ${mail.html}`.matchAll(/https?:\/\/[^\s"<]+/g))
          t.equal(new URL(url).origin, issuer, `${about}: ${url}`)
        t.notMatch(mail.text, /undefined|null|\{|Invalid/, about)
        t.notMatch(mail.html, /undefined|\{person|\{app|Invalid/, about)
        t.notMatch(raw.replaceAll(/^[^\r\n]*@readers\.test.*$/gim, ''), email, about)
        if (writesFiles)
          writeFileSync(
            join(folder, `${type}-${locale}.html`),
            `${mail.html}<!--\n${mail.subject}\n\n${mail.text}-->`,
          )
      }
      // They would be bundled with the next ones.
      await sql(stores, 'delete from mails where sent_at is not null')
    }
    const ids = smtp.received.map(({ header }) => header('message-id'))
    t.equal(new Set(ids).size, ids.length, 'a Message-ID of its own for each event and reader')
    smtp.received.length = 0
  },
  {
    environment: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Latchkey <latchkey@mail.test>',
      BRAND_NAME: 'Northwind',
    },
  },
)
