// What happens to the secret in use when an owner of an app makes another one. Nothing is chosen in advance.
import type { FastifyRequest } from 'fastify'
import type { Text } from '../../words/text.ts'
import { tamperedForm } from './forms/approval-form.ts'
import type { Field } from './forms/form-field.ts'
import { field } from './forms/sent-values.ts'

const hour = 3600 // s
const overlaps = { hour, day: 24 * hour, week: 168 * hour, month: 720 * hour } as const

type Words = Pick<
  Text['developer']['webhooks']['rotation'],
  'legend' | 'leaked' | 'leakedHint' | 'chooseFault'
> & { keepHint?: string }

/** @param hasRoom a secret can stay beside the new one */
export const inUseField = ({ developer }: Text, words: Words, hasRoom: boolean): Field => {
  const { keep, overlap, overlaps: labels } = developer.replace
  const names = Object.keys(overlaps) as (keyof typeof overlaps)[]
  const more: Field = {
    ...{ name: 'retire_others_after_seconds', kind: 'select', label: overlap },
    values: [String(overlaps.day)],
    options: names.map((name) => ({ value: String(overlaps[name]), label: labels[name] })),
  }
  return {
    ...{ name: 'in_use', kind: 'choice', label: words.legend, isRequired: true },
    missing: words.chooseFault,
    options: [
      ...(hasRoom
        ? [{ value: 'keep', label: keep, hint: words.keepHint ?? null, more: [more] }]
        : []),
      { value: 'leaked', label: words.leaked, hint: words.leakedHint },
    ],
  }
}

/**
 * Seconds that the secret in use keeps working; null: it leaked. Also from a form with a choice that is not offered now.
 * @throws OAuthError for another choice
 */
export const inUseIn = (request: FastifyRequest): number | null => {
  const inUse = field(request, 'in_use')
  if (inUse === 'leaked') return null
  const typed = field(request, 'retire_others_after_seconds')
  const after = Object.values<number>(overlaps).find((seconds) => String(seconds) === typed)
  if (inUse !== 'keep' || after === undefined) throw tamperedForm()
  return after
}
