import type { AccessEnd } from '../../../core/grants/access-end.ts'
import { causeOf } from '../guard.ts'
import { fieldsOf } from '../json.ts'
import { operation } from '../operation.ts'
import { pathIds } from '../schemas.ts'
import type { OperatorScope } from '../scope.ts'

const end = operation({
  id: 'endUserAccess',
  tag: 'installs',
  permission: 'installs:write',
  summary: 'End the access of an app for one user in an organization',
  description:
    'Revokes the consent and all grants of the user for the app there. Its tokens are refused at once. The install ' +
    'and other users are not affected; the user may allow the app again. A repetition changes nothing.',
  answer: { status: 204, description: 'The user has no access by this app any more.' },
  params: pathIds('organization_id', 'client_id', 'user_id'),
})

/** Users of an installed app. */
export const installUserRoutes = (scope: OperatorScope, accessEnd: AccessEnd) => {
  scope.delete(
    '/organizations/:organization_id/installs/:client_id/users/:user_id',
    end,
    async (request) => {
      await accessEnd(fieldsOf(request.params), causeOf(request))
    },
  )
}
