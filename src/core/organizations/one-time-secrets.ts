import { createHash, randomBytes } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'
import type { RecordStore } from '../limits/records.ts'
import type { CreatedKeySetSecret } from './key-sets.ts'

/** Shows a new secret once, in one browser. */
export interface OneTimeSecrets {
  /** @param browser a value that only this browser can present again @returns the name to fetch it by */
  store(made: CreatedKeySetSecret, browser: string): Promise<string>
  /** The secret, for the first request from the same browser within five minutes; then null. */
  take(name: string, browser: string): Promise<CreatedKeySetSecret | null>
}

const collection = 'handover'
const lifetime = 300 // s: from one page to the next
const nameShape = /^[A-Za-z0-9_-]{32}$/

export const createOneTimeSecrets = (deps: {
  records: Pick<RecordStore, 'put' | 'take'>
  keyring: Pick<Keyring, 'seal' | 'open'>
}): OneTimeSecrets => {
  const { records, keyring } = deps
  // The key depends on the browser, so another browser can neither read nor consume this record.
  const keyOf = (name: string, browser: string) =>
    createHash('sha256').update(`${name} ${browser}`).digest('base64url')

  return {
    store: async (made, browser) => {
      const name = randomBytes(24).toString('base64url')
      const key = keyOf(name, browser)
      const value = keyring
        .seal(Buffer.from(JSON.stringify(made)), `handover:${key}`)
        .toString('base64url')
      await records.put(collection, key, { state: 'waiting', value }, lifetime)
      return name
    },
    take: async (name, browser) => {
      if (!nameShape.test(name)) return null
      const key = keyOf(name, browser)
      const record = await records.take(collection, key)
      if (!record) return null
      const sealed = Buffer.from(record.value, 'base64url')
      return JSON.parse(keyring.open(sealed, `handover:${key}`).toString()) as CreatedKeySetSecret
    },
  }
}
