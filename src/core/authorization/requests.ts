import { randomBytes } from 'node:crypto'
import type { App } from '../clients/app.ts'
import type { OpenidScope, SignIn } from '../clients/openid.ts'
import { isIdShaped } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Interface } from '../language/permissions.ts'
import type { Limits } from '../limits/limits.ts'
import type { RecordStore } from '../limits/records.ts'
import type { Prompt } from '../people/prompt.ts'
import type { SignInDemand } from '../people/sign-in-demand.ts'
import type { Authentication } from '../people/sign-in-method.ts'
import type { DeviceRequest } from './device-request.ts'
import { openUserCode, sealUserCode } from './user-code.ts'
import type { WebMessageTarget } from './web-message.ts'

/** The additional parameters of an OpenID request (OpenID Connect Core §3.1.2.1). */
export interface OpenidRequest {
  scopes: OpenidScope[]
  /** The app's value, returned in the ID token. */
  nonce: string | null
  /** Seconds. */
  maxAge: number | null
  /** The user of an ID token that the app has sent. */
  expectedUser: string | null
  /** Preferred context classes of the sign-in; absent in requests stored by earlier versions. */
  contextClasses?: string[]
}

/** The demands of a request without OpenID on the sign-in (RFC 9470 §4). */
export type StepUpRequest = Pick<OpenidRequest, 'maxAge' | 'contextClasses'>

/** A validated authorization request that no user has answered. */
export interface AuthorizationParameters {
  interface: Interface
  clientId: string
  redirectUri: string
  responseType: 'code' | 'token'
  state: string | null
  /** The requested permissions; null: all that the app may request. */
  permissions: string[] | null
  /** The scope that an admitted app asks for and may not have; absent: none. */
  beyond?: string[]
  workspaceIds: string[] | null
  /** The requested resources (RFC 8707); absent: none, or only the default audience. */
  resources?: string[]
  organizationHint: string | null
  loginHint: string | null
  /** Languages that the app prefers for our pages, separated by spaces (OpenID Connect Core §3.1.2.1); absent: none. */
  uiLocales?: string
  prompts: Prompt[]
  /** No page may be shown (`prompt=none`); absent: pages may be shown. */
  isSilent?: boolean
  codeChallenge: string | null
  /** null: not an OpenID request. Absent in requests stored by versions without OpenID. */
  openid?: OpenidRequest | null
  /** Absent: it demands nothing, or it is an OpenID request. */
  stepUp?: StepUpRequest
  /**
   * An admin opened a link to install the app (decision 0085). `redirectUri` is the app's setup URI; empty: the admin
   * stays on our pages.
   */
  installLink?: boolean
  /** The device that sent the request; null or absent: the browser did. */
  device?: DeviceRequest | null
  /** The response is posted to a page (`response_mode=web_message`); null: it goes to the redirect URI. */
  webMessage: WebMessageTarget | null
}

/** The demands of the request on the sign-in. */
export const signInDemand = (
  request: AuthorizationParameters & { createdAt?: number },
): SignInDemand => {
  const { maxAge = null, contextClasses = [] } = request.openid ?? request.stepUp ?? {}
  return {
    prompts: request.prompts,
    maxAge,
    expectedUser: request.openid?.expectedUser ?? null,
    // A preference is no reason to refuse a request that may not show a page.
    contextClasses: request.isSilent ? [] : contextClasses,
    begunAt: request.createdAt,
  }
}

/** The approval of a user. */
export interface ConsentAnswer {
  kind: 'approved'
  grantId: string
  userId: string
  organizationId: string
  installId: string
  appEpoch: number
  userEpoch: number
  /** As read together with the consent; absent: the store takes the present one. */
  connectionEpoch?: number
  permissions: string[]
  workspaceIds: string[] | null
  resources?: string[]
  /** Absent in answers stored by earlier versions. */
  authentication?: Authentication
  openidScopes: OpenidScope[]
  signIn: SignIn | null
}

/** Why a request is refused after it was validated. */
export type RefusedBy = 'access_denied' | 'invalid_scope' | 'invalid_target' | 'login_required'

/** An admin has installed the app from a link, or has confirmed an install. */
export interface InstalledAnswer {
  kind: 'installed'
  /** Id of the install code. */
  codeId: string
  userId: string
  organizationId: string
  installId: string
}

/** The answers that an app gets at its redirect URI. */
export type AppAnswer = ConsentAnswer | { kind: 'refused'; error: RefusedBy }

export type AuthorizationAnswer = AppAnswer | InstalledAnswer

export interface AuthorizationRequest extends AuthorizationParameters {
  id: string
  /** Only this browser may answer. */
  browser: string
  /** Key of its count until it is answered; absent in requests stored by older versions. */
  countedAs?: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** The organization chosen on the page. */
  organizationId: string | null
  answer: AuthorizationAnswer | null
}

/** The request of a link to install the app. @param link its setup URI is null when the admin stays on our pages */
export const installRequestOf = (
  app: Pick<App, 'clientId' | 'interface'>,
  {
    setupUri,
    ...link
  }: { setupUri: string | null } & Pick<
    AuthorizationParameters,
    'state' | 'permissions' | 'organizationHint'
  >,
): AuthorizationParameters => ({
  ...link,
  interface: app.interface,
  clientId: app.clientId,
  redirectUri: setupUri ?? '',
  responseType: 'code',
  workspaceIds: null,
  loginHint: null,
  prompts: [],
  codeChallenge: null,
  installLink: true,
  webMessage: null,
})

const collection = 'authorization'
const lifetime = 3600 // s: long enough to leave the page open over lunch

export const createAuthorizationRequests = (deps: {
  records: RecordStore
  limits: Pick<Limits, 'authorizationAnswered'>
  keyring: Pick<Keyring, 'seal' | 'open'>
  now: () => number
}) => {
  const { records, limits, keyring, now } = deps
  const write = (request: AuthorizationRequest, state: 'open' | 'answered') => ({
    state,
    value: JSON.stringify(
      request.device ? { ...request, device: sealUserCode(keyring, request.device) } : request,
    ),
  })
  const read = (value: string): AuthorizationRequest => {
    const request = JSON.parse(value) as AuthorizationRequest
    return request.device ? { ...request, device: openUserCode(keyring, request.device) } : request
  }

  return {
    begin: async (
      parameters: AuthorizationParameters,
      from: { browser: string; countedAs: string },
      id = randomBytes(24).toString('base64url'),
    ) => {
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
    /** null when it is unknown, expired or of another browser. */
    find: async (id: string, browser: string) => {
      const record = isIdShaped(id) ? await records.find(collection, id) : null
      if (!record) return null
      const request = read(record.value)
      return request.browser === browser ? request : null
    },
    chooseOrganization: (request: AuthorizationRequest, organizationId: string) =>
      records.change(collection, request.id, 'open', write({ ...request, organizationId }, 'open')),
    /** Stores the first answer. @returns false for every later one */
    answer: async (request: AuthorizationRequest, answer: AuthorizationAnswer) => {
      const record = write({ ...request, answer }, 'answered')
      const isFirst = await records.change(collection, request.id, 'open', record)
      // The answer counts, even if the limit cannot be updated.
      if (isFirst && request.countedAs !== undefined)
        await limits.authorizationAnswered(request.countedAs).catch(() => undefined)
      return isFirst
    },
  }
}

export type AuthorizationRequests = ReturnType<typeof createAuthorizationRequests>
