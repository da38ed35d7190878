import type { Exchange, PlannedRequest } from './exchange.ts'
import type { Hint, Scene, SendStep } from './step.ts'

/** The reason why the step cannot run: no data API or no token. */
export const withoutToken = ({ dataApi, track, visit }: Scene): Hint | null => {
  if (dataApi === null) return { text: 'The data API is not running: `npm run demo` builds it.' }
  if (track.tokens) return null
  const name = track === visit.tracks.legacy ? 'legacy' : 'current'
  const text = track.ended ? 'This token family was revoked.' : 'There is no access token yet.'
  return { text, link: { label: 'Ask a user first', href: `/${name}/authorize` } }
}

const tokenOf = ({ track }: Scene) => track.tokens?.access_token ?? ''

type Answer = Record<string, { id?: string; _id?: string }[] | null> | null

/** The first id in an answer, under the interface's name for ids. */
export const firstIn = (exchange: Exchange | undefined, field: string): string | null => {
  const [first] = (exchange?.json.data as Answer | undefined)?.[field] ?? []
  return first?.id ?? first?._id ?? null
}

/** An operation of the data API, with the token where its interface expects it. */
const operation =
  (carried: 'in a header' | 'as a variable') =>
  (
    scene: Scene,
    label: string,
    query: string,
    variables: Record<string, unknown> = {},
  ): PlannedRequest => {
    const token = tokenOf(scene)
    const asked =
      carried === 'in a header'
        ? { query, variables, bearer: token }
        : { query, variables: { ...variables, accessToken: token }, bearer: null }
    return { label, url: scene.dataApi ?? '', form: [], operation: asked }
  }
export const withBearer = operation('in a header')
export const withVariable = operation('as a variable')

const tries = (scene: Scene): Hint[] => [
  {
    text: 'Disconnect the app, then send this again: the same token is refused at once, long before it would expire.',
    link: { label: 'Connected apps', href: `${scene.issuer}/account/apps` },
  },
  {
    text: 'The code of this data API is in examples/data-api. The code for tokens is in access/.',
  },
]

const refused = ['The data API refused the token: it has expired or was revoked.']

export const currentData: SendStep = {
  kind: 'send',
  id: 'data',
  short: 'Call the data API',
  title: 'Use the token',
  lead: 'The access token goes to the data API in the Authorization header. That API knows neither the app nor the user: it verifies the token with @latchkey-auth/verify, without asking the server each time.',
  button: 'Read, then try too much',
  blocked: withoutToken,
  plan: (scene) => {
    const [workspaceId = 'none'] = scene.track.tokens?.workspace_ids ?? []
    const query = `query ($workspaceId: ID!) {
  workspaces { id name }
  tables(workspaceId: $workspaceId) { id name }
}`
    return [withBearer(scene, '1. What the token reaches', query, { workspaceId })]
  },
  follow: (scene, [first]) => {
    const tableId = firstIn(first, 'tables')
    if (tableId === null) return []
    const read = `query ($tableId: ID!) {
  recordsConnection(tableId: $tableId, first: 2) {
    edges { node { id fields { stringValue } } }
  }
}`
    const documents = `query ($tableId: ID!) {
  templates(tableId: $tableId) { id }
}`
    return [
      withBearer(scene, '2. Records of a table', read, { tableId }),
      withBearer(scene, '3. Read templates, which was not approved', documents, { tableId }),
    ]
  },
  lesson: ([first, , third]) =>
    first?.status === 200
      ? [
          'The app sees only the workspaces in the token. All others do not exist for it.',
          ...(third?.status === 403
            ? ['Templates are refused with 403, insufficient_scope and the required permission.']
            : []),
        ]
      : refused,
  tries,
}

export const legacyData: SendStep = {
  kind: 'send',
  id: 'data',
  short: 'Call the data API',
  title: 'Use the token',
  lead: 'On the legacy interface the access token travels as the GraphQL variable accessToken, on the same address.',
  button: 'Read, then try too much',
  blocked: withoutToken,
  plan: (scene) => [withVariable(scene, '1. The databases', '{ databases { _id name } }')],
  follow: (scene, [first]) => {
    const databaseId = firstIn(first, 'databases')
    if (databaseId === null) return []
    const read = `query ($databaseId: ID!) {
  count(databaseId: $databaseId)
  data(databaseId: $databaseId, limit: 2) { _id cols { value } }
}`
    return [
      withVariable(scene, '2. Rows of a database', read, { databaseId }),
      withVariable(scene, '3. Read the users, which was not approved', '{ members { _id } }'),
    ]
  },
  lesson: ([first]) =>
    first?.json.errors === undefined
      ? [
          'Errors come with status 200 here; reading the users is refused with insufficient_scope.',
          'When the token is no longer valid, the error is token-invalid, and the app refreshes.',
        ]
      : refused,
  tries,
}
