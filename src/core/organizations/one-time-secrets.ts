import { randomBytes } from 'node:crypto'
import { digestOf } from '../crypto/digests.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { sealText } from '../crypto/sealed-text.ts'
import type { RecordStore } from '../limits/records.ts'

/** Shows a new secret once, in one browser, within five minutes. */
export interface OneTimeSecrets<Made> {
  /** A name for `offer`, for a form that has to keep it. */
  newName(): string
  /** @param browser a value that only this browser can present again @returns the name to fetch it by */
  store(made: Made, browser: string): Promise<string>
  /** Stores it under this name. @returns false for a name that is in use or malformed; then nothing is stored */
  offer(name: string, made: Made, browser: string): Promise<boolean>
  /** Does a secret wait under this name? */
  isOffered(name: string, browser: string): Promise<boolean>
  /** Removes a secret that is not in force. */
  withdraw(name: string, browser: string): Promise<void>
  /** The secret, for the first request from the same browser within five minutes; then null. */
  take(name: string, browser: string): Promise<Made | null>
}

const lifetime = 300 // s: from one page to the next
const nameShape = /^[A-Za-z0-9_-]{32}$/

/** @param collection one for each kind of secret */
export const createOneTimeSecrets = <Made extends object>(
  deps: {
    records: Pick<RecordStore, 'put' | 'insert' | 'find' | 'take' | 'delete'>
    keyring: Pick<Keyring, 'seal' | 'open'>
  },
  collection:
    | 'handover'
    | 'app_handover'
    | 'operator_handover'
    | 'webhook_handover'
    | 'test_person_handover'
    | 'undo',
): OneTimeSecrets<Made> => {
  const { records, keyring } = deps
  // The key depends on the browser, so another browser can neither read nor consume this record.
  const keyOf = (name: string, browser: string) => digestOf(`${name} ${browser}`)

  const recordOf = (made: Made, key: string) => ({
    state: 'waiting',
    value: sealText(keyring, JSON.stringify(made), `${collection}:${key}`),
  })

  const newName = () => randomBytes(24).toString('base64url')

  return {
    newName,
    store: async (made, browser) => {
      const name = newName()
      const key = keyOf(name, browser)
      await records.put(collection, key, recordOf(made, key), lifetime)
      return name
    },
    offer: async (name, made, browser) => {
      const key = keyOf(name, browser)
      return nameShape.test(name) && records.insert(collection, key, recordOf(made, key), lifetime)
    },
    isOffered: async (name, browser) =>
      (await records.find(collection, keyOf(name, browser))) !== null,
    withdraw: (name, browser) => records.delete(collection, keyOf(name, browser)),
    take: async (name, browser) => {
      if (!nameShape.test(name)) return null
      const key = keyOf(name, browser)
      const record = await records.take(collection, key)
      if (!record) return null
      const sealed = Buffer.from(record.value, 'base64url')
      return JSON.parse(keyring.open(sealed, `${collection}:${key}`).toString()) as Made
    },
  }
}
