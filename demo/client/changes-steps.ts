import { firstIn, withBearer, withoutToken, withVariable } from './data-steps.ts'
import type { Exchange } from './exchange.ts'
import type { Hint, Scene, SendStep } from './step.ts'

const common = {
  kind: 'send',
  id: 'changes',
  short: 'Lose access',
  title: 'What happens when access is taken away',
  blocked: withoutToken,
} as const

/** What an admin of Acme and the user can do, with the pages where they do it. */
const tries =
  (app: 'reportBuilder' | 'sheetSync', ...more: string[]) =>
  ({ issuer, seeded }: Scene): Hint[] => [
    ...[...more, 'As Kim, uninstall the app.'].map((text) => ({
      text,
      link: {
        label: 'The app in Acme',
        href: `${issuer}/organizations/${seeded.acmeId}/apps/${seeded.apps[app].clientId}`,
      },
    })),
    {
      text: 'As Ana, disconnect the app.',
      link: { label: 'Connected apps', href: `${issuer}/account/apps` },
    },
  ]

/** The code of an answer's first error. */
const codeOf = (exchange: Exchange | undefined): string | undefined => {
  const errors = exchange?.json.errors as { extensions?: { code?: string } }[] | undefined
  return errors?.[0]?.extensions?.code
}

/** What the answers of the two requests show. */
const lessonOf = ([read, remove]: readonly Exchange[]) => {
  if (codeOf(read) !== undefined)
    return ['The token is refused: the user disconnected the app, or Acme uninstalled it.']
  return codeOf(remove) === 'insufficient_scope'
    ? ['Deleting is refused with insufficient_scope: the permission is gone from the same token.']
    : ['The token may read and delete; there is just no such record. Now take something away.']
}

export const currentChanges: SendStep = {
  ...common,
  lead: 'The app keeps its token and sends the same requests again. Each change on the pages of Latchkey is known to the data API within two seconds, long before the token expires.',
  button: 'Read and delete',
  plan: (scene) => [
    withBearer(scene, '1. The workspaces', '{ workspaces { id name } }'),
    withBearer(scene, '2. Delete a record', 'mutation { deleteRecord(recordId: "none") }'),
  ],
  lesson: lessonOf,
  tries: tries(
    'reportBuilder',
    'As Kim, leave the app one workspace, then send this again.',
    'As Kim, take records:delete away, then send this again.',
  ),
}

export const legacyChanges: SendStep = {
  ...common,
  lead: 'The app follows the rows of a database over a websocket. The data API verifies the token of an open subscription again and again, and ends it within two seconds after the token has become invalid.',
  button: 'Subscribe, read and delete',
  plan: (scene) => [withVariable(scene, '1. The databases', '{ databases { _id name } }')],
  follow: (scene, [first]) => {
    const databaseId = firstIn(first, 'databases')
    if (databaseId === null) return []
    const remove = `mutation ($databaseId: ID!) {
  delete(databaseId: $databaseId, rowId: "none")
}`
    return [withVariable(scene, '2. Delete a row', remove, { databaseId })]
  },
  subscription: (scene, [first]) => {
    const databaseId = firstIn(first, 'databases')
    if (databaseId === null) return null
    const query = `subscription ($databaseId: ID!) {
  rowsChanged(databaseId: $databaseId) { _id cols { value } }
}`
    return withVariable(scene, 'An open subscription', query, { databaseId }).operation ?? null
  },
  lesson: lessonOf,
  tries: tries(
    'sheetSync',
    'As Kim, take deleteData away, then send this again: the subscription stays open, because it only reads.',
  ),
}
