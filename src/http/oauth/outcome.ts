import { deviceCode, tokenExchange } from '../../core/language/grant-types.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Form } from './form.ts'

const grantTypes = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  client_credentials: 'client_credentials',
  [tokenExchange]: 'token_exchange',
  [deviceCode]: 'device_code',
} as const
export type CountedGrant = (typeof grantTypes)[keyof typeof grantTypes] | 'other' | 'none'

const isKnown = (asked: string): asked is keyof typeof grantTypes =>
  Object.hasOwn(grantTypes, asked)

/** The grant type of a token request; what a client made up must not become a label. */
export const countedGrant = (form: Form | null): CountedGrant => {
  const asked = form?.get('grant_type')
  if (asked === undefined) return 'none'
  return isKnown(asked) ? grantTypes[asked] : 'other'
}

/** What became of a request, for whoever counts or traces it; nothing in it was chosen freely by its sender. */
export interface RequestOutcome {
  /** `ok` or the code of the error. */
  outcome: string
  /** `ok` or the sub-reason. */
  reason: string
  /** Of token requests. */
  grant?: CountedGrant
  /** Whom the audit trail would name, too. */
  clientId?: string | null
}

/** A token request as it was answered. */
export interface TokenRequestOutcome {
  interface: Interface
  grantType: CountedGrant
  outcome: string
  reason: string
  /** From the first byte to the answer. */
  seconds: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until it is known; pages and files that were simply shown have none. */
    outcome: RequestOutcome | null
  }
}
