// Access tokens that one app got for a token of another, or for a narrower one of its own (RFC 8693).

/** Maximum number of exchanges between an authorization and a token. */
export const longestChain = 3

/** The current actor, and in it the previous one (RFC 8693 §4.1). */
export interface ActClaim {
  client_id: string
  act?: ActClaim
}

/** What ends the token of one actor, besides what ends the authorization itself. */
export interface DelegationClaim {
  /** The actor's own install in the organization. */
  install_id: string
  /** `families_epoch` of the actor's app. */
  app_epoch: number
  /** `jti` of the token that was exchanged. */
  subject_jti: string
}

/** An app that acts with the authorization of another one, or of its own. */
export interface TokenActor {
  clientId: string
  installId: string
  appEpoch: number
  /** Id of the access token that it exchanged. */
  subjectJti: string
}

/** `act` of these client ids, the current actor first; undefined: there is none. */
export const actClaim = (clientIds: readonly string[]): ActClaim | undefined =>
  clientIds.reduceRight<ActClaim | undefined>(
    (before, clientId) => ({ client_id: clientId, ...(before && { act: before }) }),
    undefined,
  )

/** The claims of a token for these actors. @param actors the current one first */
export const actorClaims = (actors: readonly TokenActor[]) => {
  const act = actClaim(actors.map(({ clientId }) => clientId))
  if (!act) return null
  const delegation: DelegationClaim[] = actors.map(({ installId, appEpoch, subjectJti }) => ({
    install_id: installId,
    app_epoch: appEpoch,
    subject_jti: subjectJti,
  }))
  return { act, delegation }
}

/** The actors in the claims of a token that this server has signed, the current one first. */
export const actorsIn = (claims: {
  act?: ActClaim
  delegation?: readonly DelegationClaim[]
}): TokenActor[] => {
  const actors: TokenActor[] = []
  let act = claims.act
  for (const { install_id, app_epoch, subject_jti } of claims.delegation ?? []) {
    if (!act) break
    actors.push({
      clientId: act.client_id,
      installId: install_id,
      appEpoch: app_epoch,
      subjectJti: subject_jti,
    })
    act = act.act
  }
  return actors
}
