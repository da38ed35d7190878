// How long the secrets in use keep working beside a new one.
import type { FastifyRequest } from 'fastify'
import type { Text } from '../../words/text.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'

const hour = 3600 // s
const overlaps = { day: 24 * hour, hour, week: 168 * hour, none: 0 }
type Overlap = keyof typeof overlaps
export const overlapByDefault = overlaps.day

/** @param full why no secret can stay beside the new one; null: there is room */
export const overlapField = ({ operator }: Text, full: string | null = null): Field => {
  const { inUse, keepDay, keepHour, keepWeek, stopNow } = operator.forms.fields
  const labels = { day: keepDay, hour: keepHour, week: keepWeek, none: stopNow }
  const offered = full === null ? (Object.keys(overlaps) as Overlap[]) : (['none'] as const)
  return {
    name: 'in_use',
    kind: 'choice',
    label: inUse,
    hint: full,
    values: full === null ? ['day'] : [],
    options: offered.map((value) => ({ value, label: labels[value] })),
    isOutside: true,
  }
}

/** Seconds; null: none of the choices. */
export const chosenOverlap = (request: FastifyRequest): number | null => {
  const chosen = field(request, 'in_use')
  return Object.hasOwn(overlaps, chosen) ? overlaps[chosen as Overlap] : null
}
