import type { AppJson, CreatedAppJson } from '../http/operator/app-schemas.ts'
import type { CreatedSecretJson, SecretJson } from '../http/operator/app-secrets.ts'
import type { Action } from './action.ts'
import { changeActions } from './app-changes.ts'
import { documentActions } from './app-documents.ts'
import { allColumns, readSettings, settingOptions, shortColumns } from './app-fields.ts'
import { successorActions } from './app-successor.ts'
import { useActions } from './app-use.ts'
import type { Command } from './command.ts'
import { usageError } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { printDone, printList, printOne } from './output.ts'
import { printSecret, secretColumns } from './secrets.ts'
import { warnOfOwners } from './signed-in.ts'
import { note } from './terminal.ts'

const interfaces = ['current', 'legacy'] as const

const create = operatorAction({
  name: 'create',
  summary: 'Register an app.',
  options: {
    ...settingOptions,
    interface: {
      value: 'current|legacy',
      help: 'the API generation of the app (default: current)',
    },
  },
  notes: [
    'The secret of a confidential app is printed to stdout, once.',
    '',
    'Example: latchkey app create --name "Report Builder" --type confidential \\',
    '           --redirect-uri https://reports.example.com/callback --permissions records:create',
  ],
  run: async (api, input, terminal) => {
    input.required('name')
    if (!input.values('redirect-uri')) throw usageError('--redirect-uri is missing')
    const body = {
      interface: input.choice('interface', interfaces) ?? 'current',
      client_type: 'confidential',
      permissions: [],
      ...(await readSettings(input)),
    }
    const app = await api.call<CreatedAppJson>('POST', '/apps', body)
    printOne(
      terminal,
      input,
      app.client_secret
        ? [...allColumns, ['client secret', () => app.client_secret as string]]
        : allColumns,
      app,
    )
    await warnOfOwners(api, terminal, app.owners)
    if (app.client_secret) note(terminal, 'Keep the secret now: it is not shown again.')
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the registered apps.',
  run: async (api, input, terminal) =>
    printList(terminal, input, shortColumns, await api.list<AppJson>('/apps')),
})

const show = operatorAction({
  name: 'show',
  summary: 'Show an app.',
  positionals: ['client-id'],
  run: async (api, input, terminal) => {
    const app = await api.call<AppJson>('GET', `/apps/${pathSegment(input.argument('client-id'))}`)
    printOne(terminal, input, allColumns, app)
    await warnOfOwners(api, terminal, app.owners)
  },
})

const update = operatorAction({
  name: 'update',
  summary: 'Change an app. Removing permissions narrows its next tokens.',
  positionals: ['client-id'],
  options: settingOptions,
  run: async (api, input, terminal) => {
    const patch = await readSettings(input)
    if (Object.keys(patch).length === 0) throw usageError('there is nothing to change')
    const path = `/apps/${pathSegment(input.argument('client-id'))}`
    const app = await api.call<AppJson>('PATCH', path, patch)
    printOne(terminal, input, allColumns, app)
    if (patch.owners) await warnOfOwners(api, terminal, app.owners)
  },
})

const switchTo = (name: string, disabled: boolean, summary: string): Action =>
  operatorAction({
    name,
    summary,
    positionals: ['client-id'],
    run: async (api, input, terminal) => {
      const path = `/apps/${pathSegment(input.argument('client-id'))}`
      printOne(terminal, input, allColumns, await api.call<AppJson>('PATCH', path, { disabled }))
    },
  })

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete an app with its secrets, installs and grants.',
  positionals: ['client-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', `/apps/${pathSegment(input.argument('client-id'))}`)
    printDone(terminal, input, 'Deleted. All its grants are revoked.')
  },
})

const secrets = operatorAction({
  name: 'secrets',
  summary: 'List the active secrets of an app, without their values.',
  positionals: ['client-id'],
  run: async (api, input, terminal) => {
    const path = `/apps/${pathSegment(input.argument('client-id'))}/secrets`
    printList(terminal, input, secretColumns, await api.list<SecretJson>(path))
  },
})

const addSecret = operatorAction({
  name: 'add-secret',
  summary: 'Create a new secret; older ones expire at once or after a while.',
  positionals: ['client-id'],
  options: {
    'retire-others-after': {
      value: 'seconds',
      help: 'time until older secrets expire (default: 0)',
    },
    'end-tokens': {
      help: 'revoke all grants and tokens of the app too, after a secret leaked',
    },
  },
  notes: ['The new secret is printed to stdout, once. At most two are active at a time.'],
  run: async (api, input, terminal) => {
    const endsTokens = input.flag('end-tokens')
    const body = {
      retire_others_after_seconds: input.number('retire-others-after') ?? 0,
      end_tokens: endsTokens,
    }
    const path = `/apps/${pathSegment(input.argument('client-id'))}/secrets`
    const secret = await api.call<CreatedSecretJson>('POST', path, body)
    printSecret(terminal, input, secret, secret.client_secret)
    note(
      terminal,
      endsTokens
        ? 'All grants and tokens of the app are revoked: users have to authorize it again.'
        : 'Tokens that the app has stay valid. If a secret leaked, revoke them too: --end-tokens',
    )
  },
})

const deleteSecret = operatorAction({
  name: 'delete-secret',
  summary: 'Delete a secret; it is invalid at once.',
  positionals: ['client-id', 'secret-id'],
  run: async (api, input, terminal) => {
    const [app, secret] = [
      pathSegment(input.argument('client-id')),
      pathSegment(input.argument('secret-id')),
    ]
    await api.call('DELETE', `/apps/${app}/secrets/${secret}`)
    printDone(terminal, input, 'Deleted.')
  },
})

export const app: Command = {
  name: 'app',
  summary: 'register, change, migrate and disable apps, and manage their secrets',
  actions: [
    create,
    list,
    show,
    update,
    switchTo('disable', true, 'Disable an app at once; all its grants are revoked for good.'),
    switchTo('enable', false, 'Enable a disabled app; users have to authorize it again.'),
    remove,
    secrets,
    addSecret,
    deleteSecret,
    ...successorActions,
    ...useActions,
    ...documentActions,
    ...changeActions,
  ],
}
