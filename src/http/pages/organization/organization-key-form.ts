import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { Fault } from '../../../core/language/faults.ts'
import type { Interface } from '../../../core/language/permissions.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'

import type { Workspaces } from '../../../core/organizations/workspaces.ts'
import type { Text } from '../../../words/text.ts'
import { tamperedForm } from '../rendering/approval-form.ts'
import { field, fields } from '../rendering/forms.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { hasFoldedChoice } from '../rendering/workspace-choice.ts'
import { createEditConflict, type EditConflictDependencies } from './edit-conflict.ts'
import { choiceOf } from './organization-app-items.ts'
import type { AdminVisit } from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

/** The values of the fields. */
export interface KeySetFields {
  name: string
  description: string
  permissions: string[]
  workspaceIds: string[] | null
}

/** The key set of the form; without an id, a new one. */
export interface AboutForm {
  interface: Interface
  keySetId: string | null
  /** The version that the user edits. */
  version?: string
  /** The current state, when another person has saved a change. */
  saved?: StoredKeySet
}

export type KeySetFaults = { name?: string; description?: string; workspaces?: string }

export const fieldsOf = (keySet: StoredKeySet): KeySetFields => ({
  name: keySet.name,
  description: keySet.description ?? '',
  permissions: keySet.permissions,
  workspaceIds: keySet.workspaceIds && [...keySet.workspaceIds],
})

/**
 * Reads the fields as sent. The service validates them.
 * @throws OAuthError for a malformed workspace id
 */
export const readFields = (request: FastifyRequest, generation: Interface): KeySetFields => {
  const places = fields(request, 'workspace_ids')
  if (!places.every((one) => one === '*' || isIdShaped(one))) throw tamperedForm()
  return {
    name: field(request, 'name').trim(),
    description: field(request, 'description').trim(),
    permissions: fields(request, 'permissions'),
    workspaceIds: generation === 'legacy' || places.includes('*') ? null : places,
  }
}

const mostCarried = 50

/** Address of the form for a new key set with these values. It is used when the user has to sign in again first. */
export const formUrl = (base: string, generation: Interface, given: KeySetFields) => {
  const query = new URLSearchParams({
    interface: generation,
    name: given.name,
    description: given.description,
  })
  for (const one of given.permissions.slice(0, mostCarried)) query.append('permissions', one)
  for (const one of (given.workspaceIds ?? []).slice(0, mostCarried))
    query.append('workspace_ids', one)
  return `${base}/keys/new?${query}`
}

/** Reads the values of an address from `formUrl`. */
export const carriedFields = (request: FastifyRequest): KeySetFields => {
  const query = request.query as Record<string, unknown>
  const all = (name: string) =>
    [query[name] ?? []].flat().filter((one): one is string => typeof one === 'string')
  const places = all('workspace_ids').filter(isIdShaped)
  return {
    name: (all('name')[0] ?? '').slice(0, 200),
    description: (all('description')[0] ?? '').slice(0, 2000),
    permissions: all('permissions'),
    workspaceIds: places.length > 0 ? places : null,
  }
}

/**
 * Assigns faults to their fields.
 * @throws OAuthError for those that no page can cause
 */
export const faultsOf = (text: Text, faults: readonly Fault[]): KeySetFaults => {
  const words = text.organization.keyForm
  const about = faults.map(({ pointer }) => pointer.split('/')[1] ?? '')
  const known = ['name', 'description', 'workspace_ids']
  if (!about.every((name) => known.includes(name))) throw tamperedForm()
  const has = (name: string) => about.includes(name)
  return {
    ...(has('name') && { name: words.nameFault }),
    ...(has('description') && { description: words.descriptionFault }),
    ...(has('workspace_ids') && { workspaces: text.organization.outdated }),
  }
}

export type KeySetFormDependencies = EditConflictDependencies & {
  renderer: Renderer
  workspaces: Pick<Workspaces, 'names'>
}

const kindsOf = (words: Text['organization']['keyForm'], chosen: Interface, url: string) =>
  (['current', 'legacy'] as const).map((one) => ({
    ...words.kind[one],
    href: `${url}?interface=${one}`,
    isChosen: one === chosen,
  }))

/** The page that creates or changes a key set. */
export const createKeySetForm =
  (deps: KeySetFormDependencies) =>
  async (
    visit: AdminVisit,
    about: AboutForm,
    given: KeySetFields,
    faults: KeySetFaults = {},
  ): Promise<FastifyReply> => {
    const { request, reply, session, organization, base } = visit
    const text = textOf(request)
    const words = text.organization.keyForm
    const { saved } = about
    const names = await deps.workspaces.names(organization.id)
    const editConflict = createEditConflict(deps)
    const api = about.interface
    const choices = choiceOf(text, api, given.workspaceIds, names)
    const isNew = about.keySetId === null
    const first = faults.name ?? faults.description ?? faults.workspaces
    const place = faults.name ? '#name' : faults.description ? '#description' : '#workspaces'
    return deps.renderer.page(
      request,
      reply,
      'key-set-form',
      {
        session,
        title: isNew ? words.createTitle : words.changeTitle,
        withScript: hasFoldedChoice([choices]),
        ...((first !== undefined || saved) && { status: first === undefined ? 409 : 400 }),
      },
      {
        ...organizationTabs(text, organization, 'keys'),
        action: `${base}/keys`,
        backUrl: `${base}/keys`,
        notice: null,
        heading: isNew ? words.headings[api] : words.changeHeading,
        lead: isNew ? words.lead[api] : words.changeLead,
        submit: isNew ? words.create : words.save,
        decision: isNew ? 'create' : 'change',
        keySetId: about.keySetId,
        version: about.version ?? null,
        saved: saved ? await editConflict(visit, saved.clientId, api, saved, names) : null,
        interface: api,
        kinds: isNew ? kindsOf(words, api, `${base}/keys/new`) : [],
        name: given.name,
        description: given.description,
        prefix: '',
        mayUntick: true,
        permissionGroups: describePermissions(
          text,
          deps.catalogue,
          api,
          deps.catalogue.names(api),
          undefined,
          given.permissions,
        ),
        workspaces: choices,
        field: place,
        error: first ?? null,
        nameError: faults.name ?? null,
        descriptionError: faults.description ?? null,
        workspacesError: faults.workspaces ?? null,
      },
    )
  }
