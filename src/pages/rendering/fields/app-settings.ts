// The settings of an app that its owners and operators edit. A setting is one line of the table, and has its words in
// `en/developer-changes.ts`.
import { longestUri } from '../../../core/clients/link.ts'
import { camelCase } from '../../../core/language/case.ts'
import type { Text } from '../../../words/text.ts'
import type { Field } from '../forms/form-field.ts'

const address = { kind: 'text', most: longestUri, isCode: true, whenEmpty: null } as const

/** Of pages about the app, which many apps do not have. */
const link = { ...address, isSeldom: true } as const

const settings = {
  name: { kind: 'text', most: 100, isRequired: true },
  description: { kind: 'text', most: 1000, whenEmpty: null },
  homepage_uri: link,
  logo_uri: link,
  uploaded_logo: { kind: 'logo', whenEmpty: null, isSeldom: true },
  policy_uri: link,
  tos_uri: link,
  client_type: { kind: 'choice', isRequired: true },
  redirect_uris: { kind: 'area', isRequired: true, isCode: true },
  permissions: { kind: 'permissions' },
  jwks_uri: address,
  jwks: { kind: 'area', isCode: true },
} as const satisfies Record<string, Partial<Field>>

export type Setting = keyof typeof settings

const linesOf = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.map(String)
  return [typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)]
}

/**
 * The field of a setting.
 * @param app by the names of the API; null: a new one
 */
export const settingField = (
  { developer }: Text,
  app: Partial<Record<Setting, unknown>> | null,
  name: Setting,
): Field => {
  const words = developer.changes
  const { clientTypes } = developer.app
  const hintOf: Partial<Record<Setting, string>> = {
    redirect_uris: words.redirectUrisHint,
    uploaded_logo: words.uploadedLogoHint,
    jwks_uri: words.keysHint,
    ...(app && { client_type: words.typeWarning }),
  }
  return {
    name,
    ...settings[name],
    label: words.fields[camelCase(name)],
    hint: hintOf[name] ?? null,
    values: app ? linesOf(app[name]) : name === 'client_type' ? ['confidential'] : [],
    ...(name === 'client_type' && {
      ...{ fault: words.faults.clientType, missing: words.faults.clientType },
      options: (['confidential', 'public'] as const).map((value) => ({
        value,
        label: clientTypes[value],
      })),
    }),
  }
}
