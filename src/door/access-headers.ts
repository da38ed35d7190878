import type { Access } from '#verify/verify'
import type { Assertions } from './assertion.ts'

/**
 * Characters of a list. With both lists and the assertion, an answer stays below 12 KiB: proxies and servers read 16 KiB
 * of headers.
 */
const longestList = 2000
/** Stands for a list that is too long. It is no id and no permission, so a service that looks one up in it refuses. */
const unlisted = '?'
/** Seconds after which an assertion is made anew. */
const renewedAfter = 20

const visible = /^[\x21-\x7e]+$/

/** An access whose ids no header can carry. The server makes no such ids. */
class Unprintable extends Error {
  constructor() {
    super('the token has an id that is not visible ASCII')
    this.name = 'Unprintable'
  }
}

const printable = (text: string) => {
  if (!visible.test(text)) throw new Unprintable()
  return text
}

const fits = (list: readonly string[]) =>
  list.reduce((sum, one) => sum + one.length + 1, 0) <= longestList

const listed = (list: readonly string[]) => (fits(list) ? list.map(printable).join(' ') : unlisted)

const claimsOf = ({ permissions, workspaceIds }: Access) => {
  const isShort = { permissions: fits(permissions), workspace_ids: fits(workspaceIds ?? []) }
  const missing = Object.entries(isShort).flatMap(([name, isFine]) => (isFine ? [] : [name]))
  return {
    permissions: isShort.permissions ? permissions : [],
    workspace_ids: isShort.workspace_ids ? workspaceIds : [],
    ...(missing.length > 0 && { unlisted: missing }),
  }
}

/**
 * The headers about an access except for its assertion, as alternating names and values. All of them are always sent,
 * also empty ones: a proxy that copies what is there would otherwise keep what its client sent.
 */
const factsOf = (access: Access): string[] => [
  'X-Latchkey-Kind',
  access.kind,
  'X-Latchkey-Organization',
  printable(access.organizationId),
  'X-Latchkey-Client',
  printable(access.clientId),
  'X-Latchkey-User',
  access.kind === 'user' ? printable(access.userId) : '',
  'X-Latchkey-Permissions',
  listed(access.permissions),
  'X-Latchkey-Workspaces',
  access.workspaceIds === null ? '*' : listed(access.workspaceIds),
]

interface Made {
  headers: string[]
  /** Seconds since 1970. */
  at: number
}

/**
 * Makes the headers of an answer, and keeps them with the access for some seconds: a signature costs as much as the rest
 * of a check.
 * @throws Unprintable
 */
export const createAccessHeaders = (
  assertions: Pick<Assertions, 'sign'>,
  now: () => number,
): ((access: Access) => readonly string[]) => {
  const kept = new WeakMap<Access, Made>()
  return (access) => {
    const at = Math.floor(now() / 1000)
    const known = kept.get(access)
    if (known && at >= known.at && at < known.at + renewedAfter) return known.headers
    const assertion = assertions.sign(access, claimsOf(access), at)
    const headers = [...factsOf(access), 'X-Latchkey-Assertion', assertion]
    kept.set(access, { headers, at })
    return headers
  }
}
