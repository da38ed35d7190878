import type { FastifyInstance } from 'fastify'
import { invalidValue, ScimError } from '../../core/provisioning/scim-error.ts'
import { createSlices } from '../../core/provisioning/work-budget.ts'

const largestBody = 2 * 1024 * 1024 // bytes: a group with 20,000 members
const deepest = 20
/** Members of one object: attributes are looked up by a name of any case. */
const mostNames = 1000

/** Postgres has no NUL in texts and no lone surrogate in JSON. @throws ScimError invalidValue */
const checkText = (text: string) => {
  if (/\0|\p{Cs}/u.test(text)) throw invalidValue('a text has a character that is not allowed')
}

/**
 * Checks every text, in slices.
 * @returns how many values its lists have
 * @throws ScimError
 */
export const checkBody = async (body: unknown): Promise<number> => {
  const rest = createSlices()
  const open: [value: unknown, depth: number][] = [[body, 0]]
  let listed = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    await rest()
    if (typeof value === 'string') checkText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= deepest) throw new ScimError(400, 'invalidSyntax', 'the body is nested too deeply')
    if (Array.isArray(value)) {
      listed += value.length
      for (const member of value) open.push([member, depth + 1])
      continue
    }
    if (Object.keys(value).length > mostNames)
      throw new ScimError(400, 'invalidSyntax', 'an object has too many members')
    for (const [name, member] of Object.entries(value)) {
      checkText(name)
      open.push([member, depth + 1])
    }
  }
  return listed
}

/** Commas of a body: a group with 20,000 members, of four attributes each, has 80,000. */
const mostValues = 100_000

const hasManyValues = (text: string): boolean => {
  let count = 0
  for (let at = text.indexOf(','); at >= 0 && count <= mostValues; at = text.indexOf(',', at + 1))
    count += 1
  return count > mostValues
}

/** Accepts the media types that providers send (RFC 7644 §3.1). */
export const acceptScimJson = (scope: FastifyInstance) => {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    ['application/scim+json', 'application/json'],
    { parseAs: 'string', bodyLimit: largestBody },
    (request, body, done) => {
      if (body === '') done(null, undefined)
      else if (hasManyValues(body as string))
        done(new ScimError(413, 'tooMany', 'the body has too many values'))
      else void parse(request, body as string, done)
    },
  )
}
