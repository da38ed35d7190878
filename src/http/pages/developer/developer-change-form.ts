// The form with which an owner changes an app: its fields, and the faults in them.
import type { FastifyRequest } from 'fastify'
import {
  type OwnerPatch,
  type OwnerSettings,
  versionOfSettings,
} from '../../../core/clients/app-change-rules.ts'
import type { RegisteredApp } from '../../../core/clients/apps.ts'
import { longestUri } from '../../../core/clients/link.ts'
import type { LivePermissionCatalogue } from '../../../core/clients/permission-catalogue.ts'
import { camelCase } from '../../../core/language/case.ts'
import type { Fault } from '../../../core/language/faults.ts'
import type { Text } from '../../../words/text.ts'
import type { DeveloperChangePage } from '../rendering/developer-view-models.ts'
import { field, fields } from '../rendering/forms.ts'
import { describePermissions } from '../rendering/permission-list.ts'

/** The fields as text. */
export interface ChangeFields {
  name: string
  description: string
  homepageUri: string
  logoUri: string
  policyUri: string
  tosUri: string
  clientType: string
  redirectUris: string
  permissions: readonly string[]
  jwks: string
  jwksUri: string
  reason: string
}

type FieldName = keyof ChangeFields
export type ChangeFaults = Partial<Record<FieldName, string>>

const longestKeys = 20_000

export const fieldsOf = (app: OwnerSettings): ChangeFields => ({
  name: app.name,
  description: app.description ?? '',
  homepageUri: app.homepageUri ?? '',
  logoUri: app.logoUri ?? '',
  policyUri: app.policyUri ?? '',
  tosUri: app.tosUri ?? '',
  clientType: app.clientType,
  redirectUris: app.redirectUris.join('\n'),
  permissions: app.permissions,
  jwks: app.jwks ? JSON.stringify(app.jwks, null, 2) : '',
  jwksUri: app.jwksUri ?? '',
  reason: '',
})

export const readFields = (request: FastifyRequest): ChangeFields => {
  const text = (name: string) => field(request, name).trim()
  return {
    name: text('name'),
    description: text('description'),
    homepageUri: text('homepage_uri'),
    logoUri: text('logo_uri'),
    policyUri: text('policy_uri'),
    tosUri: text('tos_uri'),
    clientType: text('client_type'),
    redirectUris: text('redirect_uris'),
    permissions: fields(request, 'permissions'),
    jwks: text('jwks'),
    jwksUri: text('jwks_uri'),
    reason: text('reason'),
  }
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

/** The keys of an app that changes to another client type are not sent: they are dropped. */
const keyPatch = (app: RegisteredApp, given: ChangeFields): OwnerPatch =>
  app.interface === 'legacy' || given.clientType !== app.clientType
    ? {}
    : { jwks: keysIn(given.jwks), jwksUri: given.jwksUri || null }

/** @returns the settings, and the fields that cannot be read */
export const patchIn = (
  app: RegisteredApp,
  given: ChangeFields,
): { patch: OwnerPatch; unreadable: FieldName[] } => {
  const { clientType } = given
  const redirectUris = given.redirectUris.split(/\s+/).filter((one) => one !== '')
  const keys = keyPatch(app, given)
  const isType = clientType === 'public' || clientType === 'confidential'
  return {
    patch: {
      name: given.name,
      description: given.description || null,
      homepageUri: given.homepageUri || null,
      logoUri: given.logoUri || null,
      policyUri: given.policyUri || null,
      tosUri: given.tosUri || null,
      ...(isType && { clientType }),
      redirectUris,
      permissions: [...given.permissions],
      ...keys,
    },
    unreadable: [
      ...(isType ? [] : ['clientType' as const]),
      ...(redirectUris.some((one) => one.length > longestUri) ? ['redirectUris' as const] : []),
      ...('jwks' in keys && keys.jwks === undefined ? ['jwks' as const] : []),
    ],
  }
}

/** The words at each field. A fault that no field has is in `error` only. */
export const faultsIn = (
  text: Text,
  names: readonly string[],
): { faults: ChangeFaults; error: string } => {
  const { faults: said } = text.developer.changes
  const { link, name, redirect_uri, unknown_permission, jwks, jwks_uri } = text.faults
  const words: Record<string, string> = {
    ...said,
    name,
    homepageUri: link,
    logoUri: link,
    policyUri: link,
    tosUri: link,
    redirectUris: redirect_uri,
    permissions: unknown_permission,
    jwks,
    jwksUri: jwks_uri,
  }
  const known = names.filter((name) => Object.hasOwn(words, name))
  const faults = Object.fromEntries(known.map((name) => [name, words[name]])) as ChangeFaults
  return { faults, error: words[known[0] ?? 'other'] ?? '' }
}

/** The names of the fields that faults are about. */
export const namesOf = (faults: readonly Fault[]): string[] =>
  faults.map(({ pointer }) => camelCase(pointer.split('/')[1] ?? ''))

/** What the view needs of the form. */
export const formOf = (
  text: Text,
  catalogue: LivePermissionCatalogue,
  app: RegisteredApp,
  given: ChangeFields,
): Pick<
  DeveloperChangePage,
  'given' | 'version' | 'types' | 'permissionGroups' | 'hasKeys' | 'lead'
> => ({
  given,
  version: versionOfSettings(app),
  types: (['confidential', 'public'] as const).map((value) => ({
    value,
    label: text.developer.app.clientTypes[value],
    isChosen: given.clientType === value,
  })),
  permissionGroups: describePermissions(
    text,
    catalogue,
    app.interface,
    [...new Set([...catalogue.names(app.interface), ...app.permissions])],
    undefined,
    given.permissions,
  ).map((group) => ({
    ...group,
    lines: group.lines.filter(({ permission }) => permission !== null),
  })),
  hasKeys: app.interface === 'current' && app.clientType === 'confidential',
  lead: app.reviewed ? text.developer.changes.leadReviewed : text.developer.changes.lead,
})
