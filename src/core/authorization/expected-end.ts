import { type AccessEnd, nearerEnd, type UsualEnd, usualEnd } from '../language/access-end.ts'

/** The ends that count for a user's access to an app in one organization. */
export interface KnownEnds {
  /** What the organization gives to new installs and consents. */
  usualEnd: UsualEnd
  /** Days after which new installs of the app end by the rule of its host; null: none. */
  hostDays: number | null
  /** null: there is no install, or it does not expire */
  installExpiresAt: Date | null
  /** null: there is no consent that counts */
  consentEnd: AccessEnd | null
}

const earlier = (one: Date | null, other: Date | null) => {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** When an install ends that an admin approves now. @param now milliseconds since 1970 */
export const endOfNewInstall = ({ usualEnd: usual, hostDays }: KnownEnds, now: number): AccessEnd =>
  usualEnd(nearerEnd(usual, hostDays), now)

/**
 * When a consent ends that a user gives now. It ends with its install; a consent to the same install keeps its end. The
 * idle limit of the install is left out: other users may keep the install in use.
 * @param isRenewed the user has a consent to this install
 * @param now milliseconds since 1970
 */
export const endOfConsent = (
  { usualEnd: usual, installExpiresAt, consentEnd }: Omit<KnownEnds, 'hostDays'>,
  isRenewed: boolean,
  now: number,
): AccessEnd => {
  const own = (isRenewed ? consentEnd : null) ?? usualEnd(usual, now)
  return { ...own, expiresAt: earlier(own.expiresAt, installExpiresAt) }
}
