import type { Field } from '../../rendering/forms/form-field.ts'
import { describePermissions } from '../../rendering/permission-list.ts'
import { ticksField } from '../fields.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'

/** Permissions by name to tick, each with what people read, grouped and with the sensitive ones first. */
export const permissionsField = (
  { text }: OperatorVisit,
  { catalogue }: OperatorPagesDependencies,
  interfaceName: 'current' | 'legacy',
  offered: readonly string[],
  ticked: readonly string[],
): Field => {
  const names = [...new Set(offered)]
  const options = describePermissions(text, catalogue, interfaceName, names, undefined, ticked)
    .flatMap(({ lines }) => lines)
    .flatMap(({ permission: value, sentence, mark }) =>
      value === null
        ? []
        : [{ value, label: value, hint: mark ? `${sentence} · ${mark}` : sentence }],
    )
  return { ...ticksField(text.operator.forms.fields.permissions, [], ticked), options }
}
