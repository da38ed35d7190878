import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { ResourceServers } from '../../core/clients/resource-servers.ts'
import type { RevocationEntry, RevocationFeed } from '../../core/introspection/revocation-feed.ts'
import { invalidRequest } from '../../core/language/errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { PermissionUse } from '../../core/organizations/permission-use.ts'
import { readClientCredentials } from './client-credentials.ts'
import {
  auditRefusal,
  countFailure,
  isAuditedFailure,
  namedClient,
  refuseRepeated,
} from './client-failures.ts'
import { demandReadable } from './foreign-page.ts'
import { goneSignal } from './gone-signal.ts'
import { publicError, sendOAuthError } from './oauth-errors.ts'
import { largestReport, readUsageReport } from './usage.ts'

export interface RevocationsDependencies {
  revocationFeed: Pick<RevocationFeed, 'read' | 'leave'>
  resourceServers: Pick<ResourceServers, 'authenticate'>
  permissionUse: Pick<PermissionUse, 'seen' | 'report'>
  limits: Limits
  audit: AuditTrail
  /** Milliseconds since 1970. */
  now: () => number
}

const longestWait = 25 // s
const noForm = new Map<string, string>()

const entryOf = ({ type, subjectId, userId, state, until }: RevocationEntry) => ({
  type,
  id: subjectId,
  ...(userId !== null && { user_id: userId }),
  ...state,
  until,
})

/** The first product (RFC 9110 §10.1.5): name and version. */
const libraryOf = (userAgent = '') =>
  /^[\w.-]{1,64}\/[\w.+-]{1,64}(?![^ ])/.exec(userAgent)?.[0] ?? null

const readQuery = (query: unknown) => {
  const { cursor, wait = '0', reader = '', closing } = query as Record<string, unknown>
  if (cursor !== undefined && typeof cursor !== 'string') {
    throw invalidRequest('cursor must be given once', 'cursor_malformed')
  }
  if (typeof wait !== 'string' || !/^\d{1,3}$/.test(wait)) {
    throw invalidRequest('wait must be a number of seconds', 'wait_malformed')
  }
  if (typeof reader !== 'string' || reader.length > 64) {
    throw invalidRequest('reader must have at most 64 characters', 'reader_malformed')
  }
  const isClosing = closing === 'true'
  return { cursor: cursor || null, wait: Math.min(Number(wait), longestWait), reader, isClosing }
}

/**
 * The revocation feed (docs/for-data-apis.md): changes that resource servers with local verification need to know. And
 * what they report about the use of permissions.
 */
export const revocations = (deps: RevocationsDependencies) => async (scope: FastifyInstance) => {
  const { limits, audit, resourceServers, permissionUse } = deps

  scope.addHook('onRequest', demandReadable)

  scope.setErrorHandler(async (caught, request, reply) => {
    const refusal = publicError(caught)
    const error = await countFailure(limits, request, null, refusal)
    const named = namedClient(request, null)
    if (isAuditedFailure(error, named)) auditRefusal(audit, request, named, error, null)
    if (refusal.code === 'invalid_client')
      reply.header('www-authenticate', 'Basic realm="latchkey", charset="UTF-8"')
    return sendOAuthError(request, reply, error)
  })

  const readerOf = async (request: FastifyRequest) => {
    refuseRepeated(limits, request, null)
    const credentials = readClientCredentials(request.headers.authorization, noForm)
    const bounds = await resourceServers.authenticate(credentials)
    return { ...bounds, clientId: credentials.clientId }
  }

  scope.post('/api/oauth/usage', { bodyLimit: largestReport }, async (request, reply) => {
    const reader = await readerOf(request)
    const { clientId } = reader
    await permissionUse.report(reader, { ...readUsageReport(request, deps.now()), clientId })
    return reply.code(204).header('cache-control', 'no-store').send()
  })

  scope.get('/api/oauth/revocations', { exposeHeadRoute: false }, async (request, reply) => {
    const reader = await readerOf(request)
    request.releaseSlot?.()
    const { reader: process, isClosing, ...asked } = readQuery(request.query)
    await permissionUse.seen(reader.clientId)
    if (isClosing) {
      await deps.revocationFeed.leave(reader.clientId, process)
      return reply.code(204).send()
    }
    const library = libraryOf(request.headers['user-agent'])
    const signal = goneSignal(reply)
    const page = await deps.revocationFeed.read(reader, { ...asked, process, library, signal })
    return reply.header('cache-control', 'no-store').send({
      cursor: page.cursor,
      reset: page.reset,
      more: page.more,
      ...(page.organizationIds && { organization_ids: page.organizationIds }),
      changes: page.entries.map(entryOf),
    })
  })
}
