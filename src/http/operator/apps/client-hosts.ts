import { type Static, Type } from 'typebox'
import {
  admittedByDefault,
  type ClientHost,
  type ClientHosts,
  hostPolicies,
  mostAdmitted,
} from '../../../core/client-documents/client-hosts.ts'
import { longestUri } from '../../../core/clients/link.ts'
import { mostDays } from '../../../core/language/access-end.ts'
import { type CamelKeys, camelKeys } from '../../../core/language/case.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { accessTokenLifetime, optionalPermissions, retryWindow } from './schemas.ts'

const policy = api.oneOf(hostPolicies, {
  description:
    'review: an unknown app of the host waits for a review when a user comes with it. refuse: its documents are neither read ' +
    'nor imported. admit: an unknown app is registered when a user comes with it. Unknown apps of a host without a policy ' +
    'are refused, and can be imported.',
})

const pathPrefix = api.nullable(
  Type.String({
    minLength: 1,
    maxLength: longestUri,
    'x-reason': 'path_prefix',
    description:
      'admit is for documents with this path or within it: whole segments, in the same case. Others wait for a review. ' +
      'null: all documents of the host.',
  }),
)

const limit = Type.Integer({
  minimum: 1,
  maximum: mostAdmitted,
  default: admittedByDefault,
  description: `Apps of the host, beyond which documents wait for a review. ${admittedByDefault} by default.`,
})

const ceiling = Type.Unsafe<{ interface: 'current'; permissions: string[] } | null>({
  ...api.closed({
    interface: api.oneOf(['current'], { 'x-reason': 'current_only' }),
    permissions: api.permissions,
  }),
  type: ['object', 'null'],
  description:
    'The most that admitted apps may have. A lower one narrows them at once. admit needs it.',
})

const defaults = {
  optional_permissions: Type.Unsafe<string[] | null>({
    ...optionalPermissions,
    description:
      'Permissions that a new app can do without; those that it does not have are ignored. null: each.',
  }),
  access_token_seconds: accessTokenLifetime,
  retry_window_seconds: api.nullable(retryWindow),
  expires_days: api.nullable(
    Type.Integer({
      minimum: 1,
      maximum: mostDays,
      description:
        'New installs of apps of the host expire after so many days, or earlier if the policy of the organization says ' +
        'so. null: as that says.',
    }),
  ),
}
const defaultsSchema = Type.Object(defaults, {
  description: 'What apps get that come in by a document of the host, whatever its policy.',
})

const clientHostSchema = api.component(
  'ClientHost',
  'The policy for metadata documents of a host.',
  {
    host: Type.String(),
    policy,
    path_prefix: pathPrefix,
    limit,
    ceiling,
    defaults: defaultsSchema,
    created_at: api.timestamp,
    updated_at: api.timestamp,
  },
)
export type ClientHostJson = Static<typeof clientHostSchema>

const writeHost = jsonOf(clientHostSchema)
const writeDefaults = jsonOf(defaultsSchema)
const hostJson = (host: ClientHost): ClientHostJson =>
  writeHost({
    ...host,
    ceiling: host.ceiling && { interface: 'current', permissions: host.ceiling },
    defaults: writeDefaults(host.defaults),
  })

const body = api.closed({
  policy,
  ...api.optional({
    path_prefix: pathPrefix,
    limit,
    ceiling,
    defaults: api.closed(api.optional(defaults)),
  }),
})

const ruleIn = ({
  policy,
  pathPrefix = null,
  limit = admittedByDefault,
  ceiling,
  defaults = {},
}: CamelKeys<Static<typeof body>>) => ({
  ...{ policy, pathPrefix, limit },
  ceiling: ceiling?.permissions ?? null,
  defaults: {
    ...{ optionalPermissions: null, accessTokenSeconds: null },
    ...{ retryWindowSeconds: null, expiresDays: null },
    ...camelKeys(defaults),
  },
})

const params = Type.Object({
  host: Type.String({
    pattern: '^[A-Za-z0-9.:\\[\\]_\\-]{1,255}$',
    'x-reason': 'host',
    description: 'In lower case, with its port if that is not 443: `apps.example.com`.',
  }),
})
const ofHost = { checked: 'host', params }

export const clientHostRoutes = (scope: Scope, { clientHosts }: { clientHosts: ClientHosts }) => {
  const on = operations(scope, {
    tag: 'client-hosts',
    area: 'apps',
    limited: 'shared',
    schema: clientHostSchema,
    one: 'The policy.',
    page: 'Policies.',
    json: hostJson,
    location: ({ host }) => `/client-hosts/${encodeURIComponent(host)}`,
  })
  const path = '/client-hosts/:host'

  on.list('/client-hosts', 'listClientHosts', 'List the hosts with a policy', {
    querystring: listQuery(['host'], { policy: api.oneOf(hostPolicies) }),
    run: (_call, page) => clientHosts.list(page),
  })

  on.read(path, 'readClientHost', 'Read the policy of a host', {
    ...ofHost,
    run: ({ params }) => clientHosts.read(params.host),
  })

  on.put(path, 'putClientHost', 'Set the policy for metadata documents of a host', {
    description:
      'Replaces the whole policy. With admit, the document of an unknown app is read within its first request, at most 5 seconds. ' +
      'The app has the permissions in the scope of the document within the ceiling, or the whole ceiling without a scope, and is ' +
      'not reviewed. Known apps stay when the policy changes or is removed.',
    ...ofHost,
    body,
    run: async ({ params, body }, ...context) =>
      (await clientHosts.put(params.host, ruleIn(body), ...context)).item,
  })

  on.remove(path, 'removeClientHost', 'Remove the policy of a host; its apps stay', {
    ...ofHost,
    answer: { description: 'Removed.' },
    run: ({ params }, ...context) => clientHosts.remove(params.host, ...context),
  })
}
