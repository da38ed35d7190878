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

interface Names {
  app: string
  organization: string
}

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

const requestOf = ({ clientId }: DueMail) => `requests/${encodeURIComponent(clientId ?? '')}`

/** What an app would do. Permissions of the platform have no words here. */
const wishFacts = ({ detail }: DueMail, text: Text): MailContent['facts'] => {
  const names = Array.isArray(detail.permissions) ? detail.permissions.map(String) : []
  const known = { ...text.permissions.legacy, ...text.permissions.current }
  const wishes = names.map((name) =>
    Object.hasOwn(known, name) ? known[name as keyof typeof known].sentence : name,
  )
  return wishes.length === 0 ? [] : [{ label: text.mails.facts.wants, value: wishes.join('; ') }]
}

/** What a member or an admin has written. */
const reasonFacts = (mail: DueMail, text: Text): MailContent['facts'] => {
  const value = textOfDetail(mail, 'reason')
  return value === '' ? [] : [{ label: text.mails.facts.reason, value }]
}

/** A mail to admins about what a member asks for or does. */
const memberAsks =
  (name: 'requested' | 'waiting' | 'selfInstalled'): Compose =>
  (mail, text, { app, organization }, { urlOf }) => {
    const words = text.mails[name]
    const page = name === 'selfInstalled' ? 'apps' : requestOf(mail)
    return {
      subject: words.subject(app, organization, mail.asker),
      lead: words.lead(app, organization, mail.asker),
      action: { label: words.action, href: urlOf(ofOrganization(mail, page)) },
      facts: [...wishFacts(mail, text), ...reasonFacts(mail, text)],
    }
  }

/** A mail to admins about an app. */
const aboutInstall =
  (name: 'asksForMore' | 'unused'): Compose =>
  (mail, text, { app, organization }, { urlOf }) => {
    const words = text.mails[name]
    return {
      subject: words.subject(app, organization),
      lead: words.lead(app, organization),
      action: { label: words.action, href: urlOf(ofOrganization(mail, 'apps')) },
    }
  }

/** The decision of an admin about the user's access. */
const answer =
  (name: 'approved' | 'refused' | 'unanswered' | 'narrowed'): Compose =>
  (mail, text, { app, organization }, { urlOf }) => {
    const words = text.mails[name]
    return {
      subject: words.subject(app, organization),
      lead: words.lead(app, organization),
      action: { label: words.action, href: urlOf('/account/apps') },
      facts: name === 'refused' ? reasonFacts(mail, text) : [],
    }
  }

const connection =
  (name: 'connected' | 'disconnected'): Compose =>
  (_, text, { app, organization }, { urlOf }) => {
    const words = text.mails[name]
    return {
      subject: words.subject(app),
      lead: words.lead(app, organization),
      action: { label: words.action, href: urlOf('/account/apps') },
    }
  }

/** A mail to the owners of an app, with the words of the operator if there are any. */
const aboutOwnApp =
  (name: 'webhookOff' | 'webhookFailed' | 'changeApproved' | 'changeRefused'): Compose =>
  (mail, text, { app }, { urlOf }) => {
    const words = text.mails[name]
    const note = textOfDetail(mail, 'note')
    return {
      subject: words.subject(app),
      lead: words.lead(app),
      action: { label: words.action, href: urlOf(ofApp(mail)) },
      facts: note === '' ? [] : [{ label: text.mails.facts.note, value: note }],
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

const contents: Record<MailType, Compose> = {
  'install.requested': memberAsks('requested'),
  'install_request.reminded': memberAsks('waiting'),
  'install_request.approved': answer('approved'),
  'install_request.refused': answer('refused'),
  'install_request.expired': answer('unanswered'),
  'install.self_installed': memberAsks('selfInstalled'),
  'app_change.approved': aboutOwnApp('changeApproved'),
  'app_change.refused': aboutOwnApp('changeRefused'),
  'install.narrowed': answer('narrowed'),
  'app.asks_for_more': aboutInstall('asksForMore'),
  'app.unused': aboutInstall('unused'),
  'secret.expiring': secretEnds,
  'webhook.disabled': aboutOwnApp('webhookOff'),
  'webhook.given_up': aboutOwnApp('webhookFailed'),
  'app.refusals_rose': (mail, text, { app }, { urlOf }) => ({
    subject: text.mails.refusals.subject(app),
    lead: text.mails.refusals.lead(textOfDetail(mail, 'count'), app),
    action: { label: text.mails.refusals.action, href: urlOf(ofApp(mail)) },
  }),
  'grant.reuse_detected': (mail, text, { app, organization }, { urlOf }) => ({
    subject: text.mails.reuse.subject(app, organization),
    lead: text.mails.reuse.lead(app),
    action: { label: text.mails.reuse.action, href: urlOf(ofOrganization(mail, 'activity')) },
  }),
  'consent.granted': connection('connected'),
  'connection.ended': connection('disconnected'),
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
