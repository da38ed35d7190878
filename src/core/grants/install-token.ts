import type { App } from '../clients/app.ts'
import { about, invalidGrant, unauthorizedClient } from '../language/errors.ts'
import type { AccessTokenSubject } from '../tokens/access-token-claims.ts'
import { type Narrowing, narrowedTo } from './approval.ts'
import type { GrantEvents } from './events.ts'
import type { LoadedInstall, WithInstall } from './store.ts'
import type { ProvenRequest, Redemption } from './token-request.ts'

/**
 * The access token of an app itself, in one organization (RFC 6749 §4.4).
 * @throws OAuthError unauthorized_client, invalid_grant, invalid_scope, invalid_dpop_proof
 */
export type RedeemInstall = (
  request: ProvenRequest<WithInstall>,
  organizationId: string,
) => Promise<Redemption>

const subjectOf = (
  app: App,
  install: LoadedInstall,
  organizationId: string,
  asked: Narrowing,
): AccessTokenSubject => {
  if (install.suspended) throw invalidGrant('install_suspended')
  return {
    kind: 'install',
    interface: app.interface,
    accessTokenSeconds: app.accessTokenSeconds,
    clientId: app.clientId,
    installId: install.installId,
    appEpoch: app.familiesEpoch,
    organizationId,
    ...narrowedTo(app, install, null, asked),
  }
}

export const createRedeemInstall =
  ({ events }: { events: Pick<GrantEvents, 'installUsed'> }): RedeemInstall =>
  async ({ app, loaded, asked, proof }, organizationId) => {
    if (app.clientType === 'public') throw unauthorizedClient('public_client')
    const { install } = loaded
    if (!install) throw invalidGrant('not_installed')
    let subject: AccessTokenSubject
    try {
      subject = subjectOf(app, install, organizationId, asked)
    } catch (error) {
      throw about(error, { clientId: app.clientId, organizationId, userId: null })
    }
    events.installUsed(install.installId)
    if (proof) await proof.use()
    return { subject, refreshToken: null, signIn: null }
  }
