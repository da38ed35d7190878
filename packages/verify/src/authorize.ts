import { type Access, countRead } from './access.ts'
import type { Credential } from './credentials.ts'
import { InsufficientAuthentication, InsufficientScope, TokenInvalid, WrongUse } from './errors.ts'
import { findId, type Requirement, readRequirement } from './requirement.ts'
import type { Verifier } from './verifier.ts'

/**
 * Checks the sign-in that the token depends on (RFC 9470 §5). Tokens without a user have none.
 * @param now milliseconds since 1970
 * @throws InsufficientAuthentication
 */
const checkAuthentication = (access: Access, { acr, maxAge }: Requirement, now: number): void => {
  if (acr === undefined && maxAge === undefined) return
  const demanded = { acr: acr === undefined ? [] : [acr].flat(), maxAge: maxAge ?? null }
  if (access.kind !== 'user') throw new InsufficientAuthentication('no_user', demanded)
  if (acr !== undefined && !demanded.acr.includes(access.acr ?? ''))
    throw new InsufficientAuthentication('acr', demanded)
  if (maxAge === undefined) return
  if (access.authTime === undefined || now / 1000 - access.authTime > maxAge)
    throw new InsufficientAuthentication('max_age', demanded)
}

/**
 * Verifies a token and checks it against the requirement of the request.
 * @param credential from the request; null or undefined when it has none
 * @throws WrongUse when the requirement is incomplete, before any other check, or when a function of it finds no id
 * @throws TokenInvalid, ProofInvalid, InsufficientScope, InsufficientAuthentication, VerificationUnavailable
 */
export const authorize = async (
  verifier: Pick<Verifier, 'verify'> & Partial<Pick<Verifier, 'now' | 'report'>>,
  credential: Credential | null | undefined,
  requirement: Requirement,
): Promise<Access> => {
  try {
    const needed = readRequirement(requirement)
    const { permissions = [], workspace } = needed
    if (credential === null || credential === undefined) throw new TokenInvalid('missing')
    const access = await verifier.verify(credential)
    if (access.interface !== needed.interface) throw new TokenInvalid('interface')
    if (!permissions.every(access.can)) throw new InsufficientScope('permission', permissions)
    if (permissions.length === 0 && needed.interface === 'current') countRead(access)
    const organizationId = await findId('organization', needed.organization, access)
    if (organizationId !== access.organizationId) throw new InsufficientScope('organization')
    if (workspace !== undefined) {
      if (!access.reaches(organizationId, await findId('workspace', workspace, access)))
        throw new InsufficientScope('workspace')
    }
    // Last: a user must not sign in again for what is out of reach anyway.
    checkAuthentication(access, needed, verifier.now?.() ?? Date.now())
    return access
  } catch (error) {
    verifier.report?.(error, requirement)
    throw error instanceof WrongUse ? (error.cause ?? error) : error
  }
}
