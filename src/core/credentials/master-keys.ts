import type { Keyring } from '../crypto/keyring.ts'

export const sealedTables = ['signing_keys', 'key_set_secrets', 'webhook_secrets'] as const
export type SealedTable = (typeof sealedTables)[number]
export const digestTables = [
  'app_secrets',
  'key_set_secrets',
  'resource_servers',
  'operator_tokens',
] as const
export type DigestTable = (typeof digestTables)[number]

export interface SealedText {
  id: string
  sealed: Buffer
  /** Of the secret inside, where one is kept beside it. */
  digest: Buffer | null
}

export interface MasterKeyStore {
  /** Sealed texts of a table in the order of their ids, some behind this one; none: there are no more. */
  sealedIn(table: SealedTable, after: string): Promise<SealedText[]>
  /** Compare and set. @returns false when it is another by now */
  replaceSealed(table: SealedTable, id: string, from: Buffer, to: Buffer): Promise<boolean>
  /** Compare and set: a digest that is another by now stays. */
  renew(table: DigestTable, digests: readonly RenewedDigest[], keyId: string): Promise<void>
  /** Rows of a table by the id of the master key of their digest; null: not known. */
  digestsIn(table: DigestTable): Promise<{ keyId: string | null; rows: number }[]>
}

/** How many rows of a table depend on a master key. */
export interface Dependence {
  table: string
  kind: 'sealed' | 'digest'
  /** null: it is not known under which. */
  keyId: string | null
  rows: number
}

export interface MasterKeysOptions {
  store: MasterKeyStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'open' | 'seal' | 'sealedUnder'>
}

/** What depends on which master key, and how it comes to depend on the current one. */
export const createMasterKeys = ({ store, keyring }: MasterKeysOptions) => {
  const placeOf = (table: SealedTable, id: string) => `${table}:${id}`
  const [current] = keyring.keyIds

  /** Every sealed text of a table. */
  async function* sealedTexts(table: SealedTable) {
    for (let after = ''; ; ) {
      const some = await store.sealedIn(table, after)
      yield* some
      const last = some.at(-1)
      if (!last) return
      after = last.id
    }
  }

  /** Whoever can open a secret need not wait until it is shown. */
  const renewDigest = async ({ id, digest }: SealedText, secret: string) => {
    const made = keyring.digest(secret)
    if (digest && !digest.equals(made))
      await store.renew('key_set_secrets', [{ id, from: digest, to: made }], current)
  }

  return {
    /** Ids of the keys in force, the current one first. */
    keyIds: keyring.keyIds,

    /**
     * Seals anew what an older key has sealed; again and on several instances at once it does no harm.
     * @returns how many were sealed anew
     */
    reseal: async (): Promise<number> => {
      let resealed = 0
      for (const table of sealedTables) {
        for await (const row of sealedTexts(table)) {
          const place = placeOf(table, row.id)
          const under = keyring.sealedUnder(row.sealed, place)
          // What no key of ours opens stays as it is: status tells of it.
          if (under === null) continue
          const plain = keyring.open(row.sealed, place)
          if (table === 'key_set_secrets') await renewDigest(row, plain.toString('utf8'))
          if (under === current) continue
          const anew = keyring.seal(plain, place)
          if (await store.replaceSealed(table, row.id, row.sealed, anew)) resealed++
        }
      }
      return resealed
    },

    status: async (): Promise<Dependence[]> => {
      const found: Dependence[] = []
      for (const table of sealedTables) {
        const rows = new Map<string | null, number>()
        for await (const { id, sealed } of sealedTexts(table)) {
          const keyId = keyring.sealedUnder(sealed, placeOf(table, id))
          rows.set(keyId, (rows.get(keyId) ?? 0) + 1)
        }
        for (const [keyId, count] of rows) found.push({ table, kind: 'sealed', keyId, rows: count })
      }
      for (const table of digestTables) {
        for (const { keyId, rows } of await store.digestsIn(table))
          found.push({ table, kind: 'digest', keyId, rows })
      }
      return found
    },
  }
}
/** A digest to be replaced by one under the current master key. */
export interface RenewedDigest {
  id: string
  from: Buffer
  to: Buffer
}
