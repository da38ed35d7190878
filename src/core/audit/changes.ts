import { snakeCase } from '../language/case.ts'
import type { EventType } from '../language/event-types.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { NotFound } from '../language/service-errors.ts'
import { type AuditEvent, auditEvent, type Cause } from './audit.ts'

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

/** The event of a change, with the names of the changed fields in its detail; none when no field has changed. */
export const eventsOfChange = <Values extends object>(
  cause: Cause,
  type: EventType,
  before: Values,
  after: Values,
  { detail, ...about }: NonNullable<Parameters<typeof auditEvent>[2]>,
): AuditEvent[] => {
  const changed = changedFields(before, after)
  const event = auditEvent(cause, type, { ...about, detail: { ...detail, changed } })
  return changed.length === 0 ? [] : [event]
}

/**
 * Makes the call that removes one stored thing, with its audit event.
 * @param remove locks the thing and calls `admit`, which may throw; resolves to false when there is none
 * @param eventOf may throw
 * @returns a call that throws NotFound and PreconditionFailed
 */
export const removal =
  <Key, Item, By extends Cause = Cause>(
    what: string,
    remove: (key: Key, admit: EventsFrom<Item>) => Promise<boolean>,
    eventOf: (cause: By, item: Item, key: Key) => AuditEvent,
  ) =>
  async (key: Key, cause: By, precondition: Precondition<Item> = anyVersion): Promise<void> => {
    const removed = await remove(key, (item) => {
      const event = eventOf(cause, item, key)
      precondition(item)
      return [event]
    })
    if (!removed) throw new NotFound(what)
  }
