// The operations of the OpenAPI document, with ids of the stock in their paths.
import type { Stock } from './catalogue.ts'
import { type Generator, resolved } from './generator.ts'
import type { Json } from './operator-api.ts'

const prefix = '/api/admin/v1'

export interface Operation {
  method: string
  path: string
  parameters: { name: string; in: string; schema: Json }[]
  body: Json | null
}

/** Replacements for the ids in the path, by parameter name. */
const stockNames: Record<string, keyof Stock> = {
  user_id: 'user',
  organization_id: 'organization',
  workspace_id: 'workspace',
  client_id: 'app',
  secret_id: 'appSecret',
  key_set_id: 'keySet',
  webhook_id: 'webhook',
  audit_stream_id: 'auditStream',
  operator_token_id: 'operatorToken',
  redirect_uri_id: 'redirectUri',
  key_id: 'appKey',
  scim_token_id: 'scimToken',
  review_id: 'appReview',
  change_id: 'appChange',
  delivery_id: 'delivery',
  stop_id: 'stop',
  host: 'clientHost',
  interface: 'interface',
  name: 'permission',
}

export const idOf = (stock: Stock, path: string, name: string) => {
  if (path.includes('/resource-servers/')) return stock.resourceServer
  const known = stockNames[name]
  if (!known) throw new Error(`the stock has nothing for ${name} of ${path}`)
  return stock[known]
}

export const operationsIn = (document: Json): Operation[] =>
  Object.entries<Json>(resolved(document, document.paths)).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replace(prefix, ''),
      parameters,
      body: requestBody?.content['application/json'].schema ?? null,
    })),
  )

/** Paths of one request each: the stock's own ids, foreign ids, hostile ids. */
export const pathsOf = (make: Generator, operation: Operation, stock: Stock): string[] => {
  const own = (name: string) => idOf(stock, operation.path, name)
  const strangers = [
    ...Object.values(stock),
    'none',
    '__proto__',
    'constructor',
    encodeURIComponent(Buffer.from(make.hostile().slice(0, 60)).toString()),
  ]
  const fill = (replace: (name: string) => string) =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => replace(name))
  return [
    fill(own),
    fill((name) => (make.chance(0.5) ? own(name) : make.pick(strangers))),
    fill(() => make.pick(strangers)),
  ]
}
