import { createHmac, randomBytes } from 'node:crypto'
import type { RandomBytes } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { type Fault, faultIf } from '../language/faults.ts'

const prefix = 'whsec_'

/** Makes a signing secret: 256 random bits in the format of verifying libraries. @see https://www.standardwebhooks.com */
export const newWebhookSecret = (random: RandomBytes = randomBytes): string =>
  prefix + random(32).toString('base64')

/** Is it a signing secret that a receiver has made: 24 to 64 bytes? */
const isWebhookSecret = (text: string): boolean => {
  if (!/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text)) return false
  return Buffer.from(text.slice(prefix.length), 'base64').length <= 64
}

/** Why a receiver cannot have made this secret. */
export const webhookSecretFaults = (secret: string | undefined): Fault[] => {
  const isWrong = secret !== undefined && !isWebhookSecret(secret)
  const detail = 'must be whsec_ and 24 to 64 bytes in base64'
  return faultIf(isWrong, '/secret', 'webhook_secret', detail)
}

/** The place that a sealed secret is bound to (additional authenticated data). Opening it needs the same value. */
export const webhookSealPlace = (secretId: string) => `webhook_secrets:${secretId}`

/** The secrets of a message, to sign with. @throws Error for one that no configured master key opens */
export const openSecrets = (
  keyring: Pick<Keyring, 'open'>,
  secrets: readonly { id: string; sealed: Buffer }[],
): string[] =>
  secrets.map(({ id, sealed }) => keyring.open(sealed, webhookSealPlace(id)).toString('utf8'))

/** A message to send; `body` exactly as sent. */
export interface SignedMessage {
  id: string
  /** Seconds since 1970 of this attempt. */
  timestamp: number
  body: string
}

/**
 * The value of `webhook-signature`: one `v1` signature (HMAC-SHA256) for each secret, separated by spaces. A receiver
 * that knows any of the secrets can verify it during a rotation.
 */
export const signWebhook = ({ id, timestamp, body }: SignedMessage, secrets: readonly string[]) =>
  secrets
    .map((secret) => Buffer.from(secret.slice(prefix.length), 'base64'))
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')

/** The headers of a message to a receiver. */
export const signedHeaders = (message: SignedMessage, secrets: readonly string[]) => ({
  'user-agent': 'Latchkey-Webhooks',
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': signWebhook(message, secrets),
})
