// What operators name in a form: by a name, an id, or the e-mail address of a person.
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'
import { longestSearch } from '../../core/organizations/search.ts'
import type { UserJson } from '../../http/operator/people/users.ts'
import type { FoundJson } from '../../http/operator/reports/search.ts'
import type { Shown } from '../rendering/forms/blocks.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import type { FilterPick } from '../rendering/long-list.ts'
import { fieldRefusal, type Refused } from './console-form.ts'
import { searchUrl, tabUrl } from './console-page.ts'
import { codeField, linesOrNull } from './fields.ts'
import type { OperatorVisit } from './gate.ts'
import { linkedIf } from './list-table.ts'

const kinds = {
  user: ['people', '/users', 'users:read', 'unknown_user'],
  organization: ['organizations', '/organizations', 'organizations:read', 'unknown_organization'],
  app: ['apps', '/apps', 'apps:read', 'unknown_app'],
} as const
type Kind = keyof typeof kinds

/** The page that lists what a text finds, for the script of a field. */
const pickUrl = (kind: Kind) => `${searchUrl}?kind=${kind}`

/** A field for one of these. With a script it lists what the text finds. */
export const pickField = (
  { text }: OperatorVisit,
  kind: Kind,
  name: string,
  label: string,
  value?: string | null,
): Field =>
  codeField(name, label, value, {
    hint: text.search.pick[kind],
    isRequired: true,
    pick: pickUrl(kind),
  })

const wordsIn = (text: string) => text.toLowerCase().split(' ').filter(Boolean)

/** Is each word that was typed one of the name? */
const hasWords = ({ name }: { name: string }, typed: string) =>
  wordsIn(typed).every((word) => wordsIn(name).includes(word))

const isNamed = (typed: string) => (one: FoundJson) =>
  one.name.localeCompare(typed, undefined, { sensitivity: 'base' }) === 0

/** What fits best: that with this id, those with exactly this name, else all that the text finds. */
const fitting = async ({ api }: OperatorVisit, kind: Kind, typed: string) => {
  const [, path] = kinds[kind]
  const own = (await api.each<{ name: string }>(path, [typed])).get(typed)
  if (own) return [{ id: typed, name: own.name }]
  if (kind === 'user' && typed.includes('@'))
    return (await api.search<UserJson>('/users', { email: typed })).items
  const query = new URLSearchParams({ q: typed.slice(0, longestSearch), kind })
  const { items } = await api.read<{ items: FoundJson[] }>(`/search?${query}`)
  const named = items.filter(isNamed(typed))
  return named.length > 0 ? named : items
}

type Picked = { one: { id: string; name: string } } | { fault: string; isUnknown: boolean }

const pickOne = async (visit: OperatorVisit, kind: Kind, typed: string): Promise<Picked> => {
  const { text } = visit
  const found = typed.trim() === '' ? [] : await fitting(visit, kind, typed)
  const [one, ...others] = found
  const all = found.map(({ id, name }) => `${name} (${id})`).join(', ')
  if (others.length > 0) return { fault: text.search.several(typed, all), isUnknown: false }
  // The beginning of a name or an id is not taken for the whole.
  const isMeant = one && (typed.includes('@') || one.id === typed.trim() || hasWords(one, typed))
  return isMeant ? { one } : { fault: text.faults[kinds[kind][3]], isUnknown: true }
}

/** The ids of what is typed in a field, in the same order. Who may not read these has to type ids. */
export const pickedIds = async (
  visit: OperatorVisit,
  kind: Kind,
  name: string,
  typed: readonly string[],
): Promise<{ ids: string[] } | Refused> => {
  if (!visit.may(kinds[kind][2])) return { ids: [...typed] }
  const ids: string[] = []
  for (const one of typed) {
    const picked = await pickOne(visit, kind, one)
    if ('fault' in picked) return fieldRefusal(name, picked.fault)
    ids.push(picked.one.id)
  }
  return { ids }
}

/** Fields of a filter in which a name is typed, by their parameters. */
const filterKinds = { organization_id: 'organization', client_id: 'app', user_id: 'user' } as const

/** What is chosen in these fields. An id may be one of what is gone. */
export const pickedFilter = async (visit: OperatorVisit, queried: (name: string) => string) => {
  const picks = Object.entries(filterKinds).map(async ([name, kind]) => {
    const typed = queried(name).trim()
    if (!visit.may(kinds[kind][2])) return []
    const none = { value: typed, note: null, fault: null, pick: pickUrl(kind) }
    const picked = typed === '' ? null : await pickOne(visit, kind, typed)
    if (picked === null) return [[name, none] as const]
    if ('one' in picked) {
      const { id: value, name: note } = picked.one
      return [[name, { ...none, value, note }] as const]
    }
    const isId = picked.isUnknown && isClientIdShaped(typed)
    return [[name, isId ? none : { ...none, fault: picked.fault }] as const]
  })
  return new Map<string, FilterPick>((await Promise.all(picks)).flat())
}

/** The organizations of a field with a line for each; null: all. */
export const pickedOrganizations = async (visit: OperatorVisit, typed: unknown) => {
  const lines = linesOrNull(typed)
  if (lines === null) return { organization_ids: null }
  const picked = await pickedIds(visit, 'organization', 'organization_ids', lines.map(String))
  return 'refusal' in picked ? picked : { organization_ids: picked.ids }
}

/** Shows some by their ids: one as a link with the name, several by their names; by ids what may not be read. */
export const namedCells = async (
  { api, may }: OperatorVisit,
  kind: Kind,
  all: readonly string[],
  urlOf?: (id: string) => string,
): Promise<(ids: readonly string[]) => Shown> => {
  const [tab, path, right] = kinds[kind]
  const found = may(right) ? await api.each<{ name: string }>(path, all) : null
  return (ids) => {
    const [first = '', ...others] = ids
    const names = ids.map((id) => found?.get(id)?.name ?? id).join(', ')
    const at = encodeURIComponent(first)
    const mayOpen = others.length === 0 && (found !== null || urlOf !== undefined)
    return linkedIf(mayOpen, names, urlOf?.(at) ?? `${tabUrl(tab)}/${at}`)
  }
}
