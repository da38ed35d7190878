import { Type } from 'typebox'
import type { ConsentEnds } from '../../../core/authorization/consent-ends.ts'
import { changeOf } from '../etag.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations } from '../operation.ts'
import { expiresAt, idleSeconds, withEnd } from '../organizations/access-end.ts'
import { changes, component, id, nullable, pathIds, timestamp } from '../schemas.ts'
import type { OperatorScope } from '../scope.ts'

export const consentSchema = component('Consent', "A user's consent to an installed app.", {
  organization_id: id,
  client_id: id,
  user_id: id,
  permissions: Type.Array(Type.String()),
  workspace_ids: nullable(Type.Array(Type.String())),
  expires_at: nullable(timestamp),
  idle_seconds: nullable(Type.Integer()),
  created_at: timestamp,
})

const consentJson = jsonOf(consentSchema)

const on = operations({
  tag: 'installs',
  read: 'installs:read',
  write: 'installs:write',
  schema: 'Consent',
  one: 'The consent.',
})
const params = pathIds('organization_id', 'client_id', 'user_id')

const read = on.read('readConsent', "Read a user's consent to an installed app", { params })

const change = on.change('changeConsent', "Change the end of a user's consent", {
  params,
  body: changes({ expires_at: expiresAt, idle_seconds: idleSeconds }),
})

const path = '/organizations/:organization_id/installs/:client_id/users/:user_id'

/** Consents of users, as far as an operator may change them. */
export const consentRoutes = (scope: OperatorScope, consents: ConsentEnds) => {
  scope.get(path, read, async ({ params }) => consentJson(await consents.read(fieldsOf(params))))

  scope.patch(path, change, async (request) => {
    const patch = withEnd(fieldsOf(request.body))
    const context = changeOf(request, consentJson)
    return consentJson(await consents.change(fieldsOf(request.params), patch, ...context))
  })
}
