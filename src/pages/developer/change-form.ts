// The form with which an owner changes an app: its fields, and the change that it asks for.
import type { OwnerPatch, OwnerSettings } from '../../core/clients/app-change-rules.ts'
import type { RegisteredApp } from '../../core/clients/apps.ts'
import { longestUri } from '../../core/clients/link.ts'
import { camelKeys, snakeKeys } from '../../core/language/case.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Text } from '../../words/text.ts'
import { type Setting, settingField } from '../rendering/fields/app-settings.ts'
import { requirementFields, withRequirements } from '../rendering/fields/required-permissions.ts'
import { type Body, type Field, listIn, textField } from '../rendering/forms/form-field.ts'
import { fieldRefusal, type Refusal } from '../rendering/forms/form-page.ts'
import { describePermissions, type Reader } from '../rendering/permission-list.ts'

const longestKeys = 20_000

const withoutKeys = [
  ...['name', 'description', 'homepage_uri', 'logo_uri'],
  ...['uploaded_logo', 'policy_uri', 'tos_uri'],
  ...['permissions', 'redirect_uris', 'client_type'],
] as Setting[]

/** A permission that every app has has no box. */
const groupsOf =
  (reader: Reader, api: Interface, known: readonly string[]) => (ticked: readonly string[]) =>
    describePermissions(reader, api, known, { ticked }).map((group) => ({
      ...group,
      lines: group.lines.filter(({ permission }) => permission !== null),
    }))

export const changeFields = (reader: Reader, app: RegisteredApp): Field[] => {
  const { text, catalogue } = reader
  const words = text.developer.changes
  const hasKeys = app.interface === 'current' && app.clientType === 'confidential'
  const json = snakeKeys(app)
  const names: Setting[] = [...withoutKeys, ...(hasKeys ? (['jwks_uri', 'jwks'] as const) : [])]
  const known = [...catalogue.names(app.interface), ...app.permissions]
  return [
    ...names.flatMap((name) => [
      {
        ...settingField(text, json, name),
        ...(name === 'permissions' && { groups: groupsOf(reader, app.interface, known) }),
        ...(name === 'name' && { missing: text.faults.name }),
        ...(name === 'redirect_uris' && { missing: text.faults.redirect_uri }),
      },
      ...(name === 'permissions' ? requirementFields(text, json, known) : []),
    ]),
    textField('reason', words.reason, null, {
      ...{ hint: words.reasonHint, most: 1000, whenEmpty: null },
    }),
  ]
}

/** @returns undefined for text that is no key set */
const keysIn = (text: string): OwnerSettings['jwks'] | undefined => {
  if (text === '') return null
  if (text.length > longestKeys) return undefined
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    const isList =
      Array.isArray(keys) && keys.every((one) => typeof one === 'object' && one !== null)
    return isList ? { keys } : undefined
  } catch {
    return undefined
  }
}

/** The change that the form asks for. Keys of an app that changes to another client type are not sent: they are dropped. */
export const changeIn = (
  text: Text,
  app: RegisteredApp,
  { reason, jwks: typedKeys, jwks_uri: keysUri, ...sent }: Body,
): { patch: OwnerPatch; reason: string | null } | Refusal => {
  const { developer, faults } = text
  const made = withRequirements(text, sent)
  if ('refusal' in made) return made.refusal
  const { body } = made
  const redirectUris = listIn(body.redirect_uris).flatMap((line) => line.split(/\s+/))
  const jwks = keysIn(listIn(typedKeys).join('\n'))
  if (body.client_type !== 'public' && body.client_type !== 'confidential')
    return fieldRefusal('client_type', developer.changes.faults.clientType)
  if (redirectUris.some((one) => one.length > longestUri))
    return fieldRefusal('redirect_uris', faults.redirect_uri)
  const keepsKeys = app.interface === 'current' && body.client_type === app.clientType
  if (keepsKeys && jwks === undefined) return fieldRefusal('jwks', faults.jwks)
  const keys = keepsKeys ? { jwks, jwksUri: keysUri ?? null } : {}
  const patch = { ...camelKeys(body), redirectUris, ...keys } as OwnerPatch
  return { patch, reason: (reason ?? null) as string | null }
}
