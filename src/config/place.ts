// Where clients find the server: ISSUER and ENDPOINT_ALIASES.
import { type Alias, endpointAt, endpointPaths, type Place } from '../core/language/endpoints.ts'

/** Scheme and host as they are given, and a path of plain segments. */
const issuerShape = /^https?:\/\/[^/?#@\s\\]+((?:\/[\w.~-]+)*)\/?$/i
const aliasShape = /^((?:\/[\w.~!$&'()*+:@-]+)+\/?)=(\w+)$/
const hasDots = /\/\.{1,2}(?:\/|$)/

/**
 * Reads an issuer, which stays as it is given: clients compare it byte by byte (RFC 8414 §3.3).
 * @returns the URL that it names, without a final slash, and the path of this URL
 */
export const readIssuer = (value: string, faults: string[]): Omit<Place, 'aliases'> => {
  const [, path] = issuerShape.exec(value) ?? []
  if (path === undefined || hasDots.test(path) || !URL.canParse(value)) {
    faults.push(
      'ISSUER must be an http(s) address without query or fragment, such as https://auth.example.com; a path has only letters, digits and . _ ~ - in each segment',
    )
    return { base: value, prefix: '' }
  }
  return { base: new URL(value).origin + path, prefix: path }
}

const readAlias = (entry: string): Alias | string => {
  const [, path = '', name = ''] = aliasShape.exec(entry) ?? []
  if (path === '' || hasDots.test(path))
    return 'must be /path=endpoint, without query, encoded characters, empty or dot segments'
  if (!Object.hasOwn(endpointPaths, name))
    return `must name one of ${Object.keys(endpointPaths).join(', ')}`
  const endpoint = name as Alias['endpoint']
  const own = endpointAt(path)
  return own === undefined || own === endpoint
    ? { path, endpoint }
    : `is the path of ${own}, an endpoint of the server`
}

/** Reads the further paths of endpoints. Each faulty entry is a fault of its own, by its number: the text may be a secret. */
export const readAliases = (value: string, faults: string[]): Alias[] => {
  const aliases: Alias[] = []
  const fault = (index: number, words: string) =>
    faults.push(`ENDPOINT_ALIASES: entry ${index + 1} ${words}`)
  const entries = value === '' ? [] : value.split(',').map((one) => one.trim())
  for (const [index, entry] of entries.entries()) {
    const read = readAlias(entry)
    if (typeof read === 'string') fault(index, read)
    else if (aliases.some(({ path }) => path === read.path))
      fault(index, 'is a second one of its path')
    else aliases.push(read)
  }
  return aliases
}
