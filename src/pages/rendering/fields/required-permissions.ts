// The fields in which a maker or an operator says what an app requires, and why.

import type { AppSettings } from '../../../core/clients/app-settings.ts'
import type { SnakeKeys } from '../../../core/language/case.ts'
import { intersect } from '../../../core/language/permissions.ts'
import type { Text } from '../../../words/text.ts'
import { type Body, codeTicks, type Field, listIn } from '../forms/form-field.ts'
import { fieldRefusal, type Refusal } from '../forms/form-page.ts'

type Requirements = SnakeKeys<Pick<AppSettings, 'optionalPermissions' | 'permissionReasons'>>

export const reasonLines = (reasons: Requirements['permission_reasons']): string[] =>
  Object.entries(reasons).flatMap(([name, said]) =>
    typeof said === 'string'
      ? [`${name}: ${said}`]
      : Object.entries(said).map(([language, words]) => `${name} (${language}): ${words}`),
  )

/** `records:create: sentence`, or `records:create (de): Satz` for one language. @returns null for another form */
const partsOf = (line: string) => {
  const at = line.indexOf(': ')
  const [name = '', language] = line.slice(0, Math.max(at, 0)).split(' (')
  const words = line.slice(at + 2).trim()
  if (name === '' || words === '' || language?.endsWith(')') === false) return null
  return { name, language: language?.slice(0, -1), words }
}

/** @returns null for a line of another form, or a language beside a sentence for all */
const reasonsIn = (lines: readonly string[]): Requirements['permission_reasons'] | null => {
  const reasons = new Map<string, string | Record<string, string>>()
  for (const line of lines) {
    const parts = partsOf(line)
    if (!parts) return null
    const { name, language, words } = parts
    const before = reasons.get(name)
    if (before !== undefined && (language === undefined || typeof before === 'string')) return null
    reasons.set(name, language === undefined ? words : { ...(before as object), [language]: words })
  }
  return Object.fromEntries(reasons)
}

/** What an app can do without. @param optional null: each @param names of the permissions that it may have */
export const needsField = (
  { developer }: Text,
  optional: Requirements['optional_permissions'],
  names: readonly string[],
): Field => {
  const words = developer.changes.requirements
  const boxes = codeTicks('optional_permissions', words.some, names, optional ?? [])
  return {
    ...{ name: 'needs', kind: 'choice', label: words.needs, hint: words.needsHint },
    values: [optional === null ? 'nothing' : 'some'],
    options: [
      { value: 'nothing', label: words.nothing },
      { value: 'some', label: words.some, more: [boxes] },
    ],
  }
}

/** @param app null: a new one @param names of the permissions that it may have */
export const requirementFields = (
  text: Text,
  app: Requirements | null,
  names: readonly string[],
): Field[] => {
  const words = text.developer.changes.requirements
  return [
    needsField(text, app?.optional_permissions ?? null, names),
    {
      ...{ name: 'permission_reasons', kind: 'area', label: words.reasons, isCode: true },
      ...{ hint: words.reasonsHint, values: reasonLines(app?.permission_reasons ?? {}) },
    },
  ]
}

/** The body of the form as the API takes it. */
export const withRequirements = (
  { developer }: Text,
  { needs, optional_permissions: optional, permission_reasons: lines, ...body }: Body,
): { body: Body } | { refusal: Refusal } => {
  const { reasonsFault } = developer.changes.requirements
  const reasons = reasonsIn(listIn(lines))
  if (!reasons) return { refusal: fieldRefusal('permission_reasons', reasonsFault) }
  const kept = intersect(listIn(body.permissions), listIn(optional))
  return {
    body: {
      ...body,
      optional_permissions: needs === 'some' ? kept : null,
      permission_reasons: reasons,
    },
  }
}
