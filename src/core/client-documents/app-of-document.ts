// A document beside the app that it describes: what follows by itself, and what the operator must decide.

import { changedFields } from '../audit/changes.ts'
import type { RequiredSettings } from '../clients/app-settings.ts'
import type { Admission, AppPatch, NewApp, RegisteredApp } from '../clients/apps.ts'
import { snakeCase } from '../language/case.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import type { AppPresets } from './client-hosts.ts'
import { hostOfClient } from './client-url.ts'
import type { ClientDocument } from './document.ts'

/** What the operator adds to the document. */
export interface OperatorChoice {
  /** Maximum permissions of the app; absent: those of the document's scope that exist here. */
  permissions?: string[] | undefined
  description?: string | null | undefined
  /** Absent: the host of the document, which pages then show. */
  publisher?: string | null | undefined
  reviewed?: boolean | undefined
  owners?: string[] | undefined
  retryWindowSeconds?: number | undefined
}

/** A setting that differs, by its name in JSON. */
export interface DocumentChange {
  field: string
  before: unknown
  after: unknown
}

type Catalogue = Pick<PermissionCatalogue, 'find'>

const added = (before: readonly string[], after: readonly string[]) =>
  after.filter((one) => !before.includes(one))

/** The permissions in a document's scope. Other words, such as `offline_access`, mean nothing here. */
const permissionsOf = (catalogue: Catalogue, { scopes }: ClientDocument): string[] =>
  (scopes ?? []).filter((word) => catalogue.find('current', word) !== null)

/** The words of the scope that are no permission. */
export const ignoredScopes = (catalogue: Catalogue, { scopes }: ClientDocument): string[] =>
  (scopes ?? []).filter((word) => catalogue.find('current', word) === null)

/** The settings of an app that a document decides. */
const ownSettings = ({ scopes: _, ...settings }: ClientDocument) => settings

const presetsOf = (presets: AppPresets | undefined, permissions: readonly string[]) => ({
  accessTokenSeconds: presets?.accessTokenSeconds ?? null,
  retryWindowSeconds: presets?.retryWindowSeconds ?? 0,
  optionalPermissions:
    presets?.optionalPermissions?.filter((one) => permissions.includes(one)) ?? null,
})

/** The settings of a new app. @param presets of the host; absent: none */
export const newAppOf = (
  catalogue: Catalogue,
  clientUrl: string,
  document: ClientDocument,
  choice: OperatorChoice,
  presets?: AppPresets,
): NewApp => {
  const { permissions = permissionsOf(catalogue, document), ...rest } = choice
  const required: RequiredSettings = { ...ownSettings(document), interface: 'current', permissions }
  return {
    publisher: hostOfClient(clientUrl),
    ...ownSettings(document),
    ...required,
    ...presetsOf(presets, permissions),
    ...rest,
  }
}

/** What a document asks for within the ceiling: without a scope, the whole ceiling. */
export const withinCeiling = (ceiling: readonly string[], { scopes }: ClientDocument): string[] =>
  ceiling.filter((one) => scopes === null || scopes.includes(one))

/** Everything that a document changes of an app that the operator accepts anew. */
export const acceptedPatch = (
  catalogue: Catalogue,
  app: RegisteredApp,
  document: ClientDocument,
  seenScopes: readonly string[],
  choice: OperatorChoice,
): AppPatch => {
  const requested = permissionsOf(catalogue, document)
  const fresh = added(seenScopes, requested)
  const dropped = droppedPermissions(document, seenScopes)
  const kept = app.permissions.filter((one) => !dropped.includes(one))
  return {
    ...ownSettings(document),
    ...choice,
    permissions: choice.permissions ?? [...kept, ...added(kept, fresh)],
  }
}

/** Permissions that the accepted document asked for and this one does not. */
const droppedPermissions = ({ scopes }: ClientDocument, seenScopes: readonly string[]) =>
  scopes === null ? [] : added(scopes, seenScopes)

/**
 * Privacy policy and terms are what a person agrees to, so an address on a host that the operator has not seen waits. It
 * follows on the host of the document, on that of the address before, and when it is left out.
 */
const follows = (app: RegisteredApp, before: string | null, after: string | null) =>
  after === null ||
  [app.clientId, before].some(
    (known) => known !== null && new URL(known).host === new URL(after).host,
  )

const legalLinks = ['policyUri', 'tosUri'] as const

const followingLinks = (app: RegisteredApp, document: ClientDocument): AppPatch =>
  Object.fromEntries(
    legalLinks
      .filter((link) => follows(app, app[link], document[link]))
      .map((link) => [link, document[link]]),
  )

/** What an admitted app gets: what its document asks for now and did not before, if it is within the ceiling. */
const admittedPatch = (
  app: RegisteredApp,
  kept: readonly string[],
  document: ClientDocument,
  seenScopes: readonly string[],
  { ceiling, optionalPermissions: optional }: Admission,
): AppPatch => {
  const fresh = added([...seenScopes, ...kept], withinCeiling(ceiling, document))
  if (fresh.length === 0) return {}
  const { optionalPermissions: before } = app
  return {
    permissions: [...kept, ...fresh],
    ...(before && {
      optionalPermissions: [
        ...before.filter((one) => kept.includes(one)),
        ...fresh.filter((one) => optional?.includes(one) ?? true),
      ],
    }),
  }
}

/**
 * What follows without the operator: name, links, keys, and what narrows the app; of an app that its host has admitted
 * also what is within the ceiling. If all its redirect URIs are gone,
 * they stay until the operator accepts others, because an app needs one.
 */
export const followingPatch = (
  app: RegisteredApp,
  document: ClientDocument,
  seenScopes: readonly string[],
  admission: Admission | null,
): AppPatch => {
  const { name, homepageUri, logoUri, jwks, jwksUri, clientType } = document
  const dropped = droppedPermissions(document, seenScopes)
  const kept = app.permissions.filter((one) => !dropped.includes(one))
  const remaining = app.redirectUris.filter((uri) => document.redirectUris.includes(uri))
  return {
    name,
    homepageUri,
    logoUri,
    ...followingLinks(app, document),
    ...(clientType === app.clientType && { jwks, jwksUri }),
    ...(remaining.length > 0 && { redirectUris: remaining }),
    permissions: kept,
    ...(admission && admittedPatch(app, kept, document, seenScopes, admission)),
  }
}

/** Must the operator decide? Another type of client, a new redirect URI, a new scope, or terms on another host. */
export const needsReview = (
  catalogue: Catalogue,
  app: RegisteredApp,
  document: ClientDocument,
  seenScopes: readonly string[],
): boolean =>
  document.clientType !== app.clientType ||
  legalLinks.some((link) => !follows(app, app[link], document[link])) ||
  added(app.redirectUris, document.redirectUris).length > 0 ||
  added([...seenScopes, ...app.permissions], permissionsOf(catalogue, document)).length > 0

const shownFields = [
  'name',
  'clientType',
  'redirectUris',
  'permissions',
  'homepageUri',
  'logoUri',
  'policyUri',
  'tosUri',
  'jwks',
  'jwksUri',
] as const
type Shown = { [Field in (typeof shownFields)[number]]?: unknown }

/** The differences that an operator sees. @param before null: there is no app yet */
export const differences = (before: Shown | null, after: Shown): DocumentChange[] =>
  shownFields.flatMap((field) => {
    const [was = null, is = null] = [before?.[field], after[field]]
    const isChanged = changedFields<Shown>({ [field]: was }, { [field]: is }).length > 0
    return isChanged ? [{ field: snakeCase<string>(field), before: was, after: is }] : []
  })
