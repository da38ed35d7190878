// Looked up instead of imported, so that a bundle for another runtime resolves nothing.
const builtin = globalThis.process?.getBuiltinModule

/** Node's modules; undefined in other runtimes. */
export const nodeCrypto = builtin?.('node:crypto')
export const nodeHttp = builtin?.('node:http')
export const nodeHttps = builtin?.('node:https')
const nodeBuffer = builtin?.('node:buffer')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const fromBinary = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0))

/** Decodes base64url. The alphabet must have been checked. */
export const decodeBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  nodeBuffer
    ? nodeBuffer.Buffer.from(text, 'base64url')
    : fromBinary(atob(text.replaceAll('-', '+').replaceAll('_', '/')))

/** @throws TypeError for what is not UTF-8 */
export const decodeText = (bytes: Uint8Array): string => utf8.decode(bytes)

export const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Encodes ASCII, such as the credentials of HTTP Basic. */
export const encodeBase64 = (text: string): string => btoa(text)

/** SHA-256, as the cache key of secrets that must not be stored in clear. */
export const digestOf = async (text: string): Promise<string> => {
  if (nodeCrypto) return nodeCrypto.createHash('sha256').update(text).digest('base64')
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', encodeText(text)))
  return btoa(String.fromCharCode(...bytes))
}
