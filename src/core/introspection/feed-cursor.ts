// Places in the revocation feed, as resource servers keep them.
import { isLimited, type ResourceLimits } from '../clients/resource-limits.ts'
import { fingerprintOf } from '../crypto/digests.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { openText, sealText } from '../crypto/sealed-text.ts'

/** A resource server that reads the feed. */
export type FeedReader = ResourceLimits & { clientId: string }

export const start = { id: 0, tag: '' }
export type FeedPosition = typeof start

const shape = /^(\d{1,15})\.([0-9a-f-]{36})?$/

const placeOf = (text: string): FeedPosition | null => {
  const match = shape.exec(text)
  return match && { id: Number(match[1]), tag: match[2] ?? '' }
}

/** Changes with the limits. */
const limitsMark = ({ resource, permissions, organizationIds }: ResourceLimits) =>
  fingerprintOf([resource, permissions, organizationIds]).slice(0, 11)

/** So that the length of a cursor does not tell how many entries there are. */
const longestPlace = 15 + 1 + 36

const purposeOf = ({ clientId }: FeedReader) => `revocation_cursor:${clientId}`

/**
 * A limited resource server gets a sealed cursor, because ids of entries would tell how much happens elsewhere. It is
 * valid while the limits are the same: afterwards, entries that were left out may concern the resource server.
 */
export const createCursors = (keyring: Pick<Keyring, 'seal' | 'open'>) => {
  const opened = (reader: FeedReader, cursor: string): FeedPosition | null => {
    // Null for that of another reader, too.
    const text = openText(keyring, cursor, purposeOf(reader))
    const [mark, place = ''] = text?.trimEnd().split(' ') ?? []
    return mark === limitsMark(reader) ? placeOf(place) : null
  }

  return {
    write: (reader: FeedReader, { id, tag }: FeedPosition): string => {
      const place = `${id}.${tag}`
      if (!isLimited(reader)) return Buffer.from(place).toString('base64url')
      const text = `${limitsMark(reader)} ${place.padEnd(longestPlace)}`
      return sealText(keyring, text, purposeOf(reader))
    },

    /** @returns null for a cursor that does not lead anywhere */
    read: (reader: FeedReader, cursor: string | null): FeedPosition | null => {
      if (cursor === null || cursor.length > 256) return null
      return isLimited(reader)
        ? opened(reader, cursor)
        : placeOf(Buffer.from(cursor, 'base64url').toString())
    },
  }
}
