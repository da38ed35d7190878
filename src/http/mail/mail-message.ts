// One message: headers, text and HTML.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { withoutHidden } from '../../core/language/display-text.ts'
import type { DueMail, MailBundle } from '../../core/notifications/mail.ts'
import type { MailChoices } from '../../core/notifications/mail-choices.ts'
import { type ChosenCategory, mailCategories } from '../../core/notifications/mail-rules.ts'
import type { PasswordLinks } from '../../core/people/password-links.ts'
import type { Phrase } from '../../words/phrase.ts'
import { type Text, textIn } from '../../words/text.ts'
import { escapeHtml } from '../server/escape.ts'
import { type ContentDependencies, contentOf, type MailContent } from './mail-content.ts'
import { unlinked } from './unlinked.ts'

/** A message as nodemailer takes it. Names and addresses are encoded there, so that none can add a header. */
export interface MailMessage {
  messageId: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

export interface MessageDependencies {
  /** The address of the server, without a final slash. */
  base: string
  brand: string
  /** The language of people who have chosen none. */
  defaultLanguage: string
  mailChoices: Pick<MailChoices, 'tokenFor'>
  passwordLinks: Pick<PasswordLinks, 'tokenFor'>
}

const views = fileURLToPath(new URL('../../../views/', import.meta.url))
const style = readFileSync(new URL('../../../views/mails/mail.css', import.meta.url), 'utf8')
const eta = new Eta({ views, autoEscape: true, cache: true, escapeFunction: escapeHtml })

const rightToLeft =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u

/** The words of a phrase. No name in it is a link, except the operator's own. */
const withoutLinks = (phrase: Phrase, brand: string): Phrase =>
  phrase.map((part) =>
    typeof part === 'string' || part.name === brand ? part : { name: unlinked(part.name) },
  )

/** Plain text: a name that could reorder the words around it is isolated (UAX #9 §2.4). */
const plain = (phrase: Phrase, { language }: Text) =>
  phrase
    .map((part) => {
      if (typeof part === 'string') return part
      const mixes = rightToLeft.test(part.name) !== (language.direction === 'rtl')
      return mixes ? `\u2068${part.name}\u2069` : part.name
    })
    .join('')

const html = (phrase: Phrase) =>
  phrase
    .map((part) =>
      typeof part === 'string' ? escapeHtml(part) : `<bdi>${escapeHtml(part.name)}</bdi>`,
    )
    .join('')

const chosenCategories = (mails: readonly DueMail[]) =>
  mailCategories.filter((category) => mails.some((mail) => mail.category === category))

const whyOf = ({ category }: DueMail, text: Text) =>
  category === 'security' || category === 'account'
    ? text.mails.why[category]
    : text.mails.why.other

/** The same for each attempt to send these mails. */
const messageIdOf = (mails: MailBundle['mails'], base: string) => {
  const [{ recipient, eventId, bundle }] = mails
  const name = createHash('sha256')
    .update(JSON.stringify([recipient.id, mails.length > 1 ? bundle : eventId]))
    .digest('hex')
  return `<${name.slice(0, 32)}@${new URL(base).hostname}>`
}

interface Body extends MailContent {
  items: { phrase: Phrase; href: string }[]
  why: string
  links: { label: string; href: string }[]
}

const plainBody = (body: Body, text: Text, brand: string) =>
  [
    plain(body.subject, text),
    plain(body.lead, text),
    ...body.items.map(({ phrase, href }) => `* ${plain(phrase, text)}\n  ${href}`),
    ...body.facts.map(({ label, value }) => `${label}: ${value}`),
    `${body.action.label}:\n${body.action.href}`,
    ['-- ', brand, body.why, ...body.links.map(({ label, href }) => `${label}: ${href}`)].join(
      '\n',
    ),
  ].join('\n\n')

const htmlBody = (body: Body, { language }: Text, brand: string, subject: string) =>
  eta.render('mails/mail', {
    ...body,
    language,
    brand,
    style,
    subject,
    heading: html(body.subject),
    lead: html(body.lead),
    items: body.items.map(({ phrase, href }) => ({ html: html(phrase), href })),
  })

/** Makes the message of one mail, or of several that are due at once. */
export const createMailMessages = (deps: MessageDependencies) => {
  const { base, brand, defaultLanguage, mailChoices, passwordLinks } = deps
  const urlOf = (path: string) => new URL(base + path).href
  const content: ContentDependencies = {
    brand,
    urlOf,
    // In the fragment, the link would reach no log; but the page works without JavaScript.
    passwordUrl: (kind, { recipient, createdAt }) =>
      urlOf(`/set-password?token=${passwordLinks.tokenFor(kind, recipient, createdAt.getTime())}`),
  }
  const unsubscribeUrl = (userId: string, categories: readonly ChosenCategory[]) =>
    urlOf(`/unsubscribe?token=${mailChoices.tokenFor({ userId, categories })}`)

  const digestOf = (mails: MailBundle['mails'], text: Text) => ({
    subject: [text.mails.digest.subject],
    lead: [text.mails.digest.lead],
    facts: [],
    action: { label: text.mails.digest.action, href: urlOf('/') },
    items: mails.map((mail) => {
      const { subject, action } = contentOf(mail, text, content)
      return { phrase: subject, href: action.href }
    }),
  })

  return (mails: MailBundle['mails']): MailMessage => {
    const [first] = mails
    const { recipient } = first
    const text = textIn(recipient.locale ?? defaultLanguage)
    const isDigest = mails.length > 1
    const categories = chosenCategories(mails)
    const unsubscribe = categories.length > 0 ? unsubscribeUrl(recipient.id, categories) : null
    const said = isDigest
      ? digestOf(mails, text)
      : { ...contentOf(first, text, content), items: [] }
    const body: Body = {
      ...said,
      subject: withoutLinks(said.subject, brand),
      lead: withoutLinks(said.lead, brand),
      items: said.items.map(({ phrase, href }) => ({ phrase: withoutLinks(phrase, brand), href })),
      why: whyOf(first, text),
      links: unsubscribe
        ? [
            { label: text.mails.choose, href: urlOf('/account/notifications') },
            { label: text.mails.unsubscribe, href: unsubscribe },
          ]
        : [],
    }
    const subject = plain(body.subject, text)
    return {
      messageId: messageIdOf(mails, base),
      to: { name: unlinked(withoutHidden(recipient.name)), address: recipient.email },
      subject,
      text: plainBody(body, text, brand),
      html: htmlBody(body, text, brand, subject),
      headers: {
        'Auto-Submitted': 'auto-generated', // RFC 3834 §5
        'Content-Language': text.language.code,
        'X-Auto-Response-Suppress': 'All',
        'X-Latchkey-Event': isDigest ? 'digest' : first.type,
        ...(unsubscribe && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', // RFC 8058 §3.1
        }),
      },
    }
  }
}
