import type { MailAddress, MailServer } from '../core/notifications/mail-server.ts'
import { isEmailAddress, sentAddress } from '../core/people/email-address.ts'
import { type SettingValues, text } from './setting.ts'
import { isLoopback } from './values.ts'

export const mailSettings = {
  SMTP_URL: text(
    'The server that sends mails, such as `smtp://user:password@mail.example.com:587` (TLS by STARTTLS) or `smtps://…:465` (TLS from the beginning). A password is sent with TLS only, except to this computer. Without it no mails are sent.',
  ),
  MAIL_FROM: text(
    'The sender of mails: an address, or `Name <address>`. Required with `SMTP_URL`.',
  ),
  MAIL_REPLY_TO: text('The address for replies to mails. Without it replies go to `MAIL_FROM`.'),
}

const readServer = (value: string, faults: string[]): MailServer['server'] | null => {
  const url = URL.canParse(value) ? new URL(value) : null
  const isBare = url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  if (!isBare || !/^\/?$/.test(url.pathname) || url.search || url.hash) {
    faults.push(
      'SMTP_URL must be smtp://user:password@host:port or smtps://…; a password with / @ % # must be URL-encoded',
    )
    return null
  }
  const isSecure = url.protocol === 'smtps:'
  const decoded = (part: string) => {
    try {
      return decodeURIComponent(part)
    } catch {
      faults.push('SMTP_URL has a user or password that is not URL-encoded')
      return ''
    }
  }
  const user = url.username === '' ? null : decoded(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    needsTls: user !== null && !isLoopback(url),
    user,
    password: decoded(url.password),
  }
}

/** An address, or `Name <address>`. */
const readAddress = (name: string, value: string, faults: string[]): MailAddress => {
  const [, displayed = '', inBrackets] = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(value) ?? []
  const address = sentAddress(inBrackets ?? value)
  if (!isEmailAddress(address) || /[\p{Cc}\p{Cf}<>]/u.test(displayed))
    faults.push(`${name} must be an e-mail address or Name <address>`)
  return { name: displayed.replace(/^"(.*)"$/, '$1'), address }
}

/** Reads the mail settings. Adds faults to `faults`. @returns null: no mails are sent */
export const readMail = (env: SettingValues<typeof mailSettings>, faults: string[]) => {
  if (env.SMTP_URL === '') {
    for (const name of ['MAIL_FROM', 'MAIL_REPLY_TO'] as const)
      if (env[name] !== '') faults.push(`${name} needs SMTP_URL`)
    return null
  }
  const server = readServer(env.SMTP_URL, faults)
  const addressIn = (name: 'MAIL_FROM' | 'MAIL_REPLY_TO') =>
    env[name] === '' ? null : readAddress(name, env[name], faults)
  const from = addressIn('MAIL_FROM')
  if (from === null) faults.push('MAIL_FROM is required with SMTP_URL')
  const replyTo = addressIn('MAIL_REPLY_TO')
  return server && from && { server, from, replyTo }
}
