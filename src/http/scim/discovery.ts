// What this service supports (RFC 7643 §5 to §7).
import { nameParts } from '../../core/provisioning/user-attributes.ts'
import { groupSchema, prefix, type Resource, userSchema } from './resources.ts'

const schemaOf = (name: string) => [`urn:ietf:params:scim:schemas:core:2.0:${name}`]

export const mostResults = 200

export const providerConfig = (issuer: string): Resource => ({
  schemas: schemaOf('ServiceProviderConfig'),
  documentationUri: `${issuer}/docs/for-admins`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A bearer token that the operator creates for the organization.',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${issuer}${prefix}/ServiceProviderConfig`,
  },
})

const resourceType = (issuer: string, name: 'User' | 'Group', schema: string): Resource => ({
  schemas: schemaOf('ResourceType'),
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: `${issuer}${prefix}/ResourceTypes/${name}` },
})

export const resourceTypes = (issuer: string): Resource[] => [
  resourceType(issuer, 'User', userSchema),
  resourceType(issuer, 'Group', groupSchema),
]

const attribute = (name: string, part: Resource = {}): Resource => {
  const { type = 'string' } = part
  return {
    name,
    type,
    multiValued: false,
    required: false,
    mutability: 'readWrite',
    returned: 'default',
    ...(type !== 'complex' && type !== 'boolean' && { uniqueness: 'none', caseExact: false }),
    ...part,
  }
}

const userAttributes = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('name', { type: 'complex', subAttributes: nameParts.map((part) => attribute(part)) }),
  attribute('displayName'),
  // An address as userName is enough, but a client that knows only this schema should send one.
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    required: true,
    subAttributes: [
      attribute('value', { required: true }),
      attribute('display'),
      attribute('type'),
      attribute('primary', { type: 'boolean' }),
    ],
  }),
  attribute('preferredLanguage'),
  attribute('locale'),
  // Always there, and cannot be removed.
  attribute('active', { type: 'boolean', required: true }),
]

const groupAttributes = [
  attribute('displayName', { required: true }),
  attribute('members', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { mutability: 'immutable' }),
      attribute('display', { mutability: 'readOnly' }),
      attribute('type', { mutability: 'readOnly' }),
      attribute('$ref', {
        type: 'reference',
        referenceTypes: ['User'],
        mutability: 'immutable',
        caseExact: true,
      }),
    ],
  }),
]

const schema = (issuer: string, id: string, name: string, attributes: Resource[]): Resource => ({
  schemas: schemaOf('Schema'),
  id,
  name,
  description: name,
  attributes,
  meta: { resourceType: 'Schema', location: `${issuer}${prefix}/Schemas/${id}` },
})

export const schemas = (issuer: string): Resource[] => [
  schema(issuer, userSchema, 'User', userAttributes),
  schema(issuer, groupSchema, 'Group', groupAttributes),
]
