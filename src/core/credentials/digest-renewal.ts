import { createWriteBehind } from '../audit/write-behind.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { DigestTable, MasterKeyStore, RenewedDigest } from './master-keys.ts'

/**
 * Called when a client shows a secret with this digest. Only the plain secret allows a new digest.
 * @param isForeign the digest is not ours
 */
export type SecretShown = (
  table: DigestTable,
  id: string,
  secret: string,
  digest: Buffer,
  isForeign?: boolean,
) => void

const flushEvery = 10_000 // ms
const mostCollected = 10_000

/** Moves digests to the current master key in batches, when their secrets are used. No caller waits for it. */
export const createDigestRenewal = (deps: {
  store: Pick<MasterKeyStore, 'renew'>
  keyring: Pick<Keyring, 'digest' | 'keyIds'>
  onError(error: unknown): void
}) => {
  const { store, keyring } = deps
  const [keyId] = keyring.keyIds
  const collected = new Map<DigestTable, Map<string, RenewedDigest>>()

  const settled = new Set<string>()

  const drop = (_batch: unknown, cause: unknown) => deps.onError(cause)
  const writeBehind = createWriteBehind<[DigestTable, RenewedDigest[]]>({
    flushEvery,
    take: () => {
      const batches = [...collected].map(([table, digests]): [DigestTable, RenewedDigest[]] => [
        table,
        [...digests.values()],
      ])
      collected.clear()
      return batches
    },
    write: ([table, digests]) => store.renew(table, digests, keyId),
    keep: drop,
    drop,
  })

  const shown: SecretShown = (table, id, secret, digest, isForeign = false) => {
    // With only one key there is no older key to move digests from.
    if (keyring.keyIds.length === 1 && !isForeign) return
    const to = keyring.digest(secret)
    // Records once that the digest is already under the current key. Other digests are always moved: during a
    // roll-out another instance may move one back.
    const name = `${table}:${id}`
    if (to.equals(digest) && settled.has(name)) return
    if (settled.size < mostCollected) settled.add(name)
    const batch = collected.get(table) ?? new Map()
    if (batch.size < mostCollected) collected.set(table, batch.set(id, { id, from: digest, to }))
  }

  return { shown, close: writeBehind.close }
}
