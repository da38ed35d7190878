// Secrets of clients of which only the hash of another server is known (decision 0120).
import { type NewSecret, newStoredSecret } from '../credentials/secrets.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { networkOf } from '../language/ip-address.ts'
import { overload } from '../limits/fair-queue.ts'
import { matchesHash } from '../people/foreign-hash.ts'
import type { Passwords } from '../people/passwords.ts'
import type { SecretDigest } from './app.ts'

export interface ForeignSecretStore {
  /** Replaces the hash by our digest, unless another instance or a rotation was first. */
  renew(
    secretId: string,
    from: string,
    to: Pick<NewSecret, 'digest' | 'digestKeyId' | 'hint'>,
  ): Promise<void>
}

/** The sender of a request whose secret has to be verified by work. */
export interface SecretAttempt {
  clientId: string
  address: string
  onWait(): void
  /** Counts the attempt as failed while it runs. @returns settles the count @throws OAuthError slow_down */
  begin(): Promise<(matches: boolean) => Promise<void>>
}

/** Attempts of one client and network that wait for each other, in one process. */
const mostWaiting = 256
const plainPrefix = 'sha256:'

export const createForeignSecrets = (deps: {
  store: ForeignSecretStore
  keyring: Pick<Keyring, 'digest' | 'keyIds'>
  verify: Passwords['verifySecret']
}) => {
  const { store, keyring, verify } = deps
  /** What is being verified now: equal requests share the work. */
  const underWay = new Map<string, Promise<boolean>>()
  const lines = new Map<string, { count: number; last: Promise<unknown> }>()

  /** Runs the work after that of the same client and network. */
  const inTurn = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const line = lines.get(key) ?? { count: 0, last: Promise.resolve() }
    if (line.count >= mostWaiting) throw overload()
    lines.set(key, line)
    line.count++
    const done = line.last.then(work)
    line.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      if (--line.count === 0) lines.delete(key)
    }
  }

  const renew = async ({ id, foreignHash }: SecretDigest, secret: string) => {
    const { stored } = newStoredSecret('app', keyring, secret)
    await store.renew(id, foreignHash ?? '', stored).catch(() => undefined)
  }

  const attempt = async (one: SecretDigest, secret: string, by: SecretAttempt) => {
    const settle = await by.begin()
    let matches = false
    let isChecked = false
    try {
      matches = await verify(one.foreignHash ?? '', secret, {
        account: `client ${by.clientId}`,
        address: by.address,
      })
      isChecked = true
    } finally {
      // A secret that was not checked must not count as wrong.
      await settle(matches || !isChecked)
    }
    if (matches) await renew(one, secret)
    return matches
  }

  /** SHA-256 takes no time. */
  const isPlainMatch = async (one: SecretDigest, secret: string) => {
    const matches = await matchesHash(one.foreignHash ?? '', secret)
    if (matches) await renew(one, secret)
    return matches
  }

  const check = (one: SecretDigest, secret: string, by: SecretAttempt): Promise<boolean> => {
    if (one.foreignHash?.startsWith(plainPrefix)) return isPlainMatch(one, secret)
    const key = `${one.id} ${keyring.digest(`${one.foreignHash} ${secret}`).toString('base64')}`
    const known = underWay.get(key)
    if (known !== undefined) return known
    by.onWait()
    const turn = `${by.clientId} ${networkOf(by.address)}`
    const work = inTurn(turn, () => attempt(one, secret, by)).finally(() => underWay.delete(key))
    underWay.set(key, work)
    return work
  }

  return {
    /** @returns the secret that matches; null: none does @throws OAuthError slow_down, temporarily_unavailable */
    find: async (secrets: readonly SecretDigest[], secret: string, by: SecretAttempt) => {
      for (const one of secrets) if (one.foreignHash && (await check(one, secret, by))) return one
      return null
    },
  }
}

export type ForeignSecrets = ReturnType<typeof createForeignSecrets>
