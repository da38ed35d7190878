import type { Access, Permission } from './access.ts'
import { InsufficientScope, isVerificationError, WrongUse } from './errors.ts'
import { isSeconds, isText, type JsonObject } from './json.ts'
import type { Interface } from './rules/permissions.ts'

/**
 * What a function finds. `null`, an empty text or a list refuse the request (403). `undefined` is what a misspelt name
 * finds, so it is a wrong use (500).
 */
export type FoundId = string | readonly string[] | null | undefined

/** An id, or a function that finds it after the token was verified. */
export type IdFrom<Given> = string | ((given: Given) => FoundId | Promise<FoundId>)

/** An id, or a function that finds it after the token was verified. */
export type IdOf = IdFrom<{ access: Access }>

/** The requirement of a request. */
export interface Requirement {
  /** The interface of the request. Tokens of the other one are refused. */
  interface: Interface
  /** Required permissions, all of them. */
  permissions?: readonly Permission[]
  /** The organization that owns the requested data. */
  organization: IdOf
  /** The workspace of the requested data. */
  workspace?: IdOf
  /** The accepted context classes of the user's sign-in, the preferred one first. Only user tokens have one. */
  acr?: string | readonly string[]
  /** Maximum age of the user's sign-in, in seconds. */
  maxAge?: number
}

const isInterface = (value: unknown) => value === 'legacy' || value === 'current'
const isIdOf = (value: unknown) => isText(value) || typeof value === 'function'
const isPermissions = (value: unknown) => Array.isArray(value) && value.every(isText)
const isClasses = (value: unknown) =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText))
const isAge = (value: unknown) => isSeconds(value) && value > 0

interface Member {
  isGood(value: unknown): boolean
  isOptional?: boolean
  expected: string
}

const members: Record<keyof Requirement, Member> = {
  interface: { isGood: isInterface, expected: "'legacy' or 'current'" },
  permissions: { isGood: isPermissions, isOptional: true, expected: 'a list of permissions' },
  organization: {
    isGood: isIdOf,
    expected:
      'the id of the organization that owns the data, or a function that finds it; ({ access }) => access.organizationId for data that is looked up in the token’s own organization only',
  },
  workspace: {
    isGood: isIdOf,
    isOptional: true,
    expected: 'the id of a workspace, or a function that finds it; without one, leave it out',
  },
  acr: { isGood: isClasses, isOptional: true, expected: 'a context class, or a list of them' },
  maxAge: { isGood: isAge, isOptional: true, expected: 'a positive number of seconds' },
}
const names = Object.keys(members) as (keyof Requirement)[]

const faultOf = (given: JsonObject, name: keyof Requirement): string[] => {
  const { isGood, isOptional = false, expected } = members[name]
  const isFine = Object.hasOwn(given, name) ? isGood(given[name]) : isOptional
  return isFine ? [] : [`\`${name}\` must be ${expected}`]
}

/**
 * Validates a requirement and refuses one that a mistake may have emptied. A member that is undefined or misspelt would
 * silently skip a check.
 * @throws WrongUse that says what to write
 */
export const readRequirement = (requirement: Requirement): Requirement => {
  const given: JsonObject = { ...requirement }
  const faults = names.flatMap((name) => faultOf(given, name))
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(members, name))
  if (unknown.length > 0) faults.push(`there is no \`${unknown.join('`, `')}\``)
  if (faults.length > 0)
    throw new WrongUse(
      'requirement',
      `a requirement is { interface, organization, permissions?, workspace?, acr?, maxAge? }: ${faults.join('; ')}`,
    )
  return given as unknown as Requirement
}

/** An error that is meant for the client, such as a 404 of the framework. */
const isAnswer = (error: unknown) => {
  const { status, statusCode } = Object(error)
  return isVerificationError(error) || (status ?? statusCode) < 500
}

/**
 * @throws InsufficientScope when the request names no id, or several
 * @throws WrongUse when the function returns something else; when it fails, with its error as the cause
 */
export const findId = async (
  name: 'organization' | 'workspace',
  idOf: IdOf,
  access: Access,
): Promise<string> => {
  const wrong = (what: string, cause?: unknown) => new WrongUse(name, `\`${name}\` ${what}`, cause)
  const find = async () => (typeof idOf === 'function' ? idOf({ access }) : idOf)
  const id = await find().catch((error) => {
    if (isAnswer(error)) throw error
    const kind = error instanceof Error ? error.name : typeof error
    throw wrong(`threw ${kind}: it gets one object, { access, request? }`, error)
  })
  if (typeof id === 'string' && id !== '') return id
  if (id === null || id === '' || Array.isArray(id)) throw new InsufficientScope(name)
  const kind = id === undefined ? 'undefined' : `a value of type ${typeof id}`
  throw wrong(`returned ${kind}: return the id, or null where a request may lack it`)
}
