// The fields of a form: what they ask, what a person has sent, and how the page shows them.
import type { FastifyRequest } from 'fastify'
import type { Text } from '../../../words/text.ts'
import { faultWords, type RefusedFault } from '../fault-words.ts'
import { sentLogoPath } from '../logos.ts'
import type { PermissionGroup } from '../permission-list.ts'
import type { FieldLook, FormField, FormOption, WorkspaceChoice } from '../view-models/blocks.ts'
import { field, fields } from './sent-values.ts'

/** A field of a form. It has the name of the API's field, so the form is the body of the call. */
export interface Field extends FieldLook {
  /** The present values; none by default. */
  values?: readonly string[]
  /** `isWords`: a label that people read, among names in code. `more`: fields that belong to this option only. */
  options?: { value: string; label: string; hint?: string | null; isWords?: true; more?: Field[] }[]
  /** Of `permissions`: the boxes, with these ticked. */
  groups?(ticked: readonly string[]): PermissionGroup[]
  /** Of `workspaces`: the boxes, with these ticked; `*` for all. */
  workspaces?(ticked: readonly string[]): WorkspaceChoice
  /** What is said when a required field is empty. */
  missing?: string
  /** What an empty field means; absent: the field is left out of the body. */
  whenEmpty?: null | '' | 0
  /** Said when the service refuses it, instead of the words of the rule. */
  fault?: string
  /** Not a field of the body; the work of the form reads it. */
  isOutside?: boolean
}

/** A field for one line of text. */
export const textField = (
  name: string,
  label: string,
  value: string | null | undefined,
  more?: Partial<Field>,
): Field => ({ name, kind: 'text', label, values: [value ?? ''], ...more })

/** Boxes for names that programs read. */
export const codeTicks = (
  name: string,
  label: string,
  names: readonly string[],
  ticked: readonly string[],
): Field => ({
  ...{ name, kind: 'ticks', label, values: ticked, isCode: true },
  options: [...new Set(names)].map((value) => ({ value, label: value })),
})

export const removalOf = ({ name }: Pick<Field, 'name'>) => `${name}_removed`

export type Body = Record<string, unknown>

/** With those that belong to an option. */
export const allFields = (all: readonly Field[]): Field[] =>
  all.flatMap((one) => [one, ...(one.options ?? []).flatMap(({ more }) => more ?? [])])

export const isTicked = ({ kind }: Field) =>
  kind === 'ticks' || kind === 'permissions' || kind === 'workspaces'

export const valuesIn = (request: FastifyRequest, one: Field): string[] => {
  const ticked = fields(request, one.name)
  if (one.kind === 'workspaces') return ticked.includes('*') ? ['*'] : ticked
  if (isTicked(one)) return ticked
  if (one.kind === 'logo' && field(request, removalOf(one)) !== '') return ['']
  const typed = field(request, one.name)
  return one.kind === 'area' ? typed.split(/\r?\n/) : [typed]
}

const bodyValue = (request: FastifyRequest, one: Field): unknown => {
  const values = valuesIn(request, one)
  if (one.kind === 'tick') return values[0] === 'yes'
  if (isTicked(one)) return values
  const filled = values
    .map((value) => (one.kind === 'password' ? value : value.trim()))
    .filter(Boolean)
  if (one.kind === 'area' && one.isCode) return filled
  if (filled.length === 0) return one.whenEmpty
  const text = filled.join('\n')
  // What is no number is refused by the service.
  return one.kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The values of a field with several. */
export const listIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

export const bodyOf = (request: FastifyRequest, all: readonly Field[]): Body =>
  Object.fromEntries(
    allFields(all)
      .filter(({ isOutside }) => !isOutside)
      .map((one) => [one.name, bodyValue(request, one)] as const)
      .filter(([, value]) => value !== undefined),
  )

/** Required fields that are empty. Most browsers do not send these, except with spaces. */
export const emptyFields = (request: FastifyRequest, all: readonly Field[]): Field[] =>
  all.filter(
    (one) => one.isRequired && valuesIn(request, one).every((value) => value.trim() === ''),
  )

/** The words for the first fault of each field, by its name, and the faults of no field. */
export const faultsAt = (text: Text, all: readonly Field[], faults: readonly RefusedFault[]) => {
  const errors = new Map<string, string>()
  const others = faults.filter((fault) => {
    const name = fault.pointer.split('/')[1] ?? ''
    const field = allFields(all).find((one) => one.name === name)
    if (field && !errors.has(name)) errors.set(name, field.fault ?? faultWords(text, fault))
    return !field
  })
  return { errors, others }
}

/** The fragment of the page at which a field is. */
export const anchorOf = ({ kind, name }: Field) =>
  kind !== 'workspaces' ? name : name === 'workspace_ids' ? 'workspaces' : `${name}-workspaces`

/** What a person has sent, and what is wrong with it. */
export interface Submitted {
  values(one: Field): readonly string[]
  errors: ReadonlyMap<string, string>
}

export const fieldOf = (one: Field, submitted: Submitted | null): FormField => {
  const values = submitted?.values(one) ?? one.values ?? []
  const optionOf = (option: NonNullable<Field['options']>[number]): FormOption => ({
    ...{ value: option.value, label: option.label, hint: option.hint ?? null },
    isCode: (one.isCode ?? false) && option.isWords !== true,
    isChosen: values.includes(option.value),
    more: (option.more ?? []).map((field) => fieldOf(field, submitted)),
  })
  return {
    ...one,
    error: submitted?.errors.get(one.name) ?? null,
    value: one.kind === 'password' ? '' : values.join('\n'),
    logo: one.kind === 'logo' ? sentLogoPath(values[0]) : null,
    options: (one.options ?? []).map(optionOf),
    groups: one.groups?.(values) ?? [],
    workspaces: one.workspaces?.(values) ?? null,
  }
}
