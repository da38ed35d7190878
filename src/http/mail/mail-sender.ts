// Sends messages by SMTP.
import { createTransport } from 'nodemailer'
import { mostSenders } from '../../core/notifications/mail-delivery.ts'
import type { MailAttempt } from '../../core/notifications/mail-schedule.ts'
import type { MailServer } from '../../core/notifications/mail-server.ts'
import type { MailMessage } from './mail-message.ts'

const timeout = 10_000 // ms

/** Faults of the message, not of the server or the connection to it. */
const ofMessage = ['EENVELOPE', 'EMESSAGE']

interface MailError {
  code?: string
  /** Of the server. */
  responseCode?: number
  /** Of the system, such as `ECONNREFUSED`. */
  originalCode?: string
}

/** The fault without the server's words, which may repeat the address. */
const attemptOf = (error: unknown): MailAttempt => {
  const { code = 'unknown', responseCode, originalCode } = error as MailError
  // The code of the system names a refused connection and the reason why a certificate is not trusted.
  const fault = [code, responseCode ?? originalCode].filter(Boolean).join(' ')
  // 421: the server closes the connection (RFC 5321 §4.2.3).
  if (!ofMessage.includes(code) || responseCode === undefined || responseCode === 421)
    return { kind: code === 'EENVELOPE' && responseCode === undefined ? 'refused' : 'away', fault }
  return { kind: responseCode >= 500 ? 'refused' : 'deferred', fault }
}

export const createMailSender = ({ server, from, replyTo }: MailServer) => {
  const { host, port, isSecure, needsTls, user, password } = server
  const transport = createTransport({
    pool: true,
    maxConnections: mostSenders,
    host,
    port,
    secure: isSecure,
    requireTLS: needsTls,
    ...(user !== null && { auth: { user, pass: password } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: 2 * timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    /** Sends one message. Never rejects. */
    send: async (message: MailMessage): Promise<MailAttempt> => {
      try {
        await transport.sendMail({
          ...message,
          from,
          ...(replyTo && { replyTo }),
          xMailer: false,
          // Bounces go to the sender; only the address counts.
          envelope: { from: from.address, to: [message.to.address] },
        })
        return { kind: 'sent' }
      } catch (error) {
        return attemptOf(error)
      }
    },
    /** Connects and signs in, and sends nothing. */
    verify: () => transport.verify(),
    close: () => transport.close(),
  }
}
