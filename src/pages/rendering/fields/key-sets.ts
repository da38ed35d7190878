// The fields of key sets, for admins and operators.
import { mostSecrets } from '../../../core/clients/app.ts'
import type { Text } from '../../../words/text.ts'
import { type Field, textField } from '../forms/form-field.ts'

/** @param present null: a new key set */
export const keySetFields = (
  { organization }: Text,
  present: { name: string; description: string | null } | null,
): Field[] => {
  const words = organization.keyForm
  return [
    textField('name', words.name, present?.name, {
      ...{ hint: words.nameHint, most: 100, isRequired: true },
      ...{ fault: words.nameFault, missing: words.nameFault },
    }),
    textField('description', words.description, present?.description, {
      ...{ most: 1000, whenEmpty: null, fault: words.descriptionFault },
    }),
  ]
}

const hour = 3600 // s
/** Seconds for which the secrets in use stay valid beside a new one. */
const overlaps = { hour, day: 24 * hour, week: 168 * hour, month: 720 * hour, now: 0 } as const

/**
 * How long the secrets in use work. A day is chosen; their end at once never is.
 * @param active the number of secrets in use: they can only stay beside the new one while there is room
 */
export const overlapField = ({ organization }: Text, active: number): Field[] => {
  const words = organization.keyRotate
  const isFull = active >= mostSecrets
  const offered = (Object.keys(overlaps) as (keyof typeof overlaps)[]).filter(
    (name) => name === 'now' || !isFull,
  )
  if (active === 0) return []
  return [
    {
      ...{ name: 'retire_others_after_seconds', kind: 'choice', label: words.legend },
      hint: isFull ? words.full : null,
      values: isFull ? [] : [String(overlaps.day)],
      options: offered.map((name) => ({
        value: String(overlaps[name]),
        label: words.overlaps[name].words,
        hint: words.overlaps[name].hint || null,
      })),
      isRequired: true,
      missing: words.full,
    },
  ]
}

/** @returns null for seconds that the field does not offer */
export const overlapIn = (typed: unknown): number | null =>
  Object.values<number>(overlaps).find((seconds) => String(seconds) === String(typed ?? 0)) ?? null
