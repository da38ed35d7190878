import { randomBytes } from 'node:crypto'
import { isIdShaped } from '../domain/identifiers.ts'
import type { Interface } from '../domain/permissions.ts'
import type { Limits } from './limits.ts'
import type { RecordStore } from './records.ts'

export type Prompt = 'login' | 'consent' | 'select_account'

/** A validated authorization request, before anybody has answered it. */
export interface AuthorizationParameters {
  interface: Interface
  clientId: string
  redirectUri: string
  responseType: 'code' | 'token'
  state: string | null
  /** The permissions asked for; null = all that the app may ask. */
  permissions: string[] | null
  workspaceIds: string[] | null
  organizationHint: string | null
  loginHint: string | null
  prompts: Prompt[]
  codeChallenge: string | null
}

/** What a person's yes gives. */
export interface Approval {
  kind: 'approved'
  grantId: string
  userId: string
  organizationId: string
  installId: string
  appEpoch: number
  userEpoch: number
  permissions: string[]
  workspaceIds: string[] | null
}

export type Answer = Approval | { kind: 'refused'; error: 'access_denied' | 'invalid_scope' }

export interface AuthorizationRequest extends AuthorizationParameters {
  id: string
  /** Only this browser may answer. */
  browser: string
  /** Where it counts until it is answered; absent in requests from before that was so. */
  countedAs?: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** The organization chosen on the page. */
  organizationId: string | null
  answer: Answer | null
}

export interface AuthorizationRequests {
  begin(
    parameters: AuthorizationParameters,
    from: { browser: string; countedAs: string },
    id?: string,
  ): Promise<AuthorizationRequest>
  /** null when it is unknown, expired or another browser's. */
  find(id: string, browser: string): Promise<AuthorizationRequest | null>
  chooseOrganization(request: AuthorizationRequest, organizationId: string): Promise<boolean>
  /** The first answer stands. @returns false for every later one */
  answer(request: AuthorizationRequest, answer: Answer): Promise<boolean>
}

const collection = 'authorization'
const lifetime = 3600 // s: a page may lie open over lunch

export const createAuthorizationRequests = (deps: {
  records: RecordStore
  limits: Pick<Limits, 'authorizationAnswered'>
  now: () => number
}): AuthorizationRequests => {
  const { records, limits, now } = deps
  const write = (request: AuthorizationRequest, state: 'open' | 'answered') => ({
    state,
    value: JSON.stringify(request),
  })

  return {
    begin: async (parameters, from, id = randomBytes(24).toString('base64url')) => {
      const request: AuthorizationRequest = {
        ...parameters,
        ...from,
        id,
        createdAt: now(),
        organizationId: null,
        answer: null,
      }
      await records.put(collection, id, write(request, 'open'), lifetime)
      return request
    },
    find: async (id, browser) => {
      const record = isIdShaped(id) ? await records.find(collection, id) : null
      if (!record) return null
      const request = JSON.parse(record.value) as AuthorizationRequest
      return request.browser === browser ? request : null
    },
    chooseOrganization: (request, organizationId) =>
      records.change(collection, request.id, 'open', write({ ...request, organizationId }, 'open')),
    answer: async (request, answer) => {
      const record = write({ ...request, answer }, 'answered')
      const isFirst = await records.change(collection, request.id, 'open', record)
      // The answer stands, whatever becomes of the count.
      if (isFirst && request.countedAs !== undefined)
        await limits.authorizationAnswered(request.countedAs).catch(() => undefined)
      return isFirst
    },
  }
}
