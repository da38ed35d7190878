import { type Static, Type } from 'typebox'
import {
  type Found,
  foundKinds,
  longestSearch,
  mostFound,
  type Search,
} from '../../../core/organizations/search.ts'
import { reference } from '../answers.ts'
import { jsonOf } from '../json.ts'
import { operation, type Scope } from '../operation.ts'
import * as api from '../schemas.ts'
import { refuseForeign } from '../token-rights.ts'

const foundSchema = api.component('Found', 'What a search has found.', {
  kind: api.oneOf(foundKinds),
  id: Type.String({ description: 'The client id of apps and resource servers.' }),
  name: Type.String(),
  organization_id: Type.Optional(Type.String({ description: 'Of workspaces and key sets.' })),
})
export type FoundJson = Static<typeof foundSchema>

const search = operation({
  id: 'search',
  tag: 'search',
  permission: null,
  limited: 'checked',
  summary: 'Find by name, id or e-mail address',
  description:
    'Each word of `q` begins a word of the name, or `q` begins an id or an e-mail address. Case and accents do not ' +
    `count. At most ${mostFound} items, exact matches first. A token finds what it may read: \`organizations:read\` ` +
    'organizations and workspaces, `apps:read` apps and resource servers, `users:read` users, `key_sets:read` key sets. ' +
    'One that is limited to organizations finds what belongs to these: their members, apps that are installed there, ' +
    'and resource servers that serve them only.',
  refusals: [404],
  answer: {
    status: 200,
    description: 'What was found.',
    schema: Type.Object({ items: Type.Array(reference(foundSchema)) }),
  },
  querystring: api.closed({
    q: Type.String({
      pattern: '\\S',
      'x-reason': 'empty',
      maxLength: longestSearch,
      description: 'Not blank.',
    }),
    kind: Type.Optional(api.oneOf(foundKinds, { description: 'Only of this kind.' })),
    organization_id: Type.Optional({
      ...api.otherId,
      description: 'Only what belongs to this organization, as for a token that is limited to it.',
    }),
  }),
})

const json = jsonOf(foundSchema)
const foundJson = ({ organizationId, ...item }: Found): FoundJson =>
  json({ ...item, ...(organizationId !== null && { organizationId }) })

/** One search for everything that has a name. */
export const searchRoutes = (scope: Scope, services: { search: Search }) => {
  scope.addSchema(foundSchema)
  scope.get('/search', search, async (request) => {
    const { q, kind, organization_id: within } = request.query
    if (within !== undefined) refuseForeign(request, within)
    const { operator } = request
    const reach = within === undefined ? operator : { ...operator, organizationIds: [within] }
    const found = await services.search.forOperator(q, reach, kind)
    return { items: found.map(foundJson) }
  })
}
