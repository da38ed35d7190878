import { isCanonicalBase64url } from '#verify/rules/base64url'

/** A JSON Web Signature in compact form, parsed but not verified. */
export interface CompactJws {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** The signed text. */
  signingInput: string
  signature: Buffer
}

const longestToken = 16_384
const deepest = 8
const form = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/** Counts the members of the outermost object as written, with repetitions; null when nested too deeply. */
const countMembers = (json: string): number | null => {
  let depth = 0
  let members = 0
  let quoted = false
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at]
    if (quoted) {
      if (char === '\\') at += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') {
      depth += 1
      if (depth > deepest) return null
    } else if (char === '}' || char === ']') depth -= 1
    else if (char === ':' && depth === 1) members += 1
  }
  return members
}

/**
 * Rejects repeated members: RFC 7519 §4 leaves parsers a choice between them, so two parsers could read different
 * claims.
 */
const parseObject = (part: string): Record<string, unknown> | null => {
  const text = Buffer.from(part, 'base64url').toString()
  if (!text.startsWith('{')) return null
  const members = countMembers(text)
  if (members === null) return null
  try {
    const value = JSON.parse(text) as Record<string, unknown>
    return Object.keys(value).length === members ? value : null
  } catch {
    return null
  }
}

/**
 * Parses the compact form (RFC 7515 §3.1) strictly: three parts in canonical base64url, JSON objects without repeated
 * members, at most 16 KB.
 * @returns null for anything else
 */
export const readCompactJws = (text: string): CompactJws | null => {
  if (text.length > longestToken || !form.test(text)) return null
  const [first, second, third] = text.split('.') as [string, string, string]
  if (![first, second, third].every(isCanonicalBase64url)) return null
  const header = parseObject(first)
  const claims = parseObject(second)
  if (!header || !claims) return null
  const signature = Buffer.from(third, 'base64url')
  return { header, claims, signingInput: `${first}.${second}`, signature }
}
