/** What can be known of a machine secret after it was shown. */
export interface SecretUse {
  createdAt: Date
  lastUsedAt: Date | null
}

/** Where a secret stands beside the others of its owner. */
export type SecretStanding =
  | { kind: 'only' }
  | { kind: 'newest' }
  /** Somebody still uses it. */
  | { kind: 'in_use' }
  /** It rests, but its successor has not been used either. */
  | { kind: 'waiting' }
  /** Safe to retire: the successor is in use and this one is not any more. */
  | { kind: 'replaced' }
  /** Safe to retire: nobody has used it for this long. */
  | { kind: 'unused'; days: number }

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
  const rest = now - (secret.lastUsedAt ?? secret.createdAt).getTime()
  if (rest >= restUntilUnused) return { kind: 'unused', days: Math.floor(rest / day) }
  const successorUsed = newer.some((one) => one.lastUsedAt !== null)
  if (successorUsed && (secret.lastUsedAt === null || rest >= restUntilReplaced))
    return { kind: 'replaced' }
  return secret.lastUsedAt !== null && rest < restUntilReplaced
    ? { kind: 'in_use' }
    : { kind: 'waiting' }
}
