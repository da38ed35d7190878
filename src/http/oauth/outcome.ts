import type { SecretAttempt } from '../../core/clients/foreign-secrets.ts'
import {
  deviceCode,
  installCode,
  jwtBearer,
  tokenExchange,
} from '../../core/language/grant-type-names.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Form } from './form.ts'

/** The grant types of the current interface, with their names in metrics. */
export const grantTypes = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  client_credentials: 'client_credentials',
  [tokenExchange]: 'token_exchange',
  [deviceCode]: 'device_code',
  [jwtBearer]: 'jwt_bearer',
  [installCode]: 'install_code',
} as const
export type CountedGrant = (typeof grantTypes)[keyof typeof grantTypes] | 'other' | 'none'

const isKnown = (grantType: string): grantType is keyof typeof grantTypes =>
  Object.hasOwn(grantTypes, grantType)

/** The grant type of a token request. Unknown values become `other`: a client must not create metric labels. */
export const countedGrant = (form: Form | null): CountedGrant => {
  const grantType = form?.get('grant_type')
  if (grantType === undefined) return 'none'
  return isKnown(grantType) ? grantTypes[grantType] : 'other'
}

/** The outcome of a request, for metrics and traces. No value in it is chosen freely by the client. */
export interface RequestOutcome {
  /** `ok` or the code of the error. */
  outcome: string
  /** `ok` or the sub-reason. */
  reason: string
  /** Set for token requests. */
  grant?: CountedGrant
  /** The client that the audit trail names. */
  clientId?: string | null
}

/** The outcome of a token request. */
export interface TokenRequestOutcome {
  interface: Interface
  grantType: CountedGrant
  outcome: string
  reason: string
  /** Time from the first byte to the answer. */
  seconds: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until it is known. Pages and files that were shown without error have none. */
    outcome: RequestOutcome | null
    /** `hasFailed`: its failed authentication is counted already. */
    secretAttempt: { begin: SecretAttempt['begin']; hasFailed: boolean } | null
  }
}
