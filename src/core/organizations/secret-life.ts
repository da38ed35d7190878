/** The use of a machine secret. */
export interface SecretUse {
  createdAt: Date
  lastUsedAt: Date | null
}

/** The use of a secret compared with the other secrets of its owner. */
export type SecretStanding =
  | { kind: 'only' }
  | { kind: 'newest' }
  /** Still used, beside its successor. */
  | { kind: 'in_use'; lastUsedAt: Date }
  /** Not used since its successor was made, but used shortly before. */
  | { kind: 'resting'; lastUsedAt: Date }
  /** Not used any more, but its successor has not been used either. */
  | { kind: 'waiting' }
  /** Safe to retire: the successor is in use, and this secret no longer is or never was. */
  | { kind: 'replaced'; lastUsedAt: Date | null }
  /** Safe to retire: not used for `days`. */
  | { kind: 'unused'; days: number; everUsed: boolean }

const day = 24 * 3600 * 1000 // ms
/** A secret that is unused for this long beside a used successor counts as replaced. */
const restUntilReplaced = day
/** A secret that is unused for this long counts as forgotten. */
const restUntilUnused = 30 * day

/** @param now milliseconds since 1970 */
export const secretStanding = (
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
