import type { App } from '../clients/app.ts'
import type { Targets } from '../clients/targets.ts'
import { about, invalidGrant, unauthorizedClient } from '../language/errors.ts'
import type { AccessTokenSubject } from '../tokens/access-token-claims.ts'
import { type Narrowing, narrowedTo } from './approval.ts'
import type { GrantEvents, LoadedInstall, WithInstall } from './store.ts'
import type { SettleReach, TokenReach } from './token-reach.ts'
import type { ProvenRequest, Redemption } from './token-request.ts'

/**
 * The access token of an app itself, in one organization (RFC 6749 §4.4).
 * @param consume the last step, after every check; absent: nothing is consumed
 * @throws OAuthError unauthorized_client, invalid_grant, invalid_scope, invalid_target, invalid_dpop_proof
 */
export type RedeemInstall = (
  request: ProvenRequest<WithInstall>,
  organizationId: string,
  consume?: () => Promise<void>,
) => Promise<Redemption>

const subjectOf = (
  app: App,
  install: LoadedInstall,
  organizationId: string,
  reach: TokenReach,
): AccessTokenSubject => ({
  kind: 'install',
  interface: app.interface,
  accessTokenSeconds: app.accessTokenSeconds,
  clientId: app.clientId,
  installId: install.installId,
  appEpoch: app.familiesEpoch,
  organizationId,
  ...reach,
})

export const createRedeemInstall = (deps: {
  targets: Pick<Targets, 'ofApp'>
  events: Pick<GrantEvents, 'installUsed'>
  settleReach: SettleReach
}): RedeemInstall => {
  /** @throws OAuthError invalid_grant, invalid_scope, invalid_target */
  const evaluate = async (
    app: App,
    install: LoadedInstall,
    requested: Narrowing,
    organizationId: string,
  ) => {
    if (install.paused) throw invalidGrant(install.paused)
    // Members have installed it for themselves, and no admin for the organization.
    if (install.self) throw invalidGrant('self_install')
    const target = await deps.targets.ofApp(requested.resources ?? [], organizationId)
    return narrowedTo(app, install, null, requested, target)
  }

  return async ({ app, loaded, requested, proof }, organizationId, consume) => {
    if (app.clientType === 'public') throw unauthorizedClient('public_client')
    const { install } = loaded
    if (!install) throw invalidGrant('not_installed')
    const withReach = (reach: TokenReach) => subjectOf(app, install, organizationId, reach)
    let subject: AccessTokenSubject
    try {
      const narrowed = await evaluate(app, install, requested, organizationId)
      subject = withReach(await deps.settleReach(app, narrowed, withReach))
    } catch (error) {
      throw about(error, { clientId: app.clientId, organizationId, userId: null })
    }
    if (proof) await proof.use()
    await consume?.()
    deps.events.installUsed(install.installId)
    return { subject, refreshToken: null, signIn: null }
  }
}
