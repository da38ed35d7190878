import { type AuditEvent, type AuditTrail, auditEvent, type Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import type { Target, Targets } from '../clients/targets.ts'
import { singleUseKey } from '../crypto/digests.ts'
import { isIdShaped } from '../crypto/identifiers.ts'
import { about, invalidGrant, unauthorizedClient } from '../language/errors.ts'
import type { RecordStore } from '../limits/records.ts'
import { normaliseEmail } from '../people/email-address.ts'
import { authenticationOf } from '../people/sign-in-method.ts'
import { type Narrowing, narrowedTo } from './approval.ts'
import {
  type AssertedUser,
  type AssertionPlace,
  approvalOf,
  demandStanding,
  installOf,
  placeOf,
  userOf,
  type WithPlaces,
} from './assertion-rules.ts'
import { demandKey, type Grant } from './grant.ts'
import { readAssertion, type VerifiedAssertion, type VerifyAssertion } from './id-jag.ts'
import { type BriefGrant, type GrantIssuance, newGrantId } from './issue.ts'
import { subjectOf } from './redeem.ts'
import type { SettleReach } from './token-reach.ts'
import type { GrantType, ProvenRequest, Redemption } from './token-request.ts'

type InstalledAt = Record<'organizationId' | 'clientId' | 'installId', string>

export interface AssertionStore {
  /**
   * One query: the client, its secrets, and the organizations that name the issuer.
   * @param organizationId only this one; null: any
   */
  load(clientId: string, issuer: string, organizationId: string | null): Promise<WithPlaces | null>
  /** The accounts that the subject may be, and their standing in the organization. */
  users(
    place: InstalledAt,
    assertion: Pick<VerifiedAssertion, 'issuer' | 'subject' | 'userId' | 'email'>,
  ): Promise<AssertedUser[]>
  /** Records that the provider has connected the app to the user: it is listed until the user disconnects it. */
  connect(place: InstalledAt, userId: string): Promise<void>
  /** Links the subject to the user. @returns false when either has another link, or the provider is gone */
  link(
    place: { organizationId: string; issuer: string },
    subject: string,
    userId: string,
    audit: AuditEvent,
  ): Promise<boolean>
}

/** RFC 7523 §2.1, draft ID-JAG §4.4. @param organizationId as sent; null: not sent */
export type AssertionGrant = (
  assertion: string,
  organizationId: string | null,
) => GrantType<WithPlaces>

const collection = 'id_jag'
/** The provider's own words for the strength of the sign-in mean nothing here. */
const methods = ['oidc'] as const

const grantOf = (
  app: App,
  place: AssertionPlace,
  installId: string,
  user: AssertedUser,
  approval: Pick<Grant, 'permissions' | 'workspaceIds'>,
  lifetime: number,
): BriefGrant => ({
  ...approval,
  id: newGrantId(),
  userId: user.id,
  clientId: app.clientId,
  organizationId: place.organizationId,
  installId,
  appEpoch: app.familiesEpoch,
  userEpoch: user.credentialsEpoch,
  connectionEpoch: user.connectionEpoch,
  // The organization approves the use of data, not that the app learns the user's identity.
  openidScopes: [],
  signIn: null,
  redirectUri: '', // there is no redirect
  codeChallenge: null,
  dpopJkt: null,
  lifetime,
})

/**
 * The grant by an assertion of the organization's identity provider (ID-JAG). The organization has approved the app by
 * its install, so no page is shown. Each assertion makes a grant for one access token; there is no refresh token, and the
 * bound on grants applies.
 */
export const createAssertionGrant = (deps: {
  store: AssertionStore
  records: Pick<RecordStore, 'insert' | 'delete'>
  verifyAssertion: VerifyAssertion
  issuance: Pick<GrantIssuance, 'openAsserted'>
  settleReach: SettleReach
  audit: Pick<AuditTrail, 'record'>
  targets: Pick<Targets, 'ofApp' | 'ofGrant'>
  lifetimeOf(app: App): number
}): AssertionGrant => {
  const { store, records, issuance, audit } = deps

  const findUser = async (where: InstalledAt, assertion: VerifiedAssertion) => {
    const email = assertion.email && normaliseEmail(assertion.email)
    return userOf(await store.users(where, { ...assertion, email }), assertion)
  }

  /** RFC 8707 §2: the resources that the provider allows may be narrowed. */
  const findTarget = (
    { organizationId }: AssertionPlace,
    { resources }: VerifiedAssertion,
    { resources: requested = [] }: Narrowing,
  ): Promise<Target | null> =>
    resources === null
      ? deps.targets.ofApp(requested, organizationId)
      : deps.targets.ofGrant(resources, requested, organizationId)

  /** From now on the subject decides: the provider may give the address to another person. */
  const link = async (
    place: AssertionPlace,
    user: AssertedUser,
    { issuer, subject }: VerifiedAssertion,
    cause: Cause,
  ) => {
    const { organizationId } = place
    const event = auditEvent(cause, 'identity.linked', {
      organizationId,
      userId: user.id,
      detail: { issuer },
    })
    if (!(await store.link({ organizationId, issuer }, subject, user.id, event)))
      throw invalidGrant('id_jag_user_unknown')
  }

  /** Draft ID-JAG §4.4.1, RFC 7523 §3: each assertion is accepted once. @returns undoes it */
  const consume = async ({ issuer, id, remaining }: VerifiedAssertion) => {
    const key = singleUseKey(issuer, id)
    const used = { state: 'used', value: '' }
    if (!(await records.insert(collection, key, used, remaining)))
      throw invalidGrant('id_jag_replayed')
    return () => records.delete(collection, key).catch(() => undefined)
  }

  /** The last step. If it fails the assertion can be presented again (decision 0050). */
  const open = async (grant: BriefGrant, assertion: VerifiedAssertion) => {
    const undo = await consume(assertion)
    try {
      await issuance.openAsserted(grant)
    } catch (error) {
      await undo()
      throw error
    }
  }

  const redeemAt = async (
    { app, requested, proof, cause }: ProvenRequest<WithPlaces>,
    place: AssertionPlace,
    assertion: VerifiedAssertion,
    refusal: { userId: string | null },
  ): Promise<Redemption> => {
    // Draft ID-JAG §4.4.1: the client that the provider means.
    if (assertion.clientId !== app.clientId) throw invalidGrant('id_jag_client')
    const install = installOf(place)
    // RFC 7800 §3.1: the assertion may be bound to a key.
    demandKey(assertion.jkt, proof)
    const { organizationId, issuer } = place
    const where = { organizationId, clientId: app.clientId, installId: install.id }
    const user = await findUser(where, assertion)
    if (!user.isMember) throw invalidGrant('user_not_member')
    refusal.userId = user.id
    demandStanding(user)
    const { approved, grant: approval } = approvalOf(app, install, user, assertion)
    const limits = { ...approval, openidScopes: [] }
    const target = await findTarget(place, assertion, requested)
    const signed = { authenticatedAt: (assertion.authenticatedAt ?? 0) * 1000, methods }
    const grant = {
      ...grantOf(app, place, install.id, user, approval, deps.lifetimeOf(app)),
      authentication: authenticationOf(signed),
      ...(target && { resources: target.resources }),
    }
    const narrowed = narrowedTo(app, approved, limits, requested, target)
    const reach = await deps.settleReach(app, narrowed, (one) => subjectOf(app, grant, one))
    if (user.source === 'email') await link(place, user, assertion, cause)
    await store.connect(where, user.id)
    await proof?.use()
    await open(grant, assertion)
    audit.record(
      auditEvent(cause, 'grant.asserted', {
        clientId: app.clientId,
        organizationId,
        userId: user.id,
        detail: { grant_id: grant.id, issuer, permissions: reach.permissions },
      }),
    )
    return { subject: subjectOf(app, grant, reach), refreshToken: null, signIn: null }
  }

  return (text, organizationId) => {
    const presented = readAssertion(text)
    const named = organizationId ?? presented.organizationId
    const isContradiction = presented.organizationId !== null && named !== presented.organizationId
    // Text that cannot be an id, such as one with NUL, stays away from the stores.
    const sought = named === null || isIdShaped(named) ? named : ''
    return {
      load: (clientId) => store.load(clientId, presented.issuer ?? '', sought),
      redeem: async (request) => {
        const { app, loaded } = request
        if (app.clientType === 'public') throw unauthorizedClient('public_client')
        if (!app.identityAssertions) throw unauthorizedClient('id_jag_off')
        if (presented.issuer === null) throw invalidGrant('id_jag_malformed')
        const place = placeOf(isContradiction ? [] : loaded.places)
        const refusal = { userId: null }
        try {
          const assertion = await deps.verifyAssertion(text, place, request.onWait)
          return await redeemAt(request, place, assertion, refusal)
        } catch (error) {
          // Only where the app is installed: another organization must not get entries in its audit trail.
          if (place.install === null) throw error
          const { organizationId } = place
          throw about(error, { clientId: app.clientId, organizationId, ...refusal })
        }
      },
    }
  }
}
