// When something ends by itself: after some days, on a day, or never.
import type { FastifyRequest } from 'fastify'
import { type AccessEnd, accessEndFaults, mostDays } from '../../../core/language/access-end.ts'
import type { Text } from '../../../words/text.ts'
import type { Field } from '../forms/form-field.ts'
import type { Refusal } from '../forms/form-page.ts'
import { field } from '../forms/sent-values.ts'

const dayInMs = 86_400_000
const presets = [7, 30, 90, 365] // days

const dayOf = (date: Date | null) => date?.toISOString().slice(0, 10) ?? ''
const endOfDay = (day: string) => new Date(`${day}T23:59:59Z`)

const daysOf = (idleSeconds: number | null) =>
  idleSeconds === null ? '' : String(Math.ceil((idleSeconds * 1000) / dayInMs))

/** The fields of an end. The day belongs to the last choice. @param present null: none */
export const endField = ({ ends }: Text, present: Date | null): Field => ({
  ...{ name: 'expires_at', kind: 'choice', label: ends.label, isOutside: true },
  values: [present === null ? 'never' : 'day'],
  options: [
    { value: 'never', label: ends.never },
    ...presets.map((days) => ({ value: String(days), label: ends.after(days) })),
    {
      value: 'day',
      label: ends.onDay,
      more: [
        {
          ...{ name: 'last_day', kind: 'date', label: ends.lastDay, isOutside: true },
          values: [dayOf(present)],
        },
      ],
    },
  ],
})

export const idleField = (text: Text, idleSeconds: number | null): Field => ({
  ...{ name: 'idle_days', kind: 'number', label: text.organization.policy.idle, most: 4 },
  ...{ hint: text.organization.policy.endsHint, values: [daysOf(idleSeconds)], isOutside: true },
})

/**
 * The chosen end. An unchanged day keeps its exact time, which the Operator API may have set. A typed day counts although
 * *never* is still chosen.
 * @param now milliseconds since 1970
 * @returns an invalid date for a day that cannot be read
 */
export const endIn = (request: FastifyRequest, present: Date | null, now: number): Date | null => {
  const [chosen, typed] = [field(request, 'expires_at'), field(request, 'last_day').trim()]
  if (presets.includes(Number(chosen)))
    return endOfDay(dayOf(new Date(now + Number(chosen) * dayInMs)))
  if (!['', 'never', 'day'].includes(chosen)) return endOfDay('')
  if (chosen === 'never' && typed === dayOf(present)) return null
  if (typed === '') return null
  if (typed === dayOf(present)) return present
  return endOfDay(typed.length === 10 ? typed : '')
}

/** As the API takes it; a day that cannot be read is refused there. */
export const isoOf = (end: Date | null) =>
  end && (Number.isNaN(end.getTime()) ? 'no day' : end.toISOString())

/** Both fields, if they can be stored. An unchanged number of days keeps its exact seconds. @param now milliseconds since 1970 */
export const accessEndIn = (
  request: FastifyRequest,
  text: Text,
  present: AccessEnd,
  now: number,
): AccessEnd | Refusal => {
  const typed = field(request, 'idle_days').trim()
  const days = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  const isUnchanged = typed === daysOf(present.idleSeconds)
  const end = {
    expiresAt: endIn(request, present.expiresAt, now),
    idleSeconds: isUnchanged ? present.idleSeconds : typed === '' ? null : days * (dayInMs / 1000),
  }
  const errors = new Map(
    accessEndFaults(end, now).map(({ pointer }) =>
      pointer === '/expires_at'
        ? (['last_day', text.ends.dayFault] as const)
        : (['idle_days', text.organization.policy.daysFault(mostDays)] as const),
    ),
  )
  const [summary] = errors.values()
  return summary === undefined ? end : { status: 400, errors, summary }
}
