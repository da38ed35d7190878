// Fields that several forms of the console have.
import type { FastifyRequest } from 'fastify'
import { everything, operatorPermissions } from '../../core/credentials/operator-permissions.ts'
import type { Text } from '../../words/text.ts'
import { codeTicks, type Field, textField } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import type { OperatorVisit } from './gate.ts'

type More = Partial<Field>

export const nameField = ({ text }: OperatorVisit, value = '') =>
  textField('name', text.operator.forms.fields.name, value, { isRequired: true })

/** One line that a program reads, such as an id or an address. */
export const codeField = (name: string, label: string, value?: string | null, more?: More): Field =>
  textField(name, label, value, { isCode: true, ...more })

/** Such a line for each value. */
export const linesField = (
  name: string,
  label: string,
  values: readonly string[] | null | undefined,
  more?: More,
): Field => ({ name, kind: 'area', label, values: values ?? [], isCode: true, ...more })

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

/** Permissions by name to tick, each with what people read, grouped and with the sensitive ones first. */
export const permissionsField = (
  visit: OperatorVisit,
  interfaceName: 'current' | 'legacy',
  offered: readonly string[],
  ticked: readonly string[],
): Field => {
  const names = [...new Set(offered)]
  const options = describePermissions(visit, interfaceName, names, { ticked })
    .flatMap(({ lines }) => lines)
    .flatMap(({ permission: value, sentence, mark }) =>
      value === null
        ? []
        : [{ value, label: value, hint: mark ? `${sentence} · ${mark}` : sentence }],
    )
  const { permissions: label } = visit.text.operator.forms.fields
  return { ...codeTicks('permissions', label, [], ticked), options }
}

/** What operators and their tokens may do, as boxes. */
export const rightsField = ({ text }: OperatorVisit, values: readonly string[]): Field => {
  const { permissions, allRights } = text.operator.forms.fields
  const ticks = codeTicks('permissions', permissions, operatorPermissions, values)
  const all = { value: everything, label: allRights, isWords: true } as const
  return { ...ticks, options: [all, ...(ticks.options ?? [])] }
}

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
