// The fields in which a maker or an operator says what an app requires, and why.

import type { AppSettings } from '../../../core/clients/app-settings.ts'
import type { SnakeKeys } from '../../../core/language/case.ts'
import { intersect } from '../../../core/language/permissions.ts'
import type { Text } from '../../../words/text.ts'
import type { Body, Field } from '../forms/form-field.ts'
import { fieldRefusal, type Refusal } from '../forms/form-page.ts'

type Requirements = SnakeKeys<Pick<AppSettings, 'optionalPermissions' | 'permissionReasons'>>

/** `records:create: sentence`, or `records:create (de): Satz` for one language. */
const reasonLine = /^(\S+)(?: \(([A-Za-z0-9-]+)\))?: *(\S.*)$/

export const reasonLines = (reasons: Requirements['permission_reasons']): string[] =>
  Object.entries(reasons).flatMap(([name, said]) =>
    typeof said === 'string'
      ? [`${name}: ${said}`]
      : Object.entries(said).map(([language, words]) => `${name} (${language}): ${words}`),
  )

/** @returns null for a line of another form, or a language beside a sentence for all */
const reasonsIn = (lines: readonly string[]): Requirements['permission_reasons'] | null => {
  const reasons = new Map<string, string | Record<string, string>>()
  for (const line of lines) {
    const [, name, language, words] = reasonLine.exec(line.trim()) ?? []
    if (name === undefined || words === undefined) return null
    const before = reasons.get(name)
    if (language === undefined) {
      if (before !== undefined) return null
      reasons.set(name, words)
    } else {
      if (typeof before === 'string') return null
      reasons.set(name, { ...before, [language]: words })
    }
  }
  return Object.fromEntries(reasons)
}

/** @param app null: a new one @param names of the permissions that it may have */
export const requirementFields = (
  { developer }: Text,
  app: Requirements | null,
  names: readonly string[],
): Field[] => {
  const words = developer.changes.requirements
  const optional = app?.optional_permissions ?? null
  return [
    {
      ...{ name: 'needs', kind: 'choice', label: words.needs, hint: words.needsHint },
      values: [optional === null ? 'nothing' : 'some'],
      options: [
        { value: 'nothing', label: words.nothing },
        {
          value: 'some',
          label: words.some,
          more: {
            ...{ name: 'optional_permissions', kind: 'ticks', label: words.some, isCode: true },
            values: optional ?? [],
            options: [...new Set(names)].map((value) => ({ value, label: value })),
          },
        },
      ],
    },
    {
      ...{ name: 'permission_reasons', kind: 'area', label: words.reasons, isCode: true },
      ...{ hint: words.reasonsHint, values: reasonLines(app?.permission_reasons ?? {}) },
    },
  ]
}

const listIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

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
