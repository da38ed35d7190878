import { Type } from 'typebox'
import type { ConsentEnds, StoredConsent } from '../../core/authorization/consent-ends.ts'
import { expiresAt, idleSeconds, withEnd } from './access-end.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { changes, id, nullable, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const consentSchema = Type.Object(
  {
    organization_id: id,
    client_id: id,
    user_id: id,
    permissions: Type.Array(Type.String()),
    workspace_ids: nullable(Type.Array(Type.String())),
    expires_at: nullable(timestamp),
    idle_seconds: nullable(Type.Integer()),
    created_at: timestamp,
  },
  { $id: 'Consent', description: "A user's consent to an installed app." },
)

const consentJson = jsonOf(consentSchema)
const tagOf = (consent: StoredConsent) => etagOf(consentJson(consent))

const tag = 'installs'
const params = pathIds('organization_id', 'client_id', 'user_id')
const answer = { status: 200, description: 'The consent.', schema: reference('Consent') } as const

const read = operation(
  {
    id: 'readConsent',
    tag,
    permission: 'installs:read',
    summary: "Read a user's consent to an installed app",
    answer,
    refusals: [404],
  },
  { params },
)

const change = operation(
  {
    id: 'changeConsent',
    conditional: true,
    tag,
    permission: 'installs:write',
    summary: "Change the end of a user's consent",
    answer,
    refusals: [404],
  },
  { params, body: changes({ expires_at: expiresAt, idle_seconds: idleSeconds }) },
)

const path = '/organizations/:organization_id/installs/:client_id/users/:user_id'

const keyOf = (params: { organization_id: string; client_id: string; user_id: string }) => ({
  organizationId: params.organization_id,
  clientId: params.client_id,
  userId: params.user_id,
})

/** Consents of users, as far as an operator may change them. */
export const consentRoutes = (scope: OperatorScope, consents: ConsentEnds) => {
  scope.get(path, read, async ({ params }) => consentJson(await consents.read(keyOf(params))))

  scope.patch(path, change, async (request) => {
    const patch = withEnd(fieldsOf(request.body))
    const precondition = preconditionOf(request, tagOf)
    return consentJson(
      await consents.change(keyOf(request.params), patch, causeOf(request), precondition),
    )
  })
}
