import type { Access } from './access.ts'
import type { Credential } from './credentials.ts'
import { InsufficientScope, TokenInvalid } from './errors.ts'
import { findId, type Requirement, readRequirement } from './requirement.ts'
import type { Verifier } from './verifier.ts'

/**
 * Verifies a token and checks it against the requirement of the request.
 * @param credential from the request; null or undefined when it has none
 * @throws TypeError when the requirement is incomplete, before any other check
 * @throws TokenInvalid, ProofInvalid, InsufficientScope, VerificationUnavailable
 */
export const authorize = async (
  verifier: Pick<Verifier, 'verify'>,
  credential: Credential | null | undefined,
  requirement: Requirement,
): Promise<Access> => {
  const needed = readRequirement(requirement)
  const { permissions = [], workspace } = needed
  if (credential === null || credential === undefined) throw new TokenInvalid('missing')
  const access = await verifier.verify(credential)
  if (access.interface !== needed.interface) throw new TokenInvalid('interface')
  if (!permissions.every(access.can)) throw new InsufficientScope('permission', permissions)
  const organizationId = await findId('organization', needed.organization, access)
  if (organizationId !== access.organizationId) throw new InsufficientScope('organization')
  if (workspace === undefined) return access
  if (!access.reaches(organizationId, await findId('workspace', workspace, access)))
    throw new InsufficientScope('workspace')
  return access
}
