// Several calls of the Operator API in one transaction.
import { Type } from 'typebox'
import type { LivePermissionCatalogue } from '../../core/clients/permission-catalogue.ts'
import { faultIf } from '../../core/language/faults.ts'
import { refuse } from '../../core/language/service-errors.ts'
import type { InProcessOrigin } from './guard.ts'
import { operations, type Scope } from './operations.ts'
import * as api from './schemas.ts'

const mostCalls = 1000
const largestBody = 2 * 1024 * 1024 // bytes

/** Calls that only change rows: they ask no other server, and nothing waits for them. */
const id = '[^/?#]+'
const path = `^/(?:organizations(?:/${id}(?:/policy|/workspaces/${id}|/installs/${id}(?:/preview)?)?)?|users/${id}/operator|permissions/${id}/${id}|(?:workspaces|client-hosts)/${id}|(?:apps|resource-servers|webhooks)(?:/${id})?)$`

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const callSchema = api.closed({
  method: api.oneOf(methods),
  path: Type.String({
    ...{ maxLength: 2000, pattern: path, 'x-reason': 'form' },
    description:
      'Below `/api/admin/v1`: an organization, policy, workspace, app, install (or its preview), permission, resource server, ' +
      'host, webhook or operator, or the collection in which one is created.',
  }),
  body: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
})

const batchSchema = api.component('Batch', 'The outcome of a batch.', {
  applied: Type.Boolean({ description: 'false: nothing has changed.' }),
  results: Type.Array(Type.Object({ status: Type.Integer(), body: Type.Unknown() }), {
    description:
      'The answers, in the order of the calls, up to the first refusal. `body` is null without one.',
  }),
})

class RolledBack extends Error {}

export const batchRoutes = (
  scope: Scope,
  services: {
    /** Calls the Operator API in this process, where nothing runs a call in the turn of another request. */
    callApi(
      origin: InProcessOrigin,
      call: { method: (typeof methods)[number]; path: string; body?: object },
    ): Promise<{ status: number; body: unknown }>
    inOneTransaction<Result>(work: () => Promise<Result>): Promise<Result>
    catalogue: Pick<LivePermissionCatalogue, 'refresh'>
  },
) => {
  const on = operations(scope, {
    tag: 'batch',
    area: '*',
    schema: batchSchema,
    one: 'The results.',
  })

  on.act('/batch', 'sendBatch', 'Send several calls, of which all are applied or none', {
    description:
      'The calls run one after the other in one transaction. The first refusal undoes all of them, and so does `dry_run`. ' +
      'Each call needs the permissions that it needs alone. Events, webhook messages and mails exist only if it was applied.',
    ...{ permission: null, limited: 'checked', bodyLimit: largestBody },
    body: api.closed({
      calls: Type.Array(callSchema, { maxItems: mostCalls }),
      dry_run: Type.Optional(Type.Boolean({ default: false })),
    }),
    run: async ({ body: { calls, dryRun = false }, request }) => {
      // However it is encoded in a path: it would wait for another server.
      const isImport = calls.some((one) => one.method === 'POST' && one.path.startsWith('/apps/'))
      refuse(faultIf(isImport, '/calls', 'form', 'must not import an app'))
      const { operator, ip: address, id: requestId, releaseSlot } = request
      const origin = { operator, address, requestId, releaseSlot }
      const results: { status: number; body: unknown }[] = []
      const sendAll = async () => {
        for (const call of calls) {
          const { status, body } = await services.callApi(origin, call)
          results.push({ status, body })
          if (status >= 400) throw new RolledBack()
        }
        if (dryRun) throw new RolledBack()
        return true
      }
      const applied = await services.inOneTransaction(sendAll).catch((error: unknown) => {
        if (error instanceof RolledBack) return false
        throw error
      })
      // The copy of this process may have words that were rolled back. If it is not read now, it is in two seconds.
      await services.catalogue.refresh().catch(() => undefined)
      return { applied, results }
    },
  })
}
