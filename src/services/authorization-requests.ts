import { randomBytes } from 'node:crypto'
import { isIdShaped } from '../domain/identifiers.ts'
import type { Interface } from '../domain/permissions.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { WebMessageTarget } from '../domain/web-message.ts'
import type { RecordStore } from './records.ts'

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
  /** The answer is posted to a page (`response_mode=web_message`); null: it goes to the redirect URI. */
  webMessage: WebMessageTarget | null
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
  /** Milliseconds since 1970. */
  createdAt: number
  /** The organization chosen on the page. */
  organizationId: string | null
  answer: Answer | null
}

export interface AuthorizationRequests {
  begin(
    parameters: AuthorizationParameters,
    browser: string,
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
  now: () => number
}): AuthorizationRequests => {
  const { records, now } = deps
  const write = (request: AuthorizationRequest, state: 'open' | 'answered') => ({
    state,
    value: JSON.stringify(request),
  })

  return {
    begin: async (parameters, browser, id = randomBytes(24).toString('base64url')) => {
      const request: AuthorizationRequest = {
        ...parameters,
        id,
        browser,
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
    answer: (request, answer) =>
      records.change(collection, request.id, 'open', write({ ...request, answer }, 'answered')),
  }
}
