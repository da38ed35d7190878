import { decodeBase64url, encodeBase64, encodeText } from './platform.ts'

const shape = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/

const textOf = (seconds: string) => encodeText(`latchkey dpop nonce ${seconds}`)

/**
 * A nonce is the time with a MAC that only this data API can create (RFC 9449 §9). All processes with the secret of the
 * resource server accept each other's nonces, and none stores any.
 */
export const createNonces = (secret: string) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const keyOnce = () =>
    crypto.subtle.importKey('raw', encodeText(secret), algorithm, false, ['sign', 'verify'])
  let key: ReturnType<typeof keyOnce> | null = null
  const keyNow = () => {
    key ??= keyOnce()
    return key
  }

  return {
    /** @param time seconds since 1970 */
    at: async (time: number): Promise<string> => {
      const seconds = Math.floor(time).toString(36)
      const mac = new Uint8Array(await crypto.subtle.sign('HMAC', await keyNow(), textOf(seconds)))
      const text = encodeBase64(String.fromCharCode(...mac))
      return `${seconds}.${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
    },
    /** The issue time of a nonce in seconds since 1970; null when it is not ours. */
    timeOf: async (nonce: string): Promise<number | null> => {
      const [, seconds = '', mac = ''] = shape.exec(nonce) ?? []
      if (mac === '') return null
      const bytes = decodeBase64url(mac)
      const isOurs = await crypto.subtle.verify('HMAC', await keyNow(), bytes, textOf(seconds))
      return isOurs ? Number.parseInt(seconds, 36) : null
    },
  }
}
