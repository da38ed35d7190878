import { Type } from 'typebox'
import type { ConsentEnds } from '../../../core/authorization/consent-ends.ts'
import type { AccessEnd } from '../../../core/grants/access-end.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import * as api from '../schemas.ts'
import { expiresAt, idleSeconds, withEnd } from './access-end.ts'

const consentSchema = api.component('Consent', "A user's consent to an installed app.", {
  organization_id: api.id,
  client_id: api.id,
  user_id: api.id,
  permissions: Type.Array(Type.String()),
  workspace_ids: api.nullable(Type.Array(Type.String())),
  expires_at: api.nullable(api.timestamp),
  idle_seconds: api.nullable(Type.Integer()),
  created_at: api.timestamp,
})

const consentJson = jsonOf(consentSchema)

const on = operations({
  tag: 'installs',
  area: 'installs',
  schema: consentSchema,
  one: 'The consent.',
})
const params = api.pathIds('organization_id', 'client_id', 'user_id')

const read = on.read('readConsent', "Read a user's consent to an installed app", { params })

const change = on.change('changeConsent', "Change the end of a user's consent", {
  params,
  body: api.changes({ expires_at: expiresAt, idle_seconds: idleSeconds }),
})

const end = on.act('endUserAccess', 'End the access of an app for one user in an organization', {
  description:
    'Revokes the consent and all grants of the user for the app there. Its tokens are refused at once. The install ' +
    'and other users are not affected; the user may allow the app again. A repetition changes nothing.',
  answer: { status: 204, description: 'The user has no access by this app any more.' },
  params,
})

const path = '/organizations/:organization_id/installs/:client_id/users/:user_id'

/** Users of an installed app: the end of their access, and their consents, as far as an operator may change them. */
export const installUserRoutes = (
  scope: Scope,
  { accessEnd, consentEnds }: { accessEnd: AccessEnd; consentEnds: ConsentEnds },
) => {
  scope.delete(path, end, async (request) => {
    await accessEnd(fieldsOf(request.params), causeOf(request))
  })

  scope.get(path, read, async ({ params }) => consentJson(await consentEnds.read(fieldsOf(params))))

  scope.patch(path, change, async (request) => {
    const patch = withEnd(fieldsOf(request.body))
    const context = changeOf(request, consentJson)
    return consentJson(await consentEnds.change(fieldsOf(request.params), patch, ...context))
  })
}
