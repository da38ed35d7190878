import type { Interface } from '../domain/permissions.ts'
import type { Access, Permission } from './access.ts'
import type { Credential } from './credentials.ts'
import { InsufficientScope, TokenInvalid } from './errors.ts'
import type { Verifier } from './verifier.ts'

/** What a request needs. */
export interface Requirement {
  /** The interface on which the request arrived; tokens of the other one are no good there. */
  interface?: Interface
  /** All of them. */
  permissions?: readonly Permission[]
  workspace?: string
}

/**
 * Verifies a token and what it is wanted for, in one go.
 * @param credential as it was found; null or undefined for none
 * @throws TokenInvalid, ProofInvalid, InsufficientScope, VerificationUnavailable
 */
export const authorize = async (
  verifier: Pick<Verifier, 'verify'>,
  credential: Credential | null | undefined,
  requirement: Requirement = {},
): Promise<Access> => {
  const { permissions = [], workspace } = requirement
  if (credential === null || credential === undefined) throw new TokenInvalid('missing')
  const access = await verifier.verify(credential)
  if (requirement.interface !== undefined && access.interface !== requirement.interface)
    throw new TokenInvalid('interface')
  if (!permissions.every(access.can)) throw new InsufficientScope('permission', permissions)
  if (workspace !== undefined && !access.reaches(workspace))
    throw new InsufficientScope('workspace')
  return access
}
