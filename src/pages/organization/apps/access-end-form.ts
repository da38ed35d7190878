import type { FastifyRequest } from 'fastify'
import { type AccessEnd, accessEndFaults, mostDays } from '../../../core/language/access-end.ts'
import type { Text } from '../../../words/text.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import type { AccessEndForm } from '../../rendering/view-models/organization-apps.ts'

const dayInSeconds = 86_400

/** The fields as text, as a person has filled them in. `lastDay`: the last day with access, in UTC. */
type EndFields = Pick<AccessEndForm, 'lastDay' | 'idleDays'>

type EndErrors = Pick<AccessEndForm, 'dayError' | 'idleError'>

export const endFields = ({ expiresAt, idleSeconds }: AccessEnd): EndFields => ({
  lastDay: expiresAt?.toISOString().slice(0, 10) ?? '',
  idleDays: idleSeconds === null ? '' : String(Math.ceil(idleSeconds / dayInSeconds)),
})

export const endVersion = ({ expiresAt, idleSeconds }: AccessEnd): string =>
  `${expiresAt?.toISOString() ?? ''}/${idleSeconds ?? ''}`

export const readEndFields = (request: FastifyRequest): EndFields => ({
  lastDay: field(request, 'last_day').trim().slice(0, 20),
  idleDays: field(request, 'idle_days').trim().slice(0, 20),
})

/** An unchanged field keeps the exact time that the Operator API may have set. A value that cannot be read is a fault. */
export const chosenEnd = (given: EndFields, now: AccessEnd): AccessEnd => {
  const shown = endFields(now)
  const { lastDay, idleDays } = given
  const expiresAt = lastDay === '' ? null : new Date(`${lastDay}T23:59:59Z`)
  const days = /^\d{1,4}$/.test(idleDays) ? Number(idleDays) : 0
  return {
    expiresAt: lastDay === shown.lastDay ? now.expiresAt : expiresAt,
    idleSeconds:
      idleDays === shown.idleDays ? now.idleSeconds : idleDays === '' ? null : days * dayInSeconds,
  }
}

/** What is wrong with the fields. @param at milliseconds since 1970 */
export const endErrors = (text: Text, given: EndFields, end: AccessEnd, at: number): EndErrors => {
  const { appEnd, policy } = text.organization
  const faults = accessEndFaults(end, at)
  const isFaulty = (name: string) => faults.some(({ pointer }) => pointer === name)
  const isDay = given.lastDay === '' || /^\d{4}-\d{2}-\d{2}$/.test(given.lastDay)
  return {
    dayError: !isDay || isFaulty('/expires_at') ? appEnd.dayFault : null,
    idleError: isFaulty('/idle_seconds') ? policy.daysFault(mostDays) : null,
  }
}

/** True when `next` is after `now`; null: never. */
export const isLater = (next: Date | number | null, now: Date | number | null): boolean =>
  now !== null && (next === null || next > now)

/** True when access would last longer than now. */
export const lastsLonger = (next: AccessEnd, now: AccessEnd): boolean =>
  isLater(next.expiresAt, now.expiresAt) || isLater(next.idleSeconds, now.idleSeconds)

/** The fields as the template shows them. */
export const endForm = (
  given: EndFields,
  { dayError, idleError }: EndErrors = { dayError: null, idleError: null },
): AccessEndForm => ({
  ...given,
  ...{ dayError, idleError },
  field: dayError ? '#last-day' : '#idle',
  error: dayError ?? idleError,
})
