// What each mail says.
import type { DueMail } from '../../core/notifications/mail.ts'
import type { MailType } from '../../core/notifications/mail-rules.ts'
import { type PasswordLinkKind, passwordLinkLifetimes } from '../../core/people/password-links.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'

/** A mail in the reader's language, without the common parts. */
export interface MailContent {
  subject: Phrase
  lead: Phrase
  facts: { label: string; value: string }[]
  action: { label: string; href: string }
}

export interface ContentDependencies {
  brand: string
  /** Makes the absolute URL of a path of the issuer. */
  urlOf(path: string): string
  /** The URL with which a user sets a password. */
  passwordUrl(kind: PasswordLinkKind, mail: DueMail): string
}

const said = (words: string): Phrase => [words]

type Names = Record<'app' | 'organization', string>

const textOfDetail = ({ detail }: DueMail, name: string) => {
  const value = detail[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type Compose = (
  mail: DueMail,
  text: Text,
  names: Names,
  deps: ContentDependencies,
) => Omit<MailContent, 'facts'> & { facts?: MailContent['facts'] }

const ofOrganization = ({ organizationId }: DueMail, page: string) =>
  `/organizations/${encodeURIComponent(organizationId ?? '')}/${page}`
const ofApp = ({ clientId }: DueMail) => `/developer/apps/${encodeURIComponent(clientId ?? '')}`

/** What an app would do. Permissions of the platform have no words here. */
const wishFacts = ({ detail }: DueMail, text: Text): MailContent['facts'] => {
  const names = Array.isArray(detail.permissions) ? detail.permissions.map(String) : []
  const known = { ...text.permissions.legacy, ...text.permissions.current }
  const wishes = names.map((name) =>
    Object.hasOwn(known, name) ? known[name as keyof typeof known].sentence : name,
  )
  return wishes.length === 0 ? [] : [{ label: text.mails.facts.wants, value: wishes.join('; ') }]
}

const writtenFacts =
  (name: 'reason' | 'note') =>
  (mail: DueMail, text: Text): MailContent['facts'] => {
    const value = textOfDetail(mail, name)
    return value === '' ? [] : [{ label: text.mails.facts[name], value }]
  }

/** What a member or an admin has written. */
const reasonFacts = writtenFacts('reason')

/** The words of the operator to the owners of an app. */
const noteFacts = writtenFacts('note')

/** What a member wants an app for. */
const askedFacts = (mail: DueMail, text: Text) => [
  ...wishFacts(mail, text),
  ...reasonFacts(mail, text),
]

type Mails = Text['mails']

/** Words that name the app, the organization and who asks, or only the first of them. */
interface NamingWords {
  subject(app: string, organization: string, asker: string | null): Phrase
  lead(app: string, organization: string, asker: string | null): Phrase
  action: string
}

type Naming = {
  [Name in keyof Mails]: Mails[Name] extends NamingWords ? Name : never
}[keyof Mails]

/** @param pageOf the path of the page to which the mail leads */
const naming =
  (
    name: Naming,
    pageOf: (mail: DueMail) => string,
    factsOf: (mail: DueMail, text: Text) => MailContent['facts'] = () => [],
  ): Compose =>
  (mail, text, { app, organization }, { urlOf }) => {
    const words: NamingWords = text.mails[name]
    return {
      subject: words.subject(app, organization, mail.asker),
      lead: words.lead(app, organization, mail.asker),
      action: { label: words.action, href: urlOf(pageOf(mail)) },
      facts: factsOf(mail, text),
    }
  }

const secretEnds: Compose = (mail, text, { app, organization }, { urlOf }) => {
  const end = new Date(textOfDetail(mail, 'expires_at'))
  const day = text.formats.day(end)
  const facts = [{ label: text.mails.facts.ends, value: text.formats.moment(end) }]
  const { secretEnds, keyEnds } = text.mails
  return mail.organizationId === null
    ? {
        subject: secretEnds.subject(app, day),
        lead: secretEnds.lead(app, day),
        action: { label: secretEnds.action, href: urlOf(ofApp(mail)) },
        facts,
      }
    : {
        subject: keyEnds.subject(app, organization, day),
        lead: keyEnds.lead(app, day),
        action: { label: keyEnds.action, href: urlOf(ofOrganization(mail, 'keys')) },
        facts,
      }
}

const placeFacts = (mail: DueMail, text: Text): MailContent['facts'] => {
  const { facts } = text.mails
  const device = ['browser', 'system'].map((name) => textOfDetail(mail, name)).filter(Boolean)
  const address = textOfDetail(mail, 'address')
  return [
    { label: facts.time, value: text.formats.moment(mail.createdAt) },
    ...(mail.type === 'session.signed_in'
      ? [{ label: facts.device, value: device.join(', ') || facts.unknownDevice }]
      : []),
    ...(address === '' ? [] : [{ label: facts.address, value: address }]),
  ]
}

/** A mail about the account, with the place from which it was changed. */
const aboutAccount =
  (name: 'passkey' | 'passwordSet' | 'passwordChanged' | 'newPlace', path: string): Compose =>
  (mail, text, _, { urlOf }) => {
    const words = text.mails[name]
    return {
      subject: said(words.subject),
      lead: said(words.lead),
      action: { label: words.action, href: urlOf(path) },
      facts: placeFacts(mail, text),
    }
  }

const expiryOf = (kind: PasswordLinkKind, { createdAt }: DueMail) =>
  new Date(createdAt.getTime() + passwordLinkLifetimes[kind] * 1000)

const ownApps = () => '/account/apps'
const appsOf = (mail: DueMail) => ofOrganization(mail, 'apps')
const askedFor = (mail: DueMail) =>
  ofOrganization(mail, `requests/${encodeURIComponent(mail.clientId ?? '')}`)

const contents: Record<MailType, Compose> = {
  'install.requested': naming('requested', askedFor, askedFacts),
  'install_request.reminded': naming('waiting', askedFor, askedFacts),
  'install_request.approved': naming('approved', ownApps),
  'install_request.refused': naming('refused', ownApps, reasonFacts),
  'install_request.expired': naming('unanswered', ownApps),
  'install.self_installed': naming('selfInstalled', appsOf, askedFacts),
  'app_change.approved': naming('changeApproved', ofApp, noteFacts),
  'app_change.refused': naming('changeRefused', ofApp, noteFacts),
  'install.narrowed': naming('narrowed', ownApps),
  'app.asks_for_more': naming('asksForMore', appsOf),
  'app.unused': naming('unused', appsOf),
  'secret.expiring': secretEnds,
  'webhook.disabled': naming('webhookOff', ofApp, noteFacts),
  'webhook.given_up': naming('webhookFailed', ofApp, noteFacts),
  'app.refusals_rose': (mail, text, { app }, { urlOf }) => ({
    subject: text.mails.refusals.subject(app),
    lead: text.mails.refusals.lead(textOfDetail(mail, 'count'), app),
    action: { label: text.mails.refusals.action, href: urlOf(ofApp(mail)) },
  }),
  'grant.reuse_detected': naming('reuse', (mail) => ofOrganization(mail, 'activity')),
  'consent.granted': naming('connected', ownApps),
  'connection.ended': naming('disconnected', ownApps),
  'passkey.added': aboutAccount('passkey', '/account/passkeys'),
  'user.password_set': aboutAccount('passwordSet', '/forgot-password'),
  'user.password_changed': aboutAccount('passwordChanged', '/forgot-password'),
  'session.signed_in': aboutAccount('newPlace', '/account/sessions'),
  'password.requested': (mail, text, _, { passwordUrl }) => ({
    subject: said(text.mails.forgotten.subject),
    lead: text.mails.forgotten.lead(text.formats.moment(expiryOf('reset', mail))),
    action: { label: text.mails.forgotten.action, href: passwordUrl('reset', mail) },
  }),
  'user.invited': (mail, text, _, { brand, passwordUrl }) => ({
    subject: text.mails.invited.invites(mail.inviter, mail.invitedTo ?? brand),
    lead: text.mails.invited.lead(brand, text.formats.moment(expiryOf('invitation', mail))),
    action: { label: text.mails.invited.action, href: passwordUrl('invitation', mail) },
  }),
}

/** What a mail says to its reader. */
export const contentOf = (mail: DueMail, text: Text, deps: ContentDependencies): MailContent => {
  const { deletedApp, deletedKeySet, deletedOrganization } = text.mails
  const isKeySet = mail.type === 'secret.expiring' && mail.organizationId !== null
  const names = {
    app: mail.client ?? (isKeySet ? deletedKeySet : deletedApp),
    organization: mail.organization ?? deletedOrganization,
  }
  return { facts: [], ...contents[mail.type](mail, text, names, deps) }
}
