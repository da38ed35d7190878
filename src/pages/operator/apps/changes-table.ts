import type { SettingChangeJson } from '../../../http/operator/apps/schemas.ts'
import type { Text } from '../../../words/text.ts'
import { code, plain, table } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'

/** A value of a setting, as people compare it. */
const shownValue = (value: unknown, none: string): string => {
  if (value === null || value === undefined) return none
  if (Array.isArray(value))
    return value.length === 0 ? none : value.map((one) => shownValue(one, none)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** @param isNew there are no values before */
export const changesTable = (
  text: Text,
  changes: readonly SettingChangeJson[],
  isNew = false,
): Block => {
  const { columns, review } = text.operator
  const { none } = text.form
  return table({
    id: 'changes',
    heading: review.changes,
    columns: isNew
      ? [columns.setting, columns.after]
      : [columns.setting, columns.before, columns.after],
    rows: changes.map(({ field, before, after }) => [
      code(field),
      ...(isNew ? [] : [plain(shownValue(before, none))]),
      plain(shownValue(after, none)),
    ]),
    empty: review.noChanges,
  })
}
