import type { Claims } from './claims.ts'
import { TokenInvalid, VerificationUnavailable } from './errors.ts'
import { isTextList, type JsonObject } from './json.ts'
import { createRecent } from './rules/recent.ts'
import { type AuthorizationServer, type Report, reported } from './server.ts'
import type { Settings } from './settings.ts'

/** Asks the server (RFC 7662) for the workspaces of verified tokens that have too many to list them. */
export interface OpenReach {
  /**
   * @param claims of the token, whose signature was verified
   * @throws TokenInvalid, VerificationUnavailable
   */
  workspacesOf(token: string, claims: Claims): Promise<string[]>
}

// Limits the load on the server. A token is asked about once, so only a start has many at a time.
const mostUnderWay = 256

/** @returns null for an inactive token @throws VerificationUnavailable for an answer about another token */
const readAnswer = (body: JsonObject, claims: Claims): string[] | null => {
  if (body.active === false) return null
  const isAboutIt =
    body.active === true &&
    body.kind === claims.kind &&
    body.client_id === claims.clientId &&
    body.organization_id === claims.organizationId
  if (isAboutIt && isTextList(body.workspace_ids)) return body.workspace_ids
  throw new VerificationUnavailable('bad_answer', new TypeError('introspection: not as agreed'))
}

export const createOpenReach = (
  server: Pick<AuthorizationServer, 'introspect'>,
  { inactiveFor, cacheSize, ticks }: Pick<Settings, 'inactiveFor' | 'cacheSize' | 'ticks'>,
  report: Report,
): OpenReach => {
  const underWay = new Map<string, Promise<string[] | null>>()
  /** Until when an inactive token is not asked about again, in `ticks`. */
  const inactive = createRecent<number>(cacheSize)

  const ask = async (token: string, claims: Claims, id: string) => {
    const workspaceIds = await reported(report, async () =>
      readAnswer(await server.introspect(token), claims),
    )
    if (workspaceIds === null) inactive.set(id, ticks() + inactiveFor * 1000)
    return workspaceIds
  }

  /** Concurrent requests with the same token share one query. */
  const askOnce = (token: string, claims: Claims, id: string) => {
    const asked = underWay.get(id)
    if (asked !== undefined) return asked
    if (underWay.size >= mostUnderWay) throw new VerificationUnavailable('overloaded')
    const asking = ask(token, claims, id).finally(() => underWay.delete(id))
    underWay.set(id, asking)
    return asking
  }

  return {
    workspacesOf: async (token, claims) => {
      const id = claims.tokenId ?? ''
      const isInactive = (inactive.get(id) ?? 0) > ticks()
      const workspaceIds = isInactive ? null : await askOnce(token, claims, id)
      if (workspaceIds === null) throw new TokenInvalid('inactive')
      return workspaceIds
    },
  }
}
