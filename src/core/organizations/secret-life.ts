/** What can be known of a machine secret after it was shown. */
export interface SecretUse {
  createdAt: Date
  lastUsedAt: Date | null
}

/** Where a secret stands beside the others of its owner. */
export type SecretStanding =
  | { kind: 'only' }
  | { kind: 'newest' }
  /** Somebody still uses it, beside its successor. */
  | { kind: 'in_use'; lastUsedAt: Date }
  /** It was not used since its successor was made, and that is not long ago. */
  | { kind: 'resting'; lastUsedAt: Date }
  /** It rests, but its successor has not been used either. */
  | { kind: 'waiting' }
  /** Safe to retire: the successor is in use and this one is not any more, or never was. */
  | { kind: 'replaced'; lastUsedAt: Date | null }
  /** Safe to retire: nobody has used it for this long. */
  | { kind: 'unused'; days: number; everUsed: boolean }

const day = 24 * 3600 * 1000 // ms
/** A secret that rests this long beside a used successor is taken to be replaced. */
const restUntilReplaced = day
/** A secret that rests this long is taken to be forgotten. */
const restUntilUnused = 30 * day

/** @param now milliseconds since 1970 */
export const standingOf = (
  secret: SecretUse,
  active: readonly SecretUse[],
  now: number,
): SecretStanding => {
  const others = active.filter((one) => one !== secret)
  if (others.length === 0) return { kind: 'only' }
  const newer = others.filter((one) => one.createdAt > secret.createdAt)
  if (newer.length === 0) return { kind: 'newest' }
  const { createdAt, lastUsedAt } = secret
  const rest = now - (lastUsedAt ?? createdAt).getTime()
  if (rest >= restUntilUnused)
    return { kind: 'unused', days: Math.floor(rest / day), everUsed: lastUsedAt !== null }
  const successorUsed = newer.some((one) => one.lastUsedAt !== null)
  if (successorUsed && (lastUsedAt === null || rest >= restUntilReplaced))
    return { kind: 'replaced', lastUsedAt }
  if (lastUsedAt === null || rest >= restUntilReplaced) return { kind: 'waiting' }
  const sinceSuccessor = newer.every((one) => lastUsedAt < one.createdAt)
  return { kind: successorUsed && sinceSuccessor ? 'resting' : 'in_use', lastUsedAt }
}
