import { type Fault, faultAt } from './faults.ts'

/** When an install or a consent ends by itself. */
export interface AccessEnd {
  /** null: it does not expire */
  expiresAt: Date | null
  /** Seconds without use after which it ends; null: it may stay unused */
  idleSeconds: number | null
}

const day = 86_400
/** Uses are recorded to the minute. */
export const shortestIdle = 60
export const longestIdle = 3650 * day
export const mostDays = 3650

/** @param now milliseconds since 1970 */
export const accessEndFaults = (
  { expiresAt, idleSeconds }: { [Field in keyof AccessEnd]?: AccessEnd[Field] | undefined },
  now: number,
): Fault[] => {
  const faults: Fault[] = []
  if (expiresAt && Number.isNaN(expiresAt.getTime()))
    faults.push(faultAt('/expires_at', 'expires_at', 'is not a time'))
  else if (expiresAt && expiresAt.getTime() <= now)
    faults.push(faultAt('/expires_at', 'expires_at', 'is not in the future'))
  else if (expiresAt && expiresAt.getTime() > now + mostDays * day * 1000)
    faults.push(faultAt('/expires_at', 'expires_at', `is more than ${mostDays} days away`))
  if (
    typeof idleSeconds === 'number' &&
    !(Number.isInteger(idleSeconds) && idleSeconds >= shortestIdle && idleSeconds <= longestIdle)
  )
    faults.push(
      faultAt('/idle_seconds', 'out_of_range', `is not between ${shortestIdle} and ${longestIdle}`),
    )
  return faults
}

/** The end that an organization gives to new installs and consents, in days; null: none. */
export type UsualEnd = Record<'expiresDays' | 'idleDays', number | null>

/** With the nearer end of two. @param days null: no other end */
export const nearerEnd = ({ expiresDays, idleDays }: UsualEnd, days: number | null): UsualEnd => ({
  expiresDays: days === null ? expiresDays : Math.min(days, expiresDays ?? days),
  idleDays,
})

/** @param now milliseconds since 1970 */
export const usualEnd = ({ expiresDays, idleDays }: UsualEnd, now: number): AccessEnd => ({
  expiresAt: expiresDays === null ? null : new Date(now + expiresDays * day * 1000),
  idleSeconds: idleDays === null ? null : idleDays * day,
})
