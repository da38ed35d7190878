import { createHash } from 'node:crypto'

/** A short name for what is counted, of which no part can be read. */
export const counterName = (...parts: string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
