// What a folder of `latchkey apply` describes: its kinds as data, and their fields from the OpenAPI document.

export type Fields = Record<string, unknown>

export interface Kind {
  /** The id in a folder. It names fields of the JSON of the resource, and so do the paths. */
  id: string
  list: string
  /** Its PUT creates or replaces; without one, a POST to `list` creates. */
  one: string
  /** Where PATCH and DELETE are. */
  existing: string
}

const kind = (
  id: string,
  list: string,
  one = `${list}/${id.replace(':', '/')}`,
  existing = one,
) => ({
  ...{ id, list, one, existing },
})
const inOrganization = '/organizations/{organization_id}'
const policy = `${inOrganization}/policy`
const installs = `${inOrganization}/installs`

/** In the order in which they are applied; deleted in the opposite one. */
export const kinds: Readonly<Record<string, Kind>> = {
  permission: kind('{interface}:{name}', '/permissions'),
  organization: kind('{id}', '/organizations'),
  workspace: kind('{id}', `${inOrganization}/workspaces`, undefined, '/workspaces/{id}'),
  policy: kind('{organization_id}', policy, policy),
  app: kind('{client_id}', '/apps'),
  install: kind('{organization_id}/{client_id}', installs, `${installs}/{client_id}`),
  client_host: kind('{host}', '/client-hosts'),
  resource_server: kind('{client_id}', '/resource-servers'),
  webhook: kind('{id}', '/webhooks'),
  operator: kind('{user_id}', '/operators', '/users/{user_id}/operator'),
}

const namesIn = (template: string) =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** Fields in the path that are not part of the id. */
export const placeOf = ({ id, one }: Kind) =>
  namesIn(one).filter((name) => !namesIn(id).includes(name))

/** An app has a field `kind`. */
export const folderField = (name: string) => (name === 'kind' ? 'app_kind' : name)
export const apiField = (name: string) => (name === 'app_kind' ? 'kind' : name)

type Schemas = Record<string, { type?: string | string[]; anyOf?: Fields[]; default?: unknown }>

/** The part of the OpenAPI document that is read here. */
export interface ApiDocument {
  paths: Record<
    string,
    Record<
      string,
      { requestBody?: { content: Record<string, { schema: { properties: Schemas } }> } }
    >
  >
  components: { schemas: Record<string, object> }
}

export interface Operation {
  method: string
  path: string
  fields: Schemas
}

const withoutNames = (path: string) => path.replace(/\{\w+\}/g, '{}')

/** How a kind is created, changed and deleted, its fields in a folder, and the field of a new secret. */
export const operationsOf = ({ paths }: ApiDocument, { id, list, one, existing }: Kind) => {
  const find = (method: string, path: string): Operation | undefined => {
    const is = (other: string) => withoutNames(other) === withoutNames(`/api/admin/v1${path}`)
    const found = Object.keys(paths).find((other) => is(other) && paths[other]?.[method])
    if (found === undefined) return undefined
    const [media] = Object.values(paths[found]?.[method]?.requestBody?.content ?? {})
    return { method: method.toUpperCase(), path, fields: media?.schema.properties ?? {} }
  }
  const put = find('put', one)
  const create = (put ?? find('post', list)) as Operation
  const change = (find('patch', existing) ?? put) as Operation
  const secret = ['client_secret', 'secret'].find((name) => name in create.fields)
  const hidden = [...namesIn(id), secret, 'without_secret']
  const all = Object.entries({ ...create.fields, ...change.fields })
  const fields: Schemas = Object.fromEntries(all.filter(([name]) => !hidden.includes(name)))
  return { create, change, remove: find('delete', existing), secret, fields }
}

export const isNullable = ({ type, anyOf = [] }: Schemas[string]) =>
  [type, ...anyOf.map((one) => one.type)].flat().includes('null')

const text = { type: 'string' }
const secretFrom = (name: string) => ({
  ...{ type: 'object', properties: { [name]: text } },
  ...{ required: [name], additionalProperties: false },
})

/** The JSON Schema of a file, for editors. An absent field is unchanged, and null resets it. */
export const folderSchema = (document: ApiDocument) => {
  const objects = Object.entries(kinds).map(([title, kind]) => {
    const { fields, secret } = operationsOf(document, kind)
    const place = placeOf(kind)
    const nullable = Object.entries(fields).map(([name, schema]) => [
      folderField(name),
      isNullable(schema) ? schema : { anyOf: [schema, { type: 'null' }] },
    ])
    const properties = {
      ...{ kind: { const: title }, id: text },
      ...Object.fromEntries([...place.map((name) => [name, text]), ...nullable]),
      ...(secret && { secret: { anyOf: [secretFrom('file'), secretFrom('env')] } }),
    }
    const required = ['kind', 'id', ...place]
    return { type: 'object', title, properties, required, additionalProperties: false }
  })
  const object = { $ref: '#/$defs/object' }
  const { PermissionName } = document.components.schemas
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A file of latchkey apply',
    anyOf: [object, { type: 'array', items: object }],
    $defs: { object: { oneOf: objects } },
    components: { schemas: { PermissionName } },
  }
}
