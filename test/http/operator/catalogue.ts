import { generateKeyPairSync } from 'node:crypto'
import type { OperatorApi } from './operator-api.ts'

/** One object of each kind, in two unrelated organizations. */
export interface Stock {
  organization: string
  other: string
  user: string
  /** A user without an organization. */
  stranger: string
  workspace: string
  otherWorkspace: string
  app: string
  appSecret: string
  otherApp: string
  otherAppSecret: string
  /** A legacy app without a successor. */
  legacyApp: string
  keySet: string
  otherKeySet: string
  resourceServer: string
  webhook: string
  auditStream: string
  interface: string
  permission: string
  operatorToken: string
  redirectUri: string
  appKey: string
  appPermission: string
  scimToken: string
  clientHost: string
  /** The workspace that it deleted was in the organization. */
  stop: string
  /** There is none: a review is made by an authorization request. */
  appReview: string
  /** There is none: an owner asks for a change on a page. */
  appChange: string
  /** There is none: no message was sent yet. */
  delivery: string
}

let counter = 0

const auditStream = {
  url: 'https://siem.example/in',
  format: 'latchkey',
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
}

export const newApp = (part: Record<string, unknown> = {}) => ({
  name: 'Reports',
  interface: 'current',
  client_type: 'confidential',
  redirect_uris: ['https://app.example/cb'],
  permissions: ['records:create', 'records:update'],
  ...part,
})

const appKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'jwk',
})

export const fillStock = async (
  api: Pick<OperatorApi, 'call' | 'expect'> & Partial<Pick<OperatorApi, 'database'>>,
  hookUrl = 'https://hooks.example/all',
): Promise<Stock> => {
  const id = async (path: string, body: unknown) => (await api.expect(201, 'POST', path, body)).id
  const person = () => id('/users', { email: `person${++counter}@acme.test`, name: 'Person' })
  const app = async () => (await api.expect(201, 'POST', '/apps', newApp())).client_id
  const secretOf = async (client: string) =>
    (await api.expect(200, 'GET', `/apps/${client}/secrets`)).items[0].id
  const organization = await id('/organizations', { name: 'Acme' })
  const other = await id('/organizations', { name: 'Other' })
  const keySet = { name: 'Export', interface: 'current', permissions: ['records:create'] }
  const [firstApp, otherApp] = [await app(), await app()]
  const stopIn = async (organization: string) => {
    const place = await id(`/organizations/${organization}/workspaces`, { name: 'Gone' })
    await api.expect(204, 'DELETE', `/workspaces/${place}`)
    const events = `/audit?organization_id=${organization}&type=workspace.deleted`
    return (await api.expect(200, 'GET', events)).items[0].detail.stop_id
  }
  const stock = {
    organization,
    other,
    user: await person(),
    stranger: await person(),
    workspace: await id(`/organizations/${organization}/workspaces`, { name: 'Sales' }),
    otherWorkspace: await id(`/organizations/${other}/workspaces`, { name: 'Sales' }),
    app: firstApp,
    appSecret: await secretOf(firstApp),
    otherApp,
    otherAppSecret: await secretOf(otherApp),
    legacyApp: (
      await api.expect(
        201,
        'POST',
        '/apps',
        newApp({ interface: 'legacy', permissions: ['readData', 'insertData'] }),
      )
    ).client_id,
    keySet: await id(`/organizations/${organization}/key-sets`, keySet),
    otherKeySet: await id(`/organizations/${other}/key-sets`, keySet),
    resourceServer: (await api.expect(201, 'POST', '/resource-servers', { name: 'Data' }))
      .client_id,
    webhook: await id('/webhooks', { url: hookUrl }),
    auditStream: (await api.expect(201, 'PUT', `/audit-streams/siem${++counter}`, auditStream)).id,
    interface: 'current',
    permission: 'stock:count',
    scimToken: await id(`/organizations/${organization}/scim-tokens`, { name: 'Provider' }),
    operatorToken: await id('/operator-tokens', { name: 'CI', permissions: ['audit:read'] }),
    redirectUri: await id(`/apps/${firstApp}/redirect-uris`, {
      redirect_uri: 'https://app.example/spare',
    }),
    appKey: await id(`/apps/${firstApp}/keys`, { key: appKey }),
    appPermission: 'records:delete',
    clientHost: 'agents.example:8443',
    stop: await stopIn(organization),
    appReview: 'arv0',
    appChange: 'ach0',
    delivery: 'msg0',
  }
  const permission = { sentence: 'Keep the stock', group: 'write' }
  await api.call('PUT', '/permissions/current/stock:keep', permission) // shared by all stocks
  await api.expect(201, 'PUT', `/organizations/${organization}/members/${stock.user}`, {
    role: 'member',
  })
  await api.expect(201, 'PUT', `/workspaces/${stock.workspace}/members/${stock.user}`)
  await api.expect(201, 'PUT', `/organizations/${organization}/installs/${stock.app}`, {
    permissions: ['records:create'],
    workspace_ids: [stock.workspace],
  })
  // A user's own page makes consents.
  await api.database?.query(
    `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
     select $1, organization_id, client_id, id, '{}', '{}' from installs
      where organization_id = $2 and client_id = $3`,
    [stock.user, organization, stock.app],
  )
  return stock
}

export interface Operation {
  method: string
  /** With `{names}` of ids in the stock. */
  path: string
  /** A valid body; absent if the operation has none. */
  body?: Record<string, unknown>
  /** Optional fields that the body contains. */
  optional?: string[]
  /** Fields that may be null here, although they may not elsewhere. */
  nullable?: string[]
  /** Values, as JSON, that are right here, although they are wrong elsewhere. */
  taken?: string[]
  /** The id in the path that the platform chooses: another form is 400, and an unknown one is created. */
  chosen?: keyof Stock
  /** The id in the path that may be unknown: the answer is as without an object. */
  unknown?: keyof Stock
}

/**
 * Every operation of the Operator API. Deletions come after the operations that need the deleted
 * object.
 */
export const operations: Operation[] = [
  {
    method: 'POST',
    path: '/users',
    body: { email: 'new@acme.test', name: 'New', password: 'correct horse', email_verified: true },
    optional: ['password', 'email_verified'],
  },
  { method: 'GET', path: '/users' },
  { method: 'GET', path: '/users/{user}' },
  { method: 'POST', path: '/users/{user}/invitation' },
  {
    method: 'PATCH',
    path: '/users/{user}',
    body: {
      email: 'changed@acme.test',
      name: 'Changed',
      password: 'battery staple',
      email_verified: true,
      disabled: true,
    },
    optional: ['email', 'name', 'password', 'email_verified', 'disabled'],
  },
  {
    method: 'PUT',
    path: '/users/{user}',
    body: {
      email: 'put@acme.test',
      name: 'Put',
      password: 'battery staple',
      email_verified: true,
      disabled: false,
    },
    optional: ['password', 'email_verified', 'disabled'],
    chosen: 'user',
  },
  { method: 'POST', path: '/organizations', body: { name: 'New' } },
  {
    method: 'PUT',
    path: '/organizations/{organization}',
    body: { name: 'Put' },
    chosen: 'organization',
  },
  { method: 'GET', path: '/organizations' },
  { method: 'GET', path: '/organizations/{organization}' },
  {
    method: 'PATCH',
    path: '/organizations/{organization}',
    body: { name: 'Changed', logo_uri: 'https://app.example/logo.png', accent: '#3355cc' },
    optional: ['name', 'logo_uri', 'accent'],
  },
  { method: 'POST', path: '/import' },
  { method: 'POST', path: '/batch', body: { calls: [], dry_run: true }, optional: ['dry_run'] },
  { method: 'GET', path: '/organizations/{organization}/members' },
  { method: 'PUT', path: '/organizations/{organization}/members/{user}', body: { role: 'admin' } },
  { method: 'GET', path: '/organizations/{organization}/members/{user}' },
  { method: 'POST', path: '/organizations/{organization}/workspaces', body: { name: 'New' } },
  { method: 'GET', path: '/organizations/{organization}/workspaces' },
  {
    method: 'PUT',
    path: '/organizations/{organization}/workspaces/{workspace}',
    body: { name: 'Put' },
    chosen: 'workspace',
  },
  { method: 'GET', path: '/organizations/{organization}/workspaces/{workspace}' },
  { method: 'GET', path: '/workspaces/{workspace}' },
  {
    method: 'PATCH',
    path: '/workspaces/{workspace}',
    body: { name: 'Changed' },
    optional: ['name'],
  },
  { method: 'GET', path: '/workspaces/{workspace}/members' },
  { method: 'PUT', path: '/workspaces/{workspace}/members/{user}', body: {} },
  { method: 'GET', path: '/workspaces/{workspace}/members/{user}' },
  {
    method: 'POST',
    path: '/apps',
    body: {
      ...newApp({ permissions: ['records:create', 'stock:keep'] }),
      description: 'Makes reports',
      logo_uri: 'https://app.example/logo.png',
      homepage_uri: 'https://app.example/',
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'https://app.example/terms',
      location: 'https://app.example/start',
      kind: 'inside',
      publisher: 'Example Ltd',
      listed: true,
      setup_uri: 'https://app.example/setup',
      jwks: null,
      jwks_uri: null,
      workloads: [],
      retry_window_seconds: 10,
      access_token_seconds: 600,
      owners: [],
      may_act: ['app_agent'],
      openid: true,
      id_token_signed_response_alg: 'RS256',
      pkce_required: false,
      require_pushed_authorization_requests: true,
      security_profile: 'none',
      device_flow: true,
      identity_assertions: true,
      dpop_bound_access_tokens: true,
      reviewed: true,
      post_logout_redirect_uris: ['https://app.example/bye'],
    },
    optional: [
      'device_flow',
      'identity_assertions',
      'dpop_bound_access_tokens',
      'reviewed',
      'description',
      'logo_uri',
      'homepage_uri',
      'policy_uri',
      'tos_uri',
      'location',
      'kind',
      'publisher',
      'listed',
      'setup_uri',
      'jwks',
      'jwks_uri',
      'workloads',
      'retry_window_seconds',
      'access_token_seconds',
      'owners',
      'may_act',
      'openid',
      'id_token_signed_response_alg',
      'pkce_required',
      'require_pushed_authorization_requests',
      'security_profile',
      'post_logout_redirect_uris',
    ],
  },
  { method: 'GET', path: '/apps' },
  { method: 'GET', path: '/apps/{app}' },
  {
    method: 'PATCH',
    path: '/apps/{app}',
    body: {
      name: 'Changed',
      client_type: 'confidential',
      redirect_uris: ['https://app.example/cb', 'https://app.example/other'],
      permissions: ['records:create'],
      description: 'Changed',
      logo_uri: null,
      homepage_uri: 'https://app.example/',
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'https://app.example/terms',
      location: 'https://app.example/start',
      kind: 'hybrid',
      publisher: 'Example Ltd',
      listed: false,
      setup_uri: null,
      jwks: null,
      jwks_uri: null,
      workloads: [],
      retry_window_seconds: 5,
      access_token_seconds: null,
      owners: [],
      may_act: ['app_agent'],
      openid: true,
      id_token_signed_response_alg: 'RS256',
      pkce_required: false,
      require_pushed_authorization_requests: true,
      security_profile: 'none',
      device_flow: true,
      identity_assertions: true,
      dpop_bound_access_tokens: true,
      reviewed: true,
      post_logout_redirect_uris: ['https://app.example/bye'],
      disabled: true,
    },
    optional: [
      'name',
      'client_type',
      'redirect_uris',
      'permissions',
      'description',
      'logo_uri',
      'homepage_uri',
      'policy_uri',
      'tos_uri',
      'location',
      'kind',
      'publisher',
      'listed',
      'setup_uri',
      'jwks',
      'jwks_uri',
      'workloads',
      'retry_window_seconds',
      'access_token_seconds',
      'owners',
      'may_act',
      'openid',
      'id_token_signed_response_alg',
      'pkce_required',
      'require_pushed_authorization_requests',
      'security_profile',
      'device_flow',
      'identity_assertions',
      'dpop_bound_access_tokens',
      'reviewed',
      'post_logout_redirect_uris',
      'disabled',
    ],
  },
  {
    method: 'POST',
    path: '/apps/{app}/redirect-uris',
    body: { redirect_uri: 'https://app.example/new' },
  },
  { method: 'GET', path: '/apps/{app}/redirect-uris' },
  { method: 'POST', path: '/apps/{app}/permissions', body: { permission: 'records:delete' } },
  { method: 'GET', path: '/apps/{app}/permissions' },
  { method: 'POST', path: '/apps/{app}/keys', body: { key: appKey } },
  { method: 'GET', path: '/apps/{app}/keys' },
  {
    method: 'POST',
    path: '/apps/{app}/secrets',
    body: { retire_others_after_seconds: 60, end_tokens: true },
    optional: ['retire_others_after_seconds', 'end_tokens'],
  },
  { method: 'GET', path: '/apps/{app}/secrets' },
  {
    method: 'PUT',
    path: '/apps/{legacyApp}/twin',
    body: { client_id: 'app0', worth: { insertData: ['records:create'] } },
  },
  { method: 'GET', path: '/apps/{legacyApp}/twin' },
  { method: 'DELETE', path: '/apps/{legacyApp}/twin' },
  { method: 'GET', path: '/search?q=Acme' },
  { method: 'GET', path: '/apps/{app}/usage' },
  { method: 'GET', path: '/apps/{app}/usage/{organization}' },
  {
    method: 'POST',
    path: '/apps/import',
    // An address that is never connected to.
    body: {
      url: 'https://192.0.2.1/client',
      permissions: ['records:create'],
      description: null,
      publisher: null,
      reviewed: true,
      owners: [],
    },
    optional: ['permissions', 'description', 'publisher', 'reviewed', 'owners'],
  },
  { method: 'GET', path: '/app-reviews' },
  { method: 'POST', path: '/app-reviews', body: { url: 'https://192.0.2.1/client' } },
  { method: 'GET', path: '/app-reviews/{appReview}' },
  {
    method: 'POST',
    path: '/app-reviews/{appReview}',
    body: { decision: 'approve', permissions: ['records:create'], retry_window_seconds: 30 },
    optional: ['permissions', 'retry_window_seconds'],
  },
  { method: 'GET', path: '/app-changes' },
  { method: 'GET', path: '/app-changes/{appChange}' },
  {
    method: 'POST',
    path: '/app-changes/{appChange}',
    body: { decision: 'approve', note: null },
    optional: ['note'],
  },
  { method: 'GET', path: '/client-hosts' },
  {
    method: 'PUT',
    path: '/client-hosts/{clientHost}',
    body: {
      policy: 'admit',
      path_prefix: '/agents',
      limit: 10,
      ceiling: { interface: 'current', permissions: ['records:create'] },
      defaults: { optional_permissions: [], expires_days: 30 },
    },
    optional: ['path_prefix', 'limit', 'defaults'],
    taken: ['{}'],
  },
  { method: 'GET', path: '/client-hosts/{clientHost}' },
  { method: 'DELETE', path: '/client-hosts/{clientHost}' },
  { method: 'GET', path: '/organizations/{organization}/installs' },
  {
    method: 'PUT',
    path: '/organizations/{organization}/installs/{app}',
    body: {
      permissions: [],
      workspace_ids: null,
      audience: { everyone: true },
      expires_at: '2030-01-01T00:00:00Z',
      idle_seconds: 86400,
    },
    optional: ['audience', 'expires_at', 'idle_seconds'],
  },
  { method: 'GET', path: '/organizations/{organization}/installs/{app}' },
  {
    method: 'POST',
    path: '/organizations/{organization}/installs/{app}/preview',
    body: { permissions: [], workspace_ids: null },
    optional: ['workspace_ids'],
    taken: ['["x"]', '["wksNone"]'],
  },
  { method: 'GET', path: '/organizations/{organization}/installs/{app}/people' },
  { method: 'GET', path: '/organizations/{organization}/installs/{app}/usage' },
  {
    method: 'PATCH',
    path: '/organizations/{organization}/installs/{app}',
    body: {
      permissions: ['records:create'],
      workspace_ids: [],
      audience: { workspaces: [], groups: [], users: [] },
      suspended: true,
      expires_at: null,
      idle_seconds: 172800,
    },
    optional: [
      'permissions',
      'workspace_ids',
      'audience',
      'suspended',
      'expires_at',
      'idle_seconds',
    ],
  },
  { method: 'GET', path: '/organizations/{organization}/installs/{app}/users/{user}' },
  {
    method: 'PATCH',
    path: '/organizations/{organization}/installs/{app}/users/{user}',
    body: { expires_at: '2030-01-01T00:00:00Z', idle_seconds: 86400 },
    optional: ['expires_at', 'idle_seconds'],
  },
  { method: 'POST', path: '/organizations/{organization}/suspend-all', body: {} },
  { method: 'POST', path: '/organizations/{organization}/resume-all', body: {} },
  { method: 'DELETE', path: '/organizations/{organization}/installs/{app}/users/{user}' },
  // It ends the access, too.
  { method: 'PUT', path: '/organizations/{organization}/installs/{app}/denied/{user}' },
  {
    method: 'DELETE',
    path: '/organizations/{organization}/installs/{app}/denied/{user}',
    unknown: 'user',
  },
  {
    method: 'POST',
    path: '/organizations/{organization}/key-sets',
    body: {
      name: 'New',
      description: 'For exports',
      interface: 'current',
      permissions: [],
      workspace_ids: null,
      workloads: [],
    },
    optional: ['description', 'workspace_ids', 'workloads'],
  },
  { method: 'GET', path: '/organizations/{organization}/key-sets' },
  { method: 'GET', path: '/organizations/{organization}/key-sets/{keySet}' },
  {
    method: 'PATCH',
    path: '/organizations/{organization}/key-sets/{keySet}',
    body: {
      name: 'Changed',
      description: null,
      permissions: ['records:update'],
      workspace_ids: [],
      workloads: [],
    },
    optional: ['name', 'description', 'permissions', 'workspace_ids', 'workloads'],
  },
  {
    method: 'POST',
    path: '/organizations/{organization}/key-sets/{keySet}/rotate',
    body: { retire_others_after_seconds: 60 },
    optional: ['retire_others_after_seconds'],
  },
  { method: 'GET', path: '/permissions' },
  {
    method: 'PUT',
    path: '/permissions/{interface}/{permission}',
    body: {
      sentence: 'Count the stock',
      group: 'read',
      mark: 'whole_organization',
      read_permission: true,
    },
    optional: ['mark', 'read_permission'],
  },
  { method: 'GET', path: '/permissions/{interface}/{permission}' },
  { method: 'DELETE', path: '/permissions/{interface}/{permission}' },
  {
    method: 'POST',
    path: '/resource-servers',
    body: {
      name: 'New',
      resource: ['https://files.example/api'],
      permissions: ['records:create'],
      organization_ids: null,
    },
    optional: ['resource', 'permissions', 'organization_ids'],
    nullable: ['permissions'],
  },
  { method: 'GET', path: '/resource-servers' },
  { method: 'GET', path: '/resource-servers/{resourceServer}' },
  { method: 'GET', path: '/resource-servers/{resourceServer}/readers' },
  { method: 'GET', path: '/organizations/{organization}/stops/{stop}' },
  { method: 'GET', path: '/stops/{stop}' },
  {
    method: 'PATCH',
    path: '/resource-servers/{resourceServer}',
    body: {
      name: 'Renamed',
      resource: ['https://records.example/api'],
      permissions: null,
      organization_ids: null,
    },
    optional: ['name', 'resource', 'permissions', 'organization_ids'],
    nullable: ['permissions'],
  },
  {
    method: 'POST',
    path: '/webhooks',
    body: {
      url: 'https://hooks.example/new',
      client_id: null,
      events: ['install.created', 'install.deleted'],
      description: 'For reports',
    },
    optional: ['client_id', 'events', 'description'],
  },
  { method: 'GET', path: '/webhooks' },
  { method: 'GET', path: '/webhooks/{webhook}' },
  {
    method: 'PATCH',
    path: '/webhooks/{webhook}',
    body: { url: 'https://hooks.example/other', events: null, description: null, disabled: false },
    optional: ['url', 'events', 'description', 'disabled'],
  },
  {
    method: 'POST',
    path: '/webhooks/{webhook}/secrets',
    body: { retire_others_after_seconds: 60 },
    optional: ['retire_others_after_seconds'],
  },
  { method: 'GET', path: '/webhooks/{webhook}/deliveries' },
  { method: 'POST', path: '/webhooks/{webhook}/test', body: {} },
  {
    method: 'POST',
    path: '/webhooks/{webhook}/deliveries/{delivery}/resend',
    body: {},
  },
  {
    method: 'PUT',
    path: '/audit-streams/{auditStream}',
    body: { ...auditStream, format: 'ocsf', organization_id: null, from: 'start' },
    optional: ['organization_id', 'from', 'secret'],
    nullable: ['organization_id'],
    chosen: 'auditStream',
  },
  { method: 'GET', path: '/audit-streams' },
  { method: 'GET', path: '/audit-streams/{auditStream}' },
  { method: 'POST', path: '/audit-streams/{auditStream}/test', body: {} },
  {
    method: 'POST',
    path: '/operator-tokens',
    body: {
      name: 'New',
      permissions: ['apps:read', 'audit:read'],
      organization_ids: null,
      expires_at: '2999-01-01T00:00:00Z',
    },
    optional: ['organization_ids', 'expires_at'],
  },
  { method: 'GET', path: '/operator-tokens' },
  { method: 'PUT', path: '/users/{user}/operator', body: { permissions: ['audit:read'] } },
  { method: 'GET', path: '/users/{user}/operator' },
  { method: 'GET', path: '/operators' },
  {
    method: 'POST',
    path: '/organizations/{organization}/scim-tokens',
    body: { name: 'New', groups: 'roles' },
    optional: ['groups'],
  },
  { method: 'GET', path: '/organizations/{organization}/scim-tokens' },
  {
    method: 'PUT',
    path: '/organizations/{organization}/identity-provider',
    body: { issuer: 'https://idp.example', client_ids: null, jwks_uri: 'https://idp.example/keys' },
    optional: ['client_ids', 'jwks_uri'],
  },
  { method: 'GET', path: '/organizations/{organization}/identity-provider' },
  { method: 'GET', path: '/organizations/{organization}/policy' },
  {
    method: 'PUT',
    path: '/organizations/{organization}/policy',
    body: { connect: 'installed', default_expires_days: 90, default_idle_days: 30 },
    optional: ['default_expires_days', 'default_idle_days'],
  },
  { method: 'GET', path: '/signing-keys' },
  {
    method: 'POST',
    path: '/signing-keys/rotate',
    body: { withdraw: false },
    optional: ['withdraw'],
  },
  { method: 'GET', path: '/audit' },
  { method: 'POST', path: '/tokens/inspect', body: { token: 'nobody knows it' } },
  {
    method: 'POST',
    path: '/tokens/simulate',
    body: { client_id: 'app0', organization_id: 'org0', user_id: 'usr0', scope: 'records:create' },
    optional: ['user_id', 'scope'],
  },
  { method: 'GET', path: '/organizations/{organization}/usage' },
  { method: 'DELETE', path: '/organizations/{organization}/identity-provider' },
  { method: 'DELETE', path: '/workspaces/{workspace}/members/{user}' },
  { method: 'DELETE', path: '/workspaces/{workspace}' },
  { method: 'DELETE', path: '/organizations/{organization}/members/{user}' },
  { method: 'DELETE', path: '/organizations/{organization}/installs/{app}' },
  { method: 'DELETE', path: '/organizations/{organization}/key-sets/{keySet}' },
  { method: 'DELETE', path: '/apps/{app}/redirect-uris/{redirectUri}' },
  { method: 'DELETE', path: '/apps/{app}/permissions/{appPermission}' },
  { method: 'DELETE', path: '/apps/{app}/keys/{appKey}' },
  { method: 'DELETE', path: '/apps/{app}/secrets/{appSecret}' },
  { method: 'DELETE', path: '/resource-servers/{resourceServer}' },
  { method: 'DELETE', path: '/webhooks/{webhook}' },
  { method: 'DELETE', path: '/audit-streams/{auditStream}' },
  { method: 'DELETE', path: '/operator-tokens/{operatorToken}' },
  { method: 'DELETE', path: '/organizations/{organization}/scim-tokens/{scimToken}' },
  { method: 'DELETE', path: '/apps/{app}' },
  { method: 'DELETE', path: '/organizations/{organization}' },
  { method: 'GET', path: '/users/{user}/sessions' },
  { method: 'DELETE', path: '/users/{user}/operator' },
  { method: 'DELETE', path: '/users/{user}/sessions' },
  { method: 'DELETE', path: '/users/{user}/passkeys' },
  { method: 'DELETE', path: '/users/{user}' },
]

/** The path with the stock's ids, or with other ids in their place. */
export const pathOf = (operation: Operation, stock: Stock, others: Partial<Stock> = {}) =>
  operation.path.replace(/\{(\w+)\}/g, (_, name: keyof Stock) => others[name] ?? stock[name])

/** Words in a path, which operations check like fields of a body. */
const words: (keyof Stock)[] = ['interface', 'permission', 'appPermission', 'clientHost']

/** The names of the ids in its path. */
export const idsIn = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name as keyof Stock)
    .filter((name) => !words.includes(name))

/** Without the last use, which requests themselves change. */
const lasting: Record<string, string> = {
  operator_tokens: '(id, name, permissions, organization_ids, expires_at)',
}

const tables = [
  'users',
  'organizations',
  'members',
  'workspaces',
  'workspace_members',
  'apps',
  'app_changes',
  'app_owners',
  'app_secrets',
  'app_reviews',
  'client_documents',
  'client_hosts',
  'app_twins',
  'installs',
  'key_sets',
  'key_set_secrets',
  'permissions',
  'permission_catalogue',
  'resource_servers',
  'operator_tokens',
  'operators',
  'scim_tokens',
  'identity_providers',
  'organization_policies',
  'consents',
  'signing_keys',
  'audit_events',
  'usage_days',
  'permission_days',
  'sandboxes',
  'webhooks',
  'webhook_secrets',
  'webhook_deliveries',
  'audit_streams',
]

/** Everything that the Operator API can change, as one text. */
export const everythingStored = async ({ database }: OperatorApi) => {
  const parts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await database.query<{ row: string }>(
        `select ${lasting[table] ?? table}::text as row from ${table} order by 1`,
      )
      return [table, ...rows.map(({ row }) => row)].join('\n')
    }),
  )
  return parts.join('\n\n')
}

/**
 * Reads a short text that is another one after each change of what `everythingStored` reads: the number of rows, and the
 * transactions that wrote them. Triggers count the statements that write, so that reading again what no statement has
 * touched costs nothing.
 */
export const versionReader = async ({ database }: OperatorApi): Promise<() => Promise<string>> => {
  const watch = tables.map(
    (table) =>
      `create trigger count_change after insert or update or delete on ${table} execute function count_change()`,
  )
  for (const statement of [
    'create sequence changes',
    `create function count_change() returns trigger language plpgsql as
       $$ begin perform nextval('changes'); return null; end $$`,
    ...watch,
  ])
    await database.query(statement)

  const versions = tables.map((table) => {
    const written = lasting[table]
      ? `md5(string_agg(${lasting[table]}::text, '' order by id))`
      : 'sum(xmin::text::bigint)::text'
    return `select '${table}' as name, count(*) as rows, ${written} as written from ${table}`
  })
  let read = { changes: '', version: '' }
  return async () => {
    const { rows } = await database.query<{ changes: string }>(
      'select last_value || is_called::text as changes from changes',
    )
    const { changes } = rows[0]!
    if (read.changes !== changes) {
      const found = await database.query(versions.join(' union all '))
      read = { changes, version: JSON.stringify(found.rows) }
    }
    return read.version
  }
}
