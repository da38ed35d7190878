import type { AuditEvent } from './audit.ts'

/**
 * What a service makes of a row that its store has locked: the new values and their trace, written together.
 * Without events nothing has changed and nothing is written.
 */
export interface Change<Values> {
  values: Values
  events: readonly AuditEvent[]
}

/** Fields to change; one that is absent or undefined stays as it is. */
export type Patch<Values> = { [Field in keyof Values]?: Values[Field] | undefined }

/** The values with those of the patch that are given. */
export const patched = <Values extends object>(values: Values, patch: Patch<Values>): Values => {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  return { ...values, ...Object.fromEntries(given) }
}

/** JSON that does not depend on the order of members, so that two values compare by content. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The fields in which two versions of a row differ, by their names on the wire, for the audit trail. */
export const changedFields = <Values extends object>(before: Values, after: Values): string[] =>
  (Object.keys(after) as (keyof Values & string)[])
    .filter((field) => canonical(before[field]) !== canonical(after[field]))
    .map(snakeCase)
