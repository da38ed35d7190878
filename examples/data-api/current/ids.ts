import { isRowId } from '../data/ids.ts'
import type { Place } from '../data/table.ts'

/** The parts of an id on the wire: `<workspace>|<own id>`, or `<organization>|<own id>`. */
export interface WireId {
  home: string
  id: string
}

export const idIn = (home: string, id: string) => `${home}|${id}`

/** A table without a workspace is a table of the organization. */
export const homeOf = ({ organizationId, workspaceId }: Place) => workspaceId ?? organizationId

/** @returns null for a malformed id; callers treat it like an unknown one */
export const readId = (text: unknown, prefix: 'tbl' | 'fld'): WireId | null => {
  if (typeof text !== 'string') return null
  const [home, id, ...rest] = text.split('|', 3)
  if (!home || !id?.startsWith(prefix) || rest.length > 0) return null
  return { home, id }
}

const rowIdLength = 39

/** Reads the id of a record, also with a space or nothing between its parts. */
export const readRecordId = (text: unknown): WireId | null => {
  if (typeof text !== 'string') return null
  const id = text.slice(-rowIdLength)
  const home = text.slice(0, -rowIdLength).replace(/[| ]$/, '')
  return home && isRowId(id) ? { home, id } : null
}

/** Well-formed, but no row has it. */
const noRow = `rec${'0'.repeat(rowIdLength - 3)}`

/** Own ids of referenced records, for the data layer; anything but texts stays as it is. */
export const ownRecordIds = (home: string, given: unknown): unknown => {
  if (Array.isArray(given)) return given.map((one) => ownRecordIds(home, one))
  if (typeof given !== 'string' || given === '') return given
  const read = readRecordId(given)
  return read?.home === home ? read.id : noRow
}
