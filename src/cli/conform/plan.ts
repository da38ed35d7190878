import { readFile } from 'node:fs/promises'
import Type, { type Static, type TProperties } from 'typebox'
import { Value } from 'typebox/value'
import { CommandError, exitCodes, messageOf, usageError } from '../exit-codes.ts'

const closed = <Members extends TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: false })
const text = Type.String({ minLength: 1 })
const url = Type.String({ pattern: '^https?://' })
const statuses = Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1 })

const request = closed({
  name: text,
  method: Type.String({ pattern: '^[A-Z]+$' }),
  url,
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.String()),
  needs: Type.Optional(Type.Array(text)),
  workspace: Type.Optional(Type.Enum(['inside', 'outside'])),
  allowed: statuses,
  refused: statuses,
})

const plan = closed({
  server: url,
  audience: text,
  interface: Type.Enum(['current', 'legacy']),
  organization: text,
  workspaces: closed({ inside: text, outside: text }),
  requests: Type.Array(request, { minItems: 1 }),
})

/** One call of the data API. `{credential}` and `{workspace}` are replaced in its URL, headers and body. */
export type PlannedRequest = Static<typeof request>

/** The file of `latchkey conform`: the requests to the data API, and the test server whose tokens the data API accepts. */
export type Plan = Static<typeof plan>

/** @throws CommandError (2) when the file is missing or wrong; the hints name each fault */
export const readPlan = async (file: string): Promise<Plan> => {
  const read = async () => JSON.parse(await readFile(file, 'utf8'))
  const content: unknown = await read().catch((error) => {
    throw usageError(`${file} cannot be read`, [messageOf(error)])
  })
  // An unknown member has a fault of its own beside that of its object.
  const faults = Value.Errors(plan, content)
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map(({ keyword, instancePath, message }) => {
      const words = keyword === 'boolean' ? 'is unknown' : message
      return `${instancePath || '/'} ${words}`
    })
  if (faults.length > 0) throw usageError(`${file} is wrong`, faults)
  const given = content as Plan
  const both = given.requests.find(({ allowed, refused }) =>
    allowed.some((status) => refused.includes(status)),
  )
  if (both) throw usageError(`${file} is wrong`, [`${both.name}: a status is allowed and refused`])
  return given
}

/** What does not answer. */
export const noAnswer = (what: string, error: unknown) =>
  new CommandError(exitCodes.unreachable, `${what} does not answer`, [
    messageOf(error instanceof Error && error.cause ? error.cause : error),
  ])
