import { isObject, isSeconds, isText, type JsonObject } from './json.ts'

/** The app that sends the token, when it acts with the authorization of another app (RFC 8693 §4.1). */
export interface Actor {
  readonly clientId: string
  /** The app that acted before it, and whose token it got; absent: the app of the authorization. */
  readonly actor?: Actor
}

/** One app that acts with a token, and what ends its part. */
export interface ActorClaims {
  clientId: string
  /** null: unknown, because the server was asked about the token. */
  installId: string | null
  /** Number of times that all tokens of the actor's app had been revoked before this one was issued. */
  appEpoch: number
  /** Id of the token that was exchanged; null: unknown. */
  subjectTokenId: string | null
}

/** The server never issues a longer chain. */
const longestChain = 3

const none: readonly ActorClaims[] = Object.freeze([])

/** The client ids in `act`, the current actor first; null when it is malformed. */
const clientIdsIn = (act: unknown): string[] | null => {
  const ids: string[] = []
  for (let one = act; one !== undefined; one = (one as JsonObject).act) {
    if (!isObject(one) || !isText(one.client_id) || ids.length === longestChain) return null
    ids.push(one.client_id)
  }
  return ids.length > 0 ? ids : null
}

/** @returns null when the claims of a signed token are malformed */
export const readActors = ({ act, delegation }: JsonObject): readonly ActorClaims[] | null => {
  if (act === undefined && delegation === undefined) return none
  const ids = clientIdsIn(act)
  if (!ids || !Array.isArray(delegation) || delegation.length !== ids.length) return null
  const actors: ActorClaims[] = []
  for (const [at, one] of delegation.entries()) {
    const { install_id, app_epoch, subject_jti } = isObject(one) ? one : {}
    if (!isText(install_id) || !isSeconds(app_epoch) || !isText(subject_jti)) return null
    actors.push({
      clientId: ids[at] as string,
      installId: install_id,
      appEpoch: app_epoch,
      subjectTokenId: subject_jti,
    })
  }
  return actors
}

/** The actors in an answer of introspection. @returns null when it is malformed */
export const toldActors = ({ act }: JsonObject): readonly ActorClaims[] | null => {
  if (act === undefined) return none
  const ids = clientIdsIn(act)
  const unknown = { installId: null, appEpoch: 0, subjectTokenId: null }
  return ids?.map((clientId) => ({ clientId, ...unknown })) ?? null
}

/** @returns undefined for the token of a single app */
export const actorOf = (actors: readonly ActorClaims[]): Actor | undefined =>
  actors.reduceRight<Actor | undefined>(
    (actor, { clientId }) => Object.freeze({ clientId, ...(actor && { actor }) }),
    undefined,
  )
