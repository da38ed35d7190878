import { snakeCase } from '../language/case.ts'
import type { AuditEvent } from './audit.ts'

/**
 * The result of `decide`, called while the store has locked the row: the new values and their audit events, written
 * together. Without events nothing has changed, and nothing is written.
 */
export interface Change<Values> {
  values: Values
  events: readonly AuditEvent[]
}

/** Makes the audit events of a change from the stored thing, or throws. Called while the store has locked the row. */
export type EventsFrom<Item> = (item: Item) => readonly AuditEvent[]

/** Fields to change; an absent or undefined field stays. */
export type Patch<Values> = { [Field in keyof Values]?: Values[Field] | undefined }

/** The fields that are given: without those that are undefined. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>
  }

/** The values, changed by the given fields of the patch. */
export const patched = <Values extends object>(values: Values, patch: Patch<Values>): Values => ({
  ...values,
  ...given(patch),
})

/** JSON that is independent of the order of members, to compare values by content. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** Wire names of the fields that differ between two versions of a row, for the audit trail. */
export const changedFields = <Values extends object>(before: Values, after: Values): string[] =>
  (Object.keys(after) as (keyof Values & string)[])
    .filter((field) => canonical(before[field]) !== canonical(after[field]))
    .map((field) => snakeCase<string>(field))
