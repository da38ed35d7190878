// Which accounts a caller may change. Every door to accounts asks here: the Operator API, the console and imports through
// `users.ts` and `sessions.ts`, providers through `provisioning`.
import type { Cause } from '../audit/audit.ts'
import {
  everything,
  hasAllRights,
  isLimited,
  type Operator,
} from '../credentials/operator-permissions.ts'
import { Forbidden } from '../language/service-errors.ts'

/** What an account may do beyond its organizations. */
export type AccountStanding = Record<'isOperator' | 'ownsApps', boolean>

/** `self`: the user. `provider`: the identity provider of an organization (SCIM). */
type Changer = Operator | 'self' | 'provider'

/** A cause with the rights of its operator. */
export type OperatorCause = Cause & { rights: Operator }

/** The user, or an operator. */
export type AccountCause = Cause & { rights: Operator | 'self' }

/**
 * Why the caller may not change the account; null: it may. A caller who changes how an operator signs in could sign in as
 * the operator. Accounts belong to the platform, so a token for single organizations changes none.
 */
export const guardOf = (changer: Changer, { isOperator, ownsApps }: AccountStanding) => {
  if (changer === 'self') return null
  if (changer === 'provider')
    return isOperator || ownsApps
      ? 'the operator manages this account, because the user is an operator or owns an app'
      : null
  if (hasAllRights(changer)) return null
  if (isOperator) return 'the user is an operator: the change needs the permission *'
  return isLimited(changer) ? 'the operator token is limited to organizations' : null
}

/** @throws Forbidden */
export const refuseGuarded = ({ rights }: AccountCause, standing: AccountStanding): void => {
  const guard = guardOf(rights, standing)
  if (guard !== null) throw new Forbidden(everything, guard)
}

/**
 * A token for single organizations gives a new account no password and confirms no address: otherwise it could make the
 * account of a person whom another organization will add, and sign in as that person.
 * @throws Forbidden
 */
export const refuseWayIn = (
  { rights }: AccountCause,
  {
    password,
    emailVerified,
  }: { password?: string | undefined; emailVerified?: boolean | undefined },
): void => {
  if (rights !== 'self' && isLimited(rights) && (password !== undefined || emailVerified === true))
    throw new Forbidden(
      'users:write',
      'an operator token that is limited to organizations sets no password and confirms no address',
    )
}
