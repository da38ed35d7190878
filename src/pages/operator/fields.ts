// Fields that several forms of the console have.
import { everything, operatorPermissions } from '../../core/credentials/operator-permissions.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import type { OperatorVisit } from './gate.ts'

type More = Partial<Field>

export const nameField = ({ text }: OperatorVisit, value = ''): Field => ({
  ...{ name: 'name', kind: 'text', label: text.operator.forms.fields.name },
  values: [value],
  isRequired: true,
})

/** One line that a program reads, such as an id or an address. */
export const codeField = (name: string, label: string, value?: string | null, more?: More) =>
  ({ name, kind: 'text', label, values: [value ?? ''], isCode: true, ...more }) satisfies Field

/** Such a line for each value. */
export const linesField = (
  name: string,
  label: string,
  values: readonly string[] | null | undefined,
  more?: More,
) => ({ name, kind: 'area', label, values: values ?? [], isCode: true, ...more }) satisfies Field

/** The lines of a submitted form; null: there is none, and so no limit to some values. */
export const linesOrNull = (lines: unknown) =>
  Array.isArray(lines) && lines.length > 0 ? lines : null

export const choiceField = <Value extends string>(
  name: string,
  label: string,
  chosen: string,
  values: readonly Value[],
  labels: Record<Value, string>,
): Field => ({
  ...{ name, kind: 'choice', label, values: [chosen] },
  options: values.map((value) => ({ value, label: labels[value] })),
})

/** Permissions by their names. */
export const ticksField = (
  label: string,
  names: readonly string[],
  ticked: readonly string[],
): Field => ({
  ...{ name: 'permissions', kind: 'ticks', label, values: ticked, isCode: true },
  options: [...new Set(names)].map((value) => ({ value, label: value })),
})

/** What operators and their tokens may do, as boxes. */
export const rightsField = ({ text }: OperatorVisit, values: readonly string[]): Field => {
  const { permissions, allRights } = text.operator.forms.fields
  const field = ticksField(permissions, operatorPermissions, values)
  const all = { value: everything, label: allRights, isWords: true } as const
  return { ...field, options: [all, ...(field.options ?? [])] }
}
