/**
 * A rule of the caller about the resource that it changes (RFC 9110 §13). It gets the stored resource, or null when there
 * is none, while no other request can change it.
 * @throws PreconditionFailed
 */
export type Precondition<Item> = (current: Item | null) => void

export const anyVersion: Precondition<unknown> = () => undefined

/** The stored resource after a call that creates or changes it. */
export interface Put<Item> {
  item: Item
  created: boolean
}
