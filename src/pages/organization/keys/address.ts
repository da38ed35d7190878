// A new key set in the address of its form, for a user who has to sign in again first.
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { Interface } from '../../../core/language/permissions.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import { tamperedForm } from '../../rendering/forms/approval-form.ts'
import { field, queried } from '../../rendering/forms/sent-values.ts'
import type { AdminVisit } from '../gate.ts'

export type Given = Pick<StoredKeySet, 'name' | 'description' | 'permissions' | 'workspaceIds'>

const mostCarried = 50

/** Address of the form for a new key set with these values. */
export const formUrl = (base: string, generation: Interface, given: Given) => {
  const query = new URLSearchParams({
    interface: generation,
    name: given.name,
    description: given.description ?? '',
  })
  for (const one of given.permissions.slice(0, mostCarried)) query.append('permissions', one)
  for (const one of [...(given.workspaceIds ?? [])].slice(0, mostCarried))
    query.append('workspace_ids', one)
  return `${base}/keys/new?${query}`
}

export const carried = ({ request }: AdminVisit): Given => {
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

/** The interface of the form that is sent, or of the page that is asked for. */
export const interfaceIn = ({ request }: AdminVisit): Interface => {
  if (request.method === 'GET')
    return queried(request, 'interface') === 'legacy' ? 'legacy' : 'current'
  const sent = field(request, 'interface')
  if (sent !== 'legacy' && sent !== 'current') throw tamperedForm()
  return sent
}
