import type { Keyring } from '../crypto/keyring.ts'

export const sealedTables = [
  'signing_keys',
  'rsa_signing_keys',
  'key_set_secrets',
  'webhook_secrets',
  'audit_streams',
] as const
export type SealedTable = (typeof sealedTables)[number]
export const digestTables = [
  'app_secrets',
  'key_set_secrets',
  'resource_servers',
  'operator_tokens',
  'scim_tokens',
] as const
export type DigestTable = (typeof digestTables)[number]

export interface SealedText {
  id: string
  sealed: Buffer
  /** Digest of the sealed secret, if the table stores one; else null. */
  digest: Buffer | null
}

export interface MasterKeyStore {
  /** Sealed texts of a table in the order of their ids, after this id. An empty list means there are no more. */
  sealedIn(table: SealedTable, after: string): Promise<SealedText[]>
  /** Compare and set. @returns false when the stored text has changed since */
  replaceSealed(table: SealedTable, id: string, from: Buffer, to: Buffer): Promise<boolean>
  /** Compare and set: a digest that has changed since is not replaced. */
  renew(table: DigestTable, digests: readonly RenewedDigest[], keyId: string): Promise<void>
  /** Counts rows of a table by the id of the master key of their digest; null is an unknown key. */
  digestsIn(table: DigestTable): Promise<{ keyId: string | null; rows: number }[]>
}

/** The number of rows of a table that depend on a master key. */
export interface KeyDependency {
  table: string
  kind: 'sealed' | 'digest'
  /** null when the key is unknown */
  keyId: string | null
  rows: number
}

/** Reports which rows depend on which master key, and moves them to the current one. */
export const createMasterKeys = (deps: {
  store: MasterKeyStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'open' | 'seal' | 'sealedUnder'>
}) => {
  const { store, keyring } = deps
  const placeOf = (table: SealedTable, id: string) => `${table}:${id}`
  const [current] = keyring.keyIds

  async function* sealedTexts(table: SealedTable) {
    for (let after = ''; ; ) {
      const page = await store.sealedIn(table, after)
      yield* page
      const last = page.at(-1)
      if (!last) return
      after = last.id
    }
  }

  /** A sealed secret can be opened here, so its digest is renewed at once and need not wait for the secret's next use. */
  const renewDigest = async ({ id, digest }: SealedText, secret: string) => {
    const made = keyring.digest(secret)
    if (digest && !digest.equals(made))
      await store.renew('key_set_secrets', [{ id, from: digest, to: made }], current)
  }

  return {
    /** Ids of the configured keys, the current one first. */
    keyIds: keyring.keyIds,

    /**
     * Reseals under the current key what older keys sealed. Repeating it, or running it on several instances at once,
     * is harmless.
     * @returns the number of resealed rows
     */
    reseal: async (): Promise<number> => {
      let resealed = 0
      for (const table of sealedTables) {
        for await (const row of sealedTexts(table)) {
          const place = placeOf(table, row.id)
          const under = keyring.sealedUnder(row.sealed, place)
          // A text that no configured key opens stays unchanged; the status command reports it.
          if (under === null) continue
          const plain = keyring.open(row.sealed, place)
          if (table === 'key_set_secrets') await renewDigest(row, plain.toString('utf8'))
          if (under === current) continue
          const renewed = keyring.seal(plain, place)
          if (await store.replaceSealed(table, row.id, row.sealed, renewed)) resealed++
        }
      }
      return resealed
    },

    status: async (): Promise<KeyDependency[]> => {
      const found: KeyDependency[] = []
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
/** A digest, and its replacement under the current master key. */
export interface RenewedDigest {
  id: string
  from: Buffer
  to: Buffer
}
