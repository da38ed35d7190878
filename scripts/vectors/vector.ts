/** The form of a vector (packages/vectors/README.md). Times are seconds since 1970. */
export interface Vector {
  name: string
  now: number
  issuer: string
  audience: string
  jwks: unknown
  feed?: unknown
  introspection?: unknown
  status?: Status
  request?: Request
  earlier?: Step[]
  credential: Credential
  expect: Expected
}

/** HTTP statuses of the server's answers; absent: 200. */
export interface Status {
  jwks?: number
  feed?: number
  introspection?: number
}

export interface Request {
  method?: string
  url?: string
  requires?: Requirement
}

export interface Requirement {
  interface: 'legacy' | 'current'
  permissions?: string[]
  organization: string
  workspace?: string
  acr?: string[]
  maxAge?: number
}

/** An earlier request to the same verifier. */
export interface Step {
  now?: number
  request?: Request
  credential: Credential
  expect: Expected
}

export type Credential =
  | string
  | null
  | { token: string; proof: string }
  | { headers: { authorization?: string | string[]; dpop?: string | string[] } }
  | { variables: unknown }

export interface ExpectedAccess {
  kind: 'user' | 'install' | 'self_signed' | 'key_set'
  interface: 'legacy' | 'current'
  organizationId: string
  clientId: string
  permissions: readonly string[]
  workspaceIds: readonly string[] | null
  userId?: string
  expiresAt?: number
  authTime?: number
  acr?: string
  /** The app that acts through `clientId`. */
  actor?: ExpectedActor
}

export interface ExpectedActor {
  clientId: string
  actor?: ExpectedActor
}

export type Expected =
  | { ok: true; access: ExpectedAccess }
  | { ok: false; code: string; reason: string }

/** The vectors of one file, in their order. */
export interface Theme {
  /** Name of the file, without `.json`. */
  file: string
  vectors: Vector[]
}

const refusal = (code: string) => (reason: string) => ({ ok: false as const, code, reason })

export const invalid = refusal('token-invalid')
export const invalidProof = refusal('invalid_dpop_proof')
export const insufficient = refusal('insufficient_scope')
export const insufficientSignIn = refusal('insufficient_user_authentication')
export const unavailable = refusal('temporarily_unavailable')
/** The proof is not fresh: the sender must repeat the request with a nonce. */
export const staleProof = refusal('use_dpop_nonce')('proof_stale')
