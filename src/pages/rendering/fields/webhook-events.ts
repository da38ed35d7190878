// Which events a webhook gets: all of them, or the ticked ones.
import type { Text } from '../../../words/text.ts'
import { type Body, codeTicks, type Field } from '../forms/form-field.ts'

/** @param present null: all @param types that can be ticked */
export const eventsField = (
  { developer }: Text,
  types: readonly string[],
  present: readonly string[] | null,
): Field => {
  const { form } = developer.webhooks
  const boxes = codeTicks('events', form.some, types, present ?? [])
  return {
    ...{ name: 'which', kind: 'choice', label: form.events, isRequired: true },
    ...{ values: [present ? 'some' : 'all'], missing: form.noEvent },
    options: [
      { value: 'all', label: form.all },
      { value: 'some', label: form.some, more: [boxes] },
    ],
  }
}

/** Null: all. An empty list is none, which the API would take. */
export const eventsIn = ({ which, events }: Body): string[] | null =>
  which === 'all' ? null : (events as string[])
