import type { Keyring } from '../crypto/keyring.ts'
import type { DigestTable, MasterKeyStore, RenewedDigest } from './master-keys.ts'

/** A secret was shown that has this digest: only now can its digest be made anew. */
export type SecretShown = (table: DigestTable, id: string, secret: string, digest: Buffer) => void

const flushEvery = 10_000 // ms
const mostCollected = 10_000

/** Moves digests to the current master key as their secrets are used, in batches; nothing waits for it. */
export const createDigestRenewal = (deps: {
  store: Pick<MasterKeyStore, 'renew'>
  keyring: Pick<Keyring, 'digest' | 'keyIds'>
  onError(error: unknown): void
}) => {
  const { store, keyring } = deps
  const [keyId] = keyring.keyIds
  const collected = new Map<DigestTable, Map<string, RenewedDigest>>()

  const settled = new Set<string>()

  const flush = async () => {
    const batches = [...collected]
    collected.clear()
    for (const [table, digests] of batches)
      await store.renew(table, [...digests.values()], keyId).catch(deps.onError)
  }
  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()

  const shown: SecretShown = (table, id, secret, digest) => {
    // With one key in force there is nothing to move from.
    if (keyring.keyIds.length === 1) return
    const to = keyring.digest(secret)
    // Noted once that it is under the current key already; another instance may move it back during a roll-out.
    const name = `${table}:${id}`
    if (to.equals(digest) && settled.has(name)) return
    if (settled.size < mostCollected) settled.add(name)
    const batch = collected.get(table) ?? new Map()
    if (batch.size < mostCollected) collected.set(table, batch.set(id, { id, from: digest, to }))
  }

  return {
    shown,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
