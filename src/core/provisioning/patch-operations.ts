// Paths and operations of PATCH (RFC 7644 §3.5.2), in the forms that identity providers send.
import { attributePath, type Filter, readFilter } from './filter.ts'
import { invalidSyntax, ScimError } from './scim-error.ts'

export interface PatchPath {
  /** In lower case. */
  attribute: string
  /** Selects values of a multi-valued attribute. */
  filter: Filter | null
  /** In lower case. */
  sub: string | null
}

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  /** null: the value is an object whose members are paths. */
  path: PatchPath | null
  value: unknown
}

export type PlacedOperation = PatchOperation & { path: PatchPath }

const shape =
  /^((?:urn:[\w:.-]+:)?[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)?)(?:\[(.*)\](?:\.([A-Za-z$][\w$-]*))?)?$/is
const longestPath = 1000

const invalidPath = () => new ScimError(400, 'invalidPath', 'the path cannot be read')

/** @throws ScimError invalidPath */
export const readPath = (text: string): PatchPath => {
  const [, name, filter, subOfFilter] =
    text.length > longestPath ? [] : (shape.exec(text.trim()) ?? [])
  if (name === undefined) throw invalidPath()
  const [attribute = '', sub, ...rest] = attributePath(name)
  if (rest.length > 0 || (sub !== undefined && filter !== undefined)) throw invalidPath()
  return {
    attribute,
    filter: filter === undefined ? null : readFilter(filter, 'invalidPath'),
    sub: (subOfFilter ?? sub)?.toLowerCase() ?? null,
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a member whose name may have any case. */
export const memberOf = (object: Record<string, unknown>, name: string): unknown => {
  const wanted = name.toLowerCase()
  const key = Object.keys(object).find(
    (one) => one === name || (one.length === name.length && one.toLowerCase() === wanted),
  )
  return key === undefined ? undefined : object[key]
}

const mostOperations = 1000
/** Characters of all paths: each is parsed. */
const mostPathText = 100_000

const operationOf = (given: unknown): PatchOperation => {
  if (!isObject(given)) throw invalidSyntax('an operation is not an object')
  const name = String(memberOf(given, 'op')).toLowerCase()
  if (name !== 'add' && name !== 'replace' && name !== 'remove')
    throw invalidSyntax('op must be add, replace or remove')
  const path = memberOf(given, 'path')
  const value = memberOf(given, 'value')
  if (path === undefined || path === null || path === '') {
    if (name === 'remove') throw new ScimError(400, 'noTarget', 'remove needs a path')
    return { op: name, path: null, value }
  }
  if (typeof path !== 'string') throw invalidPath()
  return { op: name, path: readPath(path), value }
}

/** Operations with a path each: an operation without one becomes several. */
const withPaths = ({ op, path, value }: PatchOperation): PlacedOperation[] => {
  if (path) return [{ op, path, value }]
  if (!isObject(value)) throw invalidSyntax('without a path, the value must be an object')
  return Object.entries(value).flatMap(([name, member]) =>
    // An extension comes as an object under its URN; none is supported. `schemas` is only an announcement.
    name.toLowerCase() === 'schemas' || (isObject(member) && /^urn:/i.test(name))
      ? []
      : [{ op, path: readPath(name), value: member }],
  )
}

/** @throws ScimError */
export const readOperations = (body: unknown): PlacedOperation[] => {
  const list = isObject(body) ? memberOf(body, 'Operations') : undefined
  if (!Array.isArray(list) || list.length === 0) throw invalidSyntax('Operations is missing')
  const tooMany = () => new ScimError(413, 'tooMany', 'there are too many operations')
  if (list.length > mostOperations) throw tooMany()
  let pathText = 0
  const read: PlacedOperation[] = []
  for (const given of list) {
    const path = isObject(given) ? memberOf(given, 'path') : undefined
    pathText += typeof path === 'string' ? path.length : 0
    if (pathText > mostPathText) throw tooMany()
    // An operation without a path becomes several, which count too.
    const operation = operationOf(given)
    const parts =
      operation.path === null && isObject(operation.value) ? Object.keys(operation.value) : []
    if (read.length + Math.max(1, parts.length) > mostOperations) throw tooMany()
    pathText += parts.join('').length
    if (pathText > mostPathText) throw tooMany()
    read.push(...withPaths(operation))
  }
  return read
}

/** @throws ScimError mutability for attributes that only the server writes (RFC 7643 §2.2) */
export const refuseReadOnly = (attribute: string) => {
  if (attribute === 'id' || attribute === 'meta')
    throw new ScimError(400, 'mutability', `${attribute} cannot be changed`)
}
