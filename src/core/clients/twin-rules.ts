import { createHash } from 'node:crypto'
import type { Fault } from '../language/faults.ts'
import { covers, inOrder, vocabulary } from '../language/permissions.ts'
import type { App } from './app.ts'

/** What each legacy permission is worth on the current interface; one that is not named is worth nothing. */
export type PermissionMap = Readonly<Record<string, readonly string[]>>

/** The current app that carries on for a legacy one. */
export interface Twin {
  legacyClientId: string
  clientId: string
  worth: PermissionMap
}

/** What these legacy permissions are worth together. */
export const worthOf = (map: PermissionMap, legacy: readonly string[]): string[] =>
  inOrder(
    'current',
    legacy.flatMap((one) => (Object.hasOwn(map, one) ? (map[one] ?? []) : [])),
  )

/** Each current token reads, without any permission: only who was allowed to read before may have one unasked. */
export const allowsReading = (legacy: readonly string[]) => legacy.includes('readData')

/** A token that needs a secret to be used must not be good without one. */
export const isWeaker = (twin: Pick<App, 'clientType'>, legacy: Pick<App, 'clientType'>) =>
  twin.clientType === 'public' && legacy.clientType === 'confidential'

/** @param allowed what the twin may ask for at most */
export const mapFaults = (map: PermissionMap, allowed: readonly string[]): Fault[] =>
  Object.entries(map).flatMap(([legacy, worth]) => {
    if (!vocabulary.legacy.includes(legacy))
      return [{ pointer: '/worth', detail: 'names what is no legacy permission' }]
    const pointer = `/worth/${legacy}`
    if (!covers(vocabulary.current, worth))
      return [{ pointer, detail: 'names what is no permission of the current interface' }]
    return covers(allowed, worth) ? [] : [{ pointer, detail: 'is more than the twin may have' }]
  })

/** The same map, in the order of the vocabularies and without repetition. */
export const mapInOrder = (map: PermissionMap): PermissionMap =>
  Object.fromEntries(
    inOrder('legacy', Object.keys(map)).map((one) => [one, inOrder('current', map[one] ?? [])]),
  )

/**
 * The id of the one grant that a legacy grant can become (UUID version 8, RFC 9562 §5.8): whoever asks, and however
 * often, it is the same.
 */
export const successorOf = (grantId: string): string => {
  const bytes = createHash('sha256').update(`latchkey moved grant ${grantId}`).digest()
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
