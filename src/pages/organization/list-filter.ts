// A choice among some values, which filters a list.
import type { FastifyRequest } from 'fastify'
import { queried } from '../rendering/forms/sent-values.ts'
import { type ListPart, readPart } from '../rendering/long-list.ts'
import type { Choice } from '../rendering/view-models/activity.ts'
import type { ListFilter } from '../rendering/view-models/organization-apps.ts'

/** The first choice means all. A chosen value that is not offered is added. */
export const choicesOf = (
  all: string,
  options: readonly { id: string; name: string }[],
  chosen: string,
): Choice[] => {
  const isKnown = chosen === '' || options.some(({ id }) => id === chosen)
  const offered = isKnown ? options : [...options, { id: chosen, name: chosen }]
  return [{ id: '', name: all }, ...offered].map(({ id, name }) => ({
    value: id,
    label: name,
    isChosen: id === chosen,
  }))
}

interface FilteredPart<Value> extends ListPart {
  /** Null: all. */
  chosen: Value | null
}

/** The part of a list that the address names, and the chosen value of its parameter `name`. */
export const readFiltered = <Value extends string>(
  request: FastifyRequest,
  name: string,
  values: readonly Value[],
): FilteredPart<Value> => {
  const chosen = values.find((one) => one === queried(request, name)) ?? null
  return { ...readPart(request), filters: chosen ? { [name]: chosen } : {}, chosen }
}

/** The search form above such a list. */
export const filterOf = <Value extends string>(
  action: string,
  { name, chosen }: FilteredPart<Value>,
  values: readonly Value[],
  labels: Readonly<Record<Value | 'all', string>>,
): ListFilter => {
  const options = values.map((id) => ({ id, name: labels[id] }))
  return {
    action,
    name,
    choices: choicesOf(labels.all, options, chosen ?? ''),
    isOpen: name === '' && chosen === null,
  }
}
