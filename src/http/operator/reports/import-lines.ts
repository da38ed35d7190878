import { type TSchema, Type } from 'typebox'
import {
  isPermitted,
  type Operator,
  type OperatorPermission,
} from '../../../core/credentials/operator-permissions.ts'
import { camelCase, camelKeys } from '../../../core/language/case.ts'
import { Invalid } from '../../../core/language/service-errors.ts'
import { refusal } from '../../../core/organizations/import-attempts.ts'
import type { ImportLine } from '../../../core/organizations/import-lines.ts'
import { longestHash } from '../../../core/people/foreign-hash.ts'
import { details as bodyDetails } from '../../oauth/problem.ts'
import { newApp } from '../apps/schemas.ts'
import { audience, withAudience } from '../organizations/install-fields.ts'
import { workspaceIds } from '../organizations/installs.ts'
import { role } from '../organizations/members.ts'
import { ownUserFields } from '../people/users.ts'
import * as api from '../schemas.ts'
import { createValidatorCompiler } from '../validation.ts'

const hash = Type.Union([
  Type.String({ minLength: 1, maxLength: longestHash }),
  api.closed({
    algorithm: Type.String({ maxLength: 64 }),
    iterations: Type.Optional(Type.Integer({ minimum: 1 })),
    parameters: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 1 }),
      ),
    ),
    salt: Type.String({ maxLength: 512 }),
    value: Type.String({ maxLength: 512 }),
  }),
])

const givenSecret = api.optional({
  secret: Type.String({ minLength: 1, maxLength: 1024 }),
  secret_hash: hash,
})

const source = Type.Optional(Type.String({ maxLength: 200 }))

const given = {
  client_id: api.ownId('app'),
  user: api.otherId,
  organization: api.otherId,
  permissions: api.permissions,
  workspace_ids: workspaceIds,
  source,
}

/** @param oneOf fields of which a line has one at most; `needed`: exactly one */
const line = (
  permission: OperatorPermission,
  fields: Record<string, TSchema>,
  oneOf: readonly string[] = [],
  needed = false,
) => ({ permission, fields, oneOf, needed })

const forms = {
  organization: line('organizations:write', { id: api.ownId('organization'), name: api.name }),
  user: line(
    'users:write',
    { id: api.ownId('user'), ...ownUserFields, password_hash: Type.Optional(hash) },
    ['password', 'password_hash'],
  ),
  member: line('organizations:write', { organization: api.otherId, user: api.otherId, role }),
  workspace: line('organizations:write', {
    ...{ organization: api.otherId, id: api.ownId('workspace'), name: api.name },
  }),
  workspace_member: line('organizations:write', { workspace: api.otherId, user: api.otherId }),
  app: line(
    'apps:write',
    { client_id: api.ownId('app'), ...newApp.properties, ...givenSecret, source },
    ['secret', 'secret_hash'],
  ),
  install: line('installs:write', {
    ...{ organization: api.otherId, client_id: api.otherClientId, permissions: api.permissions },
    ...api.optional({ workspace_ids: workspaceIds, audience }),
    source,
  }),
  key_set: line(
    'key_sets:write',
    {
      ...{ client_id: api.ownId('app'), organization: api.otherId, interface: api.interfaceName },
      ...{ name: api.name, description: Type.Optional(api.description) },
      ...{ permissions: api.permissions, ...givenSecret },
    },
    ['secret', 'secret_hash'],
    true,
  ),
  grant: line(
    'installs:write',
    {
      ...given,
      ...api.optional({
        refresh_token: Type.String({ minLength: 1, maxLength: 8192 }),
        refresh_token_sha256: Type.String({ pattern: '^[0-9A-Fa-f]{64}$' }),
        issued_at: api.timestamp,
        expires_at: api.timestamp,
      }),
    },
    ['refresh_token', 'refresh_token_sha256'],
    true,
  ),
  consent: line('installs:write', { ...given, at: Type.Optional(api.timestamp) }),
  verification_key: line('keys:write', {
    ...{ jwk: Type.Object({}, { additionalProperties: true }), until: api.timestamp },
  }),
}

type LineType = keyof typeof forms

const compile = createValidatorCompiler()
type Validator = ReturnType<typeof compile>
/** Each is compiled for the first line of its type: all would take a quarter of the time of a start. */
const validators = new Map<LineType, Validator>()
const validatorOf = (type: LineType) => {
  const known = validators.get(type)
  if (known) return known
  const schema = api.closed({ type: Type.Literal(type), ...forms[type].fields })
  const route = { schema, method: 'POST', url: '/import', httpPart: 'body' }
  const made = compile(route)
  validators.set(type, made)
  return made
}

const details: Record<string, string> = {
  ...bodyDetails,
  additionalProperties: 'is not a field of this type',
}

// A name that is not a field is not repeated in the answer.
const detailOf = ({ errors }: Validator) =>
  (errors ?? [])
    .slice(0, 10)
    .map(({ keyword, instancePath, message, params }) => {
      const field = params.missingProperty ?? (instancePath.slice(1) || 'a member')
      return `${field} ${details[keyword] ?? message ?? 'is invalid'}`
    })
    .join('; ')

const refused = (detail: string): ImportLine => ({ type: 'refused', detail })

/** The fields of a line are those of its row, as its schema has checked. */
const lineOf = (json: { type: LineType }) => {
  const { type, ...row } = camelKeys(json)
  if ('audience' in row)
    return { type, row: withAudience(row as Parameters<typeof withAudience>[0]) } as ImportLine
  const hasPassword = type === 'user' && 'password' in row
  return { type: hasPassword ? 'userWithPassword' : camelCase(type), row } as ImportLine
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const alternativeFault = (
  { oneOf, needed }: ReturnType<typeof line>,
  json: object,
): string | null => {
  const count = oneOf.filter((name) => Object.hasOwn(json, name)).length
  if (count > 1) return `only one of ${oneOf.join(' and ')} is allowed`
  return needed && count === 0 ? `${oneOf.join(' or ')} is required` : null
}

/** Reads a line of an import; a line that cannot be stored is refused with the reason. */
export const readImportLine = (text: string, operator: Operator): ImportLine => {
  const json = parse(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return refused('is not a JSON object')
  const { type } = json as { type?: unknown }
  if (typeof type !== 'string' || !Object.hasOwn(forms, type))
    return refused(`type must be one of ${Object.keys(forms).join(', ')}`)
  const form = forms[type as LineType]
  if (!isPermitted(operator, form.permission))
    return refused(`the operator token does not have the permission ${form.permission}`)
  const validator = validatorOf(type as LineType)
  if (!validator(json)) return refused(detailOf(validator))
  const fault = alternativeFault(form, json)
  if (fault !== null) return refused(fault)
  try {
    return lineOf(json as { type: LineType })
  } catch (error) {
    if (error instanceof Invalid) return refused(refusal(error).detail ?? '')
    throw error
  }
}
