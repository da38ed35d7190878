// The apps that act with an access token they got in exchange for another one (RFC 8693).
import { intersect } from '../language/permissions.ts'
import type { TokenActor } from '../tokens/delegated-token.ts'
import type { ActorStore, IntrospectedActor, TokenFacts, Verdict } from './token-facts.ts'

const endOfActor = (actor: TokenActor, found: IntrospectedActor | undefined) => {
  if (found?.clientId !== actor.clientId || found.ended) return 'actor_uninstalled'
  if (found.disabled || found.appEpoch !== actor.appEpoch) return 'actor_disabled'
  return found.paused === 'install_suspended' ? 'actor_suspended' : (found.paused ?? found.keptOut)
}

/** The rights that an actor's own registration and install leave of a token. */
const within = (facts: TokenFacts, actor: IntrospectedActor): TokenFacts => ({
  ...facts,
  permissions: intersect(facts.permissions, actor.permissions, actor.installPermissions),
  workspaceIds:
    facts.workspaceIds && actor.installWorkspaceIds
      ? intersect(facts.workspaceIds, actor.installWorkspaceIds)
      : facts.workspaceIds,
})

/** Refuses a token whose actor has ended, and narrows it to what each actor may do itself. */
export const createActors =
  (store: ActorStore) =>
  async (actors: readonly TokenActor[], verdict: Verdict): Promise<Verdict> => {
    const { facts, refused } = verdict
    if (actors.length === 0 || refused !== null || facts === null) return verdict
    const { found, revoked } = await store.actors(
      [...new Set(actors.map(({ installId }) => installId))],
      actors.map(({ subjectJti }) => subjectJti),
      facts.kind === 'user' ? facts.subject : null,
    )
    if (revoked) return { refused: 'token_revoked', facts }
    const known = new Map(found.map((one) => [one.installId, one]))
    const ended = actors.map((one) => endOfActor(one, known.get(one.installId)))
    const reason = ended.find((one) => one !== null) ?? null
    return { refused: reason, facts: found.reduce(within, facts) }
  }
