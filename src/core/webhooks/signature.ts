import { createHmac, randomBytes } from 'node:crypto'
import type { RandomBytes } from '../crypto/identifiers.ts'

const prefix = 'whsec_'

/** A new signing secret: 256 random bits in the form that verifying libraries take. @see https://www.standardwebhooks.com */
export const newWebhookSecret = (random: RandomBytes = randomBytes): string =>
  prefix + random(32).toString('base64')

/** A message on its way; `body` exactly as it is sent. */
export interface SignedMessage {
  id: string
  /** Seconds since 1970, of this attempt. */
  timestamp: number
  body: string
}

/**
 * The value of `webhook-signature`: one `v1` signature (HMAC-SHA256) for each secret, separated by spaces, so that
 * a receiver that knows any of them is served while secrets change.
 */
export const signWebhook = (
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): string =>
  secrets
    .map((secret) => Buffer.from(secret.slice(prefix.length), 'base64'))
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')
