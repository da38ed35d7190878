// An owner's requests as the page of the app shows them.
import {
  changedSettings,
  type OwnerPatch,
  type OwnerSetting,
} from '../../core/clients/app-change-rules.ts'
import type { StoredAppChange } from '../../core/clients/app-changes.ts'
import type { Text } from '../../words/text.ts'
import { momentOf } from '../rendering/render.ts'
import type { AppChangeItem } from '../rendering/view-models/developer.ts'

const valuesOf = (text: Text, settings: OwnerPatch, field: OwnerSetting): string[] => {
  const { none, keyCount } = text.developer.changes
  if (field === 'jwks') return [settings.jwks ? keyCount(settings.jwks.keys.length) : none]
  const value = settings[field]
  if (field === 'clientType') {
    return settings.clientType ? [text.developer.apps.clientTypes[settings.clientType]] : [none]
  }
  const values = [value ?? []].flat().map(String)
  return values.length === 0 ? [none] : values
}

/** @param names of users who still exist @param userId the reader */
export const appChangeItem = (
  text: Text,
  change: StoredAppChange,
  names: ReadonlyMap<string, string>,
  userId: string,
): AppChangeItem => {
  const words = text.developer.changes
  const { id, before, after, requestedBy, decision, note } = change
  return {
    id,
    requested:
      requestedBy === userId
        ? [words.you]
        : words.asked(names.get(requestedBy) ?? words.formerUser),
    at: momentOf(text, change.decidedAt ?? change.createdAt),
    decision: decision && {
      isApproved: decision === 'approve',
      words: decision === 'approve' ? words.approved : words.refused,
    },
    reason: change.reason,
    note: note === null ? null : words.note(note),
    settings: changedSettings(before, after).map((field) => ({
      label: words.fields[field],
      before: valuesOf(text, before, field),
      after: valuesOf(text, after, field),
    })),
  }
}
