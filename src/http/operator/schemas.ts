import { type Static, type TArrayOptions, type TOptional, type TSchema, Type } from 'typebox'
import { longestUri } from '../../core/clients/link.ts'
import { operatorPermissions } from '../../core/credentials/operator-permissions.ts'
import { longestOverlap } from '../../core/credentials/secrets.ts'
import { clientIdPattern, ownIdPatterns } from '../../core/crypto/identifiers.ts'
import {
  descriptionPattern,
  longestDescription,
  longestName,
  longestSentence,
  namePattern,
  portableDescriptionPattern,
  portableNamePattern,
} from '../../core/language/display-text.ts'
import type { FaultReason } from '../../core/language/faults.ts'
import {
  languagePattern,
  mostLanguages,
  ownNamePattern,
  type Sentence,
} from '../../core/language/permission-catalogue.ts'

/** An object schema that refuses unknown fields. */
export const closed = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** An object schema with only optional fields, for PATCH. */
export const changes = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  // Set here because Type.Partial drops the options of its object.
  Type.Partial(Type.Object(properties), { additionalProperties: false })

/** The fields, each of which a body may leave out. */
export const optional = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as { [Name in keyof Fields]: TOptional<Fields[Name]> }

/** A schema under `components` of the OpenAPI document. */
export const component = <Properties extends Record<string, TSchema>>(
  $id: string,
  description: string,
  properties: Properties,
) => Type.Object(properties, { $id, description })

export const nullable = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })

export const oneOf = <Name extends string>(names: readonly Name[], options: object = {}) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names], ...options })

export const oneOfOrNull = <Name extends string>(names: readonly Name[], options: object = {}) =>
  Type.Unsafe<Name | null>({ type: ['string', 'null'], enum: [...names, null], ...options })

/** A URI in a body, with the rule of its form. */
export const uri = (reason: FaultReason, description: string) =>
  Type.String({ minLength: 1, maxLength: longestUri, 'x-reason': reason, description })

/** A list of permissions of operators. */
export const operatorPermissionList = (options: TArrayOptions) =>
  Type.Array(oneOf(['*', ...operatorPermissions], { 'x-reason': 'unknown_permission' }), options)

const idPattern = '^[A-Za-z0-9_\\-]{1,128}$'

/** The id of another resource, in a body. */
export const otherId = Type.String({ pattern: idPattern })
export const otherUserId = { ...otherId, 'x-reason': 'unknown_user' }
const otherOrganizationId = { ...otherId, 'x-reason': 'unknown_organization' }

/** A client id of an app: an id, or the URL of its metadata document (percent-encoded in a path). */
export const otherClientId = Type.String({ pattern: clientIdPattern, 'x-reason': 'unknown_app' })

/** Ids in the path. The guard checks their form first and answers 404. */
export const pathIds = <Name extends string>(...names: Name[]) =>
  Type.Object(
    Object.fromEntries(
      names.map((name) => [name, name === 'client_id' ? otherClientId : otherId]),
    ) as Record<Name, ReturnType<typeof Type.String>>,
  )

/** An id in the path that the platform chooses. The guard leaves it to this schema: another form is 400. */
export const ownId = (kind: keyof typeof ownIdPatterns) =>
  Type.String({ pattern: ownIdPatterns[kind], description: 'An id of the platform.' })

export const id = Type.String({ description: 'Opaque.' })
/** What the operator may choose for a new client. */
export const chosenCredentials = optional({
  client_id: ownId('app'),
  client_secret: Type.String({
    pattern: '^[\\x21-\\x7e]{16,256}$',
    'x-reason': 'form',
    description: 'Absent: the server makes one.',
  }),
})

export const shownOnce = Type.String({ description: 'Shown only once.' })
export const timestamp = Type.String({ format: 'date-time' })

export const name = Type.String({
  'x-reason': 'name',
  minLength: 1,
  maxLength: longestName,
  pattern: namePattern,
  'x-pattern': portableNamePattern,
  description: 'Not blank. No invisible, control or direction characters.',
})

export const description = nullable(
  Type.String({
    maxLength: longestDescription,
    'x-reason': 'description',
    pattern: descriptionPattern,
    'x-pattern': portableDescriptionPattern,
  }),
)

export const link = nullable(
  Type.String({
    maxLength: longestUri,
    'x-reason': 'link',
    description: 'https, or http on loopback.',
  }),
)

export const legalLink = nullable(
  Type.String({ maxLength: longestUri, 'x-reason': 'link', description: 'https.' }),
)

export const interfaceName = oneOf(['legacy', 'current'])

export const mostPermissions = 1000
/** The OpenAPI document describes every schema with this title by one that has the names of the catalogue. */
export const permissionNameTitle = 'PermissionName'
export const permissionName = Type.String({
  title: permissionNameTitle,
  pattern: ownNamePattern,
  'x-reason': 'unknown_permission',
})

export const permissions = Type.Array(permissionName, {
  maxItems: mostPermissions,
  description: 'Permissions of the same interface, from the catalogue (`GET /permissions`).',
})

const sentenceWords = {
  type: 'string',
  maxLength: longestSentence,
  pattern: namePattern,
  'x-pattern': portableNamePattern,
} as const

/** A sentence on pages: one text, or texts by language tag. */
export const sentenceSchema = (description: string) =>
  Type.Unsafe<Sentence>({
    ...sentenceWords,
    type: ['string', 'object'],
    minProperties: 1,
    maxProperties: mostLanguages,
    propertyNames: { pattern: languagePattern },
    additionalProperties: sentenceWords,
    'x-reason': 'sentence',
    description,
  })

/** The same in an answer. */
export const shownSentence = Type.Unsafe<Sentence>({
  type: ['string', 'object'],
  additionalProperties: { type: 'string' },
})

/** A list of organizations, or null for all. */
export const organizationLimit = (description: string) =>
  nullable(Type.Array(otherOrganizationId, { minItems: 1, maxItems: 1000, description }))

/** A list of workspaces, or null for all, including future ones. */
export const workspaceLimit = (description: string) =>
  nullable(
    Type.Array({ ...otherId, 'x-reason': 'unknown_workspace' }, { maxItems: 1000, description }),
  )

/** Optional body of the calls that create a new secret. */
export const rotation = closed({
  retire_others_after_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: longestOverlap,
      default: 0,
      description: 'Seconds until older secrets expire, unless they expire sooner. 0: at once.',
    }),
  ),
})

export const webhookSecret = (absent: string) =>
  Type.String({
    maxLength: 100,
    'x-reason': 'webhook_secret',
    description: `\`whsec_\` and 24 to 64 bytes in base64. ${absent}`,
  })

export const secretFields = {
  id,
  hint: Type.String({ description: 'Distinguishes secrets.' }),
  created_at: timestamp,
  last_used_at: nullable(timestamp),
  expires_at: nullable(timestamp),
}

export const problemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON pointer (RFC 6901).' }),
          detail: Type.String(),
          reason: Type.Unsafe<FaultReason>({
            type: 'string',
            description:
              'The rule that the value breaks: a stable name. Later versions may add others. `x-reason` is the rule of a field.',
          }),
        }),
      ),
    ),
    permission: Type.Optional(
      Type.String({ description: 'For 403: the permission that the request needs.' }),
    ),
    request_id: Type.String(),
  },
  { $id: 'Problem', description: 'RFC 9457 problem document.' },
)
/** Without members that the server left out. */
export type ProblemJson = Partial<Static<typeof problemSchema>>
