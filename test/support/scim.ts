import type { Test } from 'tap'
import { type GroupKind, groupKinds } from '../../src/core/provisioning/scim-tokens.ts'
import type { Json, Running } from './latchkey.ts'

export interface ScimAnswer {
  status: number
  body: Json
  headers: Headers
}

export interface ScimClient {
  id: string
  token: string
  call(method: string, path: string, body?: unknown, type?: string): Promise<ScimAnswer>
  /** The resources that a filter finds. */
  find(kind: 'Users' | 'Groups', filter: string): Promise<Json[]>
}

export const isScimError = (t: Test, answer: ScimAnswer, status: number, scimType?: string) => {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  t.equal(answer.status, status)
  t.match(answer.headers.get('content-type'), /^application\/scim\+json/)
  t.match(answer.body, { schemas, status: String(status) })
  t.equal(answer.body.scimType, scimType)
}

export const scimAt = (url: string, token: string): Pick<ScimClient, 'call' | 'find'> => {
  const call: ScimClient['call'] = async (method, path, body, type = 'application/scim+json') => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const find: ScimClient['find'] = async (kind, filter) => {
    const { status, body } = await call('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
    if (status !== 200) throw new Error(`${filter}: ${status} ${JSON.stringify(body)}`)
    return body.Resources
  }
  return { call, find }
}

/** A token for the identity provider of the organization. */
export const connectProvider = async (
  { operator, urls }: Pick<Running, 'operator' | 'urls'>,
  organizationId: string,
  groups: GroupKind = 'workspaces',
): Promise<ScimClient> => {
  const path = `/organizations/${organizationId}/scim-tokens`
  const { status, body } = await operator('POST', path, { name: 'Provider', groups })
  if (status !== 201) throw new Error(`SCIM token: ${status} ${JSON.stringify(body)}`)
  return { id: body.id, token: body.token, ...scimAt(urls[0] as string, body.token) }
}

export const patchOf = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

let counter = 0

/** A user as Entra ID creates it. */
export const newScimUser = (part: Record<string, unknown> = {}) => {
  const userName = `scim${++counter}@corp.test`
  return {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: `ext-${counter}`,
    userName,
    active: true,
    displayName: `Person ${counter}`,
    emails: [{ primary: true, type: 'work', value: userName }],
    meta: { resourceType: 'User' },
    name: { formatted: `Given Family ${counter}`, familyName: 'Family', givenName: 'Given' },
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
    ...part,
  }
}

/** One call of each statement, for query-plans.test.ts. */
export const everyScimCall = async (running: Pick<Running, 'operator' | 'urls'>): Promise<void> => {
  const organizationId = (await running.operator('POST', '/organizations', { name: 'Provided' }))
    .body.id
  for (const groups of groupKinds) {
    const scim = await connectProvider(running, organizationId, groups)
    const made = newScimUser()
    const user = (await scim.call('POST', '/Users', made)).body.id
    const members = [{ value: user }]
    const group =
      groups === 'roles'
        ? 'admin'
        : (await scim.call('POST', '/Groups', { displayName: 'Brief', members, externalId: 'g' }))
            .body.id
    const patch = (path: string, ...operations: unknown[]) =>
      scim.call('PATCH', path, patchOf(...operations))
    await scim.call('POST', '/Users', made)
    await scim.call('GET', '/Users?count=2')
    await scim.find(
      'Users',
      `userName eq "${made.userName}" or externalId eq "x" or id eq "${user}"`,
    )
    await scim.find('Users', 'displayName co "x" and not (emails.value ew "y") or title pr')
    await scim.find('Users', 'active eq true and emails[type eq "work"].value sw "x"')
    await scim.call('GET', '/Groups?count=2')
    await scim.find('Groups', 'displayName co "x" and meta.resourceType pr')
    await scim.find('Groups', `displayName eq "Brief" or members eq "${user}"`)
    await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: members })
    await patch(`/Users/${user}`, { op: 'replace', value: { active: false, displayName: 'Other' } })
    await patch(`/Groups/${group}`, { op: 'replace', path: 'members', value: members })
    await patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${user}"]` })
    await patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'admin' } })
    await patch(`/Users/${user}`, { op: 'replace', path: 'active', value: 'True' })
    await scim.call('GET', `/Groups/${group}`)
    await scim.call('DELETE', `/Groups/${group}`)
    await scim.call('DELETE', `/Users/${user}`)
    await running.operator('GET', `/organizations/${organizationId}/scim-tokens`)
    await running.operator('DELETE', `/organizations/${organizationId}/scim-tokens/${scim.id}`)
  }
}
