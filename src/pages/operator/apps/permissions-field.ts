import type { Field } from '../../rendering/forms/form-field.ts'
import { describePermissions } from '../../rendering/permission-list.ts'
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
  const lines = describePermissions(text, catalogue, interfaceName, names, undefined, ticked)
    .flatMap((group) => group.lines)
    .flatMap(({ permission, sentence, mark }) =>
      permission === null
        ? []
        : [
            {
              value: permission,
              label: permission,
              hint: mark ? `${sentence} · ${mark}` : sentence,
            },
          ],
    )
  return {
    name: 'permissions',
    kind: 'ticks',
    label: text.operator.forms.fields.permissions,
    values: ticked,
    options: lines,
    isCode: true,
  }
}
