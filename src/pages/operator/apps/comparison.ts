// What an operator decides about an app: what it asks for, whom it concerns, and what differs.
import type { OwnerSetting } from '../../../core/clients/app-change-rules.ts'
import { camelCase } from '../../../core/language/case.ts'
import type { SettingChangeJson } from '../../../http/operator/apps/changes.ts'
import type { Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { settingDifference } from '../../rendering/fields/setting-differences.ts'
import { valued } from '../../rendering/forms/blocks.ts'
import { type Body, type Field, listIn } from '../../rendering/forms/form-field.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { permissionSentence, type Reader } from '../../rendering/permission-list.ts'
import type { Block, SettingDifference } from '../../rendering/view-models/blocks.ts'
import type { OperatorVisit } from '../gate.ts'
import { itemTable } from '../list-table.ts'

/** What waits for a decision. */
export interface Compared {
  name: string
  changes: readonly SettingChangeJson[]
  organizations?: number
  people?: number
  /** There is no app yet. */
  isNew?: boolean
  /** Above the differences. */
  hint?: string | null
}

/** Settings with several values. */
const lists = ['redirect_uris', 'permissions', 'optional_permissions', 'permission_reasons']

export const settingLabel = (text: Text, { field: name }: SettingChangeJson): string =>
  text.developer.changes.fields[camelCase(name) as OwnerSetting]

/** The value that takes the place of another one, or what is added and what is taken away. */
const rowsOf = (name: string, { label, taken, given }: SettingDifference) =>
  lists.includes(name)
    ? [
        ...given.map((one) => ({ label, taken: undefined, given: one })),
        ...taken.map((one) => ({ label, taken: one, given: undefined })),
      ]
    : [{ label, taken: taken[0], given: given[0] }]

const differencesTable = (reader: Reader, { changes, isNew, hint = null }: Compared) => {
  const { text } = reader
  const { columns, review } = text.operator
  const none = text.form.none
  const rows = changes.flatMap(({ field: name, before, after }) =>
    rowsOf(
      name,
      settingDifference(reader, camelCase(name) as OwnerSetting, [
        isNew ? undefined : before,
        after,
      ]),
    ),
  )
  return itemTable(
    rows,
    [
      [columns.setting, ({ label }) => label],
      !isNew && [columns.before, ({ taken }) => (taken ? valued(taken) : none)],
      [columns.after, ({ given }) => (given ? valued(given) : none)],
    ],
    { id: 'changes', heading: review.changes, hint, empty: review.noChanges },
  )
}

const permissionsIn = ({ changes }: Compared) => {
  const change = changes.find((one) => one.field === 'permissions')
  const [before, after] = [listIn(change?.before), listIn(change?.after)]
  return {
    added: after.filter((one) => !before.includes(one)),
    removed: before.filter((one) => !after.includes(one)),
  }
}

const pointsOf = (reader: Reader, compared: Compared): Phrase[] => {
  const { text } = reader
  const { asks, asksNew, gives, reach, adminsAsked, atOnce, stops } = text.operator.review
  const { name, organizations = 0, people = 0, isNew = false } = compared
  const { added, removed } = permissionsIn(compared)
  const listed = (names: readonly string[]) =>
    text.formats.list.all(names.map((one) => permissionSentence(reader, one)))
  const asking = isNew ? asksNew : asks
  return [
    ...(added.length > 0 ? [asking(name, added.length, listed(added))] : []),
    ...(isNew
      ? []
      : [[reach(organizations, people), ' ', added.length > 0 ? adminsAsked : atOnce]]),
    [stops],
    ...(removed.length > 0 ? [gives(name, removed.length, listed(removed))] : []),
  ]
}

export const comparison = (reader: Reader, compared: Compared): Block[] => [
  { kind: 'points', points: pointsOf(reader, compared) },
  differencesTable(reader, compared),
]

const refusing = 'refuse'

export const sentDecision = ({ request }: OperatorVisit) =>
  field(request, 'decision') === refusing ? refusing : 'approve'

/** Approve beside Refuse. @param mayApprove otherwise it can only be refused */
export const decisionButtons = ({ operator }: Text, mayApprove: boolean) => {
  const { approve, refuse } = operator.review
  const refusal = { submit: refuse, decision: refusing, isDanger: true }
  return mayApprove ? { submit: approve, decision: 'approve', other: refusal } : refusal
}

/** The reason in one line, as the API takes it. */
export const noteIn = ({ note }: Body): string | null =>
  typeof note === 'string' ? note.replaceAll('\n', ' ') : null

/** The reason of a refusal. Several lines, so that Enter decides nothing. */
export const noteField = ({ operator }: Text): Field => ({
  ...{ name: 'note', kind: 'area', most: 1000, whenEmpty: null },
  ...{ label: operator.changes.note, hint: operator.changes.noteHint },
})
