const read = [
  'authorization',
  'dpop',
  'x-original-method',
  'x-original-uri',
  'x-forwarded-method',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-uri',
] as const

type ReadHeader = (typeof read)[number]

/** The headers that a check reads, each with all its values: Node keeps one of several, and an attacker sends two. */
export type SentHeaders = Partial<Record<ReadHeader, string[]>>

const known = new Map<string, ReadHeader>(read.map((name) => [name, name]))

/** @param rawHeaders alternating names and values, as they were sent */
export const sentHeaders = (rawHeaders: readonly string[]): SentHeaders => {
  const sent: SentHeaders = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = known.get((rawHeaders[at] as string).toLowerCase())
    if (name === undefined) continue
    const values = sent[name] ?? []
    values.push(rawHeaders[at + 1] as string)
    sent[name] = values
  }
  return sent
}

/**
 * The request that the proxy asks about, as its client knows it, or for the log why it is not known. A proof
 * (RFC 9449 §4.3) must name both of its members.
 */
export type OriginalReading = { request: { method: string; url: string } } | { fault: string }

const fault = (words: string): OriginalReading => ({ fault: words })

const path = /^\/[\x21-\x7e]*$/
const address = /^(https?:\/\/[A-Za-z0-9.:[\]-]+)(\/[\x21-\x7e]*)$/
const hostName = /^[A-Za-z0-9.:[\]-]+$/
const method = /^[A-Z][A-Z0-9_-]{0,31}$/

/** The URL with its origin as the setting has it: a default port is left out. null for anything else. */
const readUrl = (text: string): { origin: string; url: string } | null => {
  const [, start = '', rest = ''] = address.exec(text) ?? []
  if (!URL.canParse(start)) return null
  const { origin } = new URL(start)
  return { origin, url: origin + rest }
}

/**
 * Reads `X-Original-Method` and `X-Original-URI` (nginx), or `X-Forwarded-Method`, `-Proto`, `-Host` and `-Uri` (Traefik,
 * Caddy). A proxy sets one of the two groups and may pass on the other from its client. So if both are there, they must
 * name the same request: a client could otherwise choose the address for which its proof counts. `Host` is never read.
 * @param origins accepted ones; empty: every origin that the proxy names
 */
export const originalRequest = (sent: SentHeaders, origins: readonly string[]): OriginalReading => {
  const names = Object.keys(sent) as ReadHeader[]
  const repeated = names.find((name) => name.startsWith('x-') && sent[name]?.length !== 1)
  if (repeated) return fault(`${repeated} is repeated`)
  const of = (name: ReadHeader) => sent[name]?.[0]

  const methods = new Set([of('x-original-method'), of('x-forwarded-method')])
  methods.delete(undefined)
  const [named, ...otherMethods] = methods
  if (named === undefined)
    return fault('the proxy sends no X-Original-Method or X-Forwarded-Method')
  if (otherMethods.length > 0) return fault('two headers name different methods')
  if (!method.test(named)) return fault('the method is malformed')

  const [proto, host] = [of('x-forwarded-proto'), of('x-forwarded-host')]
  if (host !== undefined && !hostName.test(host)) return fault('the host is malformed')
  const forwarded = proto && host ? `${proto}://${host}` : null
  const alone = origins.length === 1 ? (origins[0] as string) : null
  const urls = new Set<string>()
  for (const uri of [of('x-original-uri'), of('x-forwarded-uri')]) {
    if (uri === undefined) continue
    const found = readUrl(path.test(uri) ? `${forwarded ?? alone}${uri}` : uri)
    if (found === null) return fault('the proxy names no origin, or a malformed address')
    if (origins.length > 0 && !origins.includes(found.origin))
      return fault('the origin is not in DOOR_ORIGINS')
    urls.add(found.url)
  }
  const [url, ...otherUrls] = urls
  if (url === undefined) return fault('the proxy sends no X-Original-URI or X-Forwarded-Uri')
  if (otherUrls.length > 0) return fault('two headers name different addresses')
  return { request: { method: named, url } }
}
