// What an error of the driver means.
import pg from 'pg'
import { invalidRequest, StoreUnavailable } from '../../../core/language/errors.ts'
import { explainPooler } from './pooler.ts'

// Class 08 connection, 40 rolled back (deadlock, serialisation), 53 resources, 57 operator intervention (57014: statement timeout), 55P03 lock timeout,
// 58 system error, 25006 read-only after a failover.
const unavailable = /^(08|40|53|57|58|55P03|25006|XX)/
const isUnavailable = (error: unknown) => {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (error instanceof pg.DatabaseError) return unavailable.test(String(code))
  // Any error that is not a reply of the database comes from the connection to it.
  return !(error instanceof TypeError)
}

// No connection was made. 53300: too many connections; 57P03: Postgres starts or stops.
const unconnected = new Set<unknown>(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', '53300', '57P03'])
const wasSent = (error: unknown) =>
  !(error instanceof Error) ||
  (!unconnected.has((error as { code?: unknown }).code) &&
    error.message !== 'timeout exceeded when trying to connect')

// 22021: a text with U+0000; 22P05: a JSON value with it. Postgres has no such text, so nothing is stored or found.
const unstorable = new Set<unknown>(['22021', '22P05'])

/** What callers see of an error of the driver. */
export const translate = (error: unknown): unknown => {
  const cause = explainPooler(error)
  if (cause instanceof pg.DatabaseError && unstorable.has(cause.code))
    return invalidRequest('a text has the character U+0000')
  return isUnavailable(cause) && !(cause instanceof StoreUnavailable)
    ? new StoreUnavailable('postgres', cause, wasSent(cause))
    : cause
}

// 57P01, 57P02: ended by an operator or by a crash; 08P01: the same from a pooler. Other codes: the connection is
// lost.
const lost = new Set<unknown>(['57P01', '57P02', '08P01'])
export const connectionLost = (error: unknown) => {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (error instanceof pg.DatabaseError) return lost.has(code)
  return code === 'ECONNRESET' || code === 'EPIPE' || /^Connection terminated/.test(error.message)
}
