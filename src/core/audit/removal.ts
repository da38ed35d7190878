// How an operator removes one stored thing.
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { NotFound } from '../language/service-errors.ts'
import type { AuditEvent, Cause } from './audit.ts'
import type { EventsFrom } from './changes.ts'

/**
 * Makes the call that removes a thing by its id, with its audit event.
 * @param remove locks the thing and calls `admit`, which may throw; resolves to false when there is none
 * @returns a call that throws NotFound and PreconditionFailed
 */
export const removal =
  <Item, By extends Cause = Cause>(
    what: string,
    remove: (id: string, admit: EventsFrom<Item>) => Promise<boolean>,
    eventOf: (cause: By, item: Item) => AuditEvent,
  ) =>
  async (id: string, cause: By, precondition: Precondition<Item> = anyVersion): Promise<void> => {
    const removed = await remove(id, (item) => {
      precondition(item)
      return [eventOf(cause, item)]
    })
    if (!removed) throw new NotFound(what)
  }
