import type { AppJson, CreatedAppJson } from '../../http/operator/apps/schemas.ts'
import type { CreatedSecretJson, SecretJson } from '../../http/operator/apps/secrets.ts'
import { apiAction, type Print } from '../api-action.ts'
import type { Command } from '../command.ts'
import { columnsOf, noteSecret, printOne, printSecret } from '../output.ts'
import { resource } from '../resource.ts'
import { flag, generation, required, retireOthers } from '../setting.ts'
import { note } from '../terminal.ts'
import { changeActions } from './app-changes.ts'
import { documentActions } from './app-documents.ts'
import { allColumns, createdColumns, settings, shortColumns } from './app-fields.ts'
import { successorActions } from './app-successor.ts'
import { useActions } from './reports.ts'
import { warnOfOwners } from './signed-in.ts'

const secretColumns = columnsOf<SecretJson>('id', 'hint', 'created_at', 'last_used_at', [
  'expires_at',
  'ends',
])

const { create, list, switches, remove } = resource('/apps/{client-id}', allColumns, shortColumns)
const secrets = resource('/apps/{client-id}/secrets/{secret-id}', secretColumns)

/** Prints the app, and warns of owners who have never signed in. */
const printWithOwners: Print<CreatedAppJson> = async (app, { api, input, terminal }) => {
  printOne(terminal, input, createdColumns(app), app)
  await warnOfOwners(api, terminal, app.owners)
  if (app.client_secret) noteSecret(terminal)
}

export const app: Command = {
  name: 'app',
  summary: 'register, change, migrate and disable apps, and manage their secrets',
  actions: [
    create('Register an app.', {
      body: { interface: 'current', client_type: 'confidential', permissions: [] },
      settings: {
        ...settings,
        name: required(settings.name),
        redirect_uris: required(settings.redirect_uris),
        interface: generation('the API generation of the app (default: current)'),
      },
      notes: [
        'The secret of a confidential app is printed to stdout, once.',
        '',
        'Example: latchkey app create --name "Report Builder" --type confidential \\',
        '           --redirect-uri https://reports.example.com/callback --permissions records:create',
      ],
      print: printWithOwners,
    }),
    list('List the registered apps.'),
    apiAction('show', 'GET /apps/{client-id}', {
      summary: 'Show an app.',
      print: printWithOwners,
    }),
    apiAction<AppJson>('update', 'PATCH /apps/{client-id}', {
      summary: 'Change an app. Removing permissions narrows its next tokens.',
      settings,
      needsSetting: true,
      print: async (app, { api, input, terminal }) => {
        printOne(terminal, input, allColumns, app)
        if (input.values('owner')) await warnOfOwners(api, terminal, app.owners)
      },
    }),
    ...switches('disabled', {
      disable: 'Disable an app at once; all its grants are revoked for good.',
      enable: 'Enable a disabled app; users have to authorize it again.',
    }),
    remove(
      'Delete an app with its secrets, installs and grants.',
      'delete',
      'Deleted. All its grants are revoked.',
    ),
    secrets.list('List the active secrets of an app, without their values.', 'secrets', {}),
    apiAction<CreatedSecretJson>('add-secret', 'POST /apps/{client-id}/secrets', {
      summary: 'Create a new secret; older ones expire at once or after a while.',
      body: { end_tokens: false },
      settings: {
        ...retireOthers,
        end_tokens: flag(
          'end-tokens',
          'revoke all grants and tokens of the app too, after a secret leaked',
        ),
      },
      notes: ['The new secret is printed to stdout, once. At most two are active at a time.'],
      print: (secret, { input, terminal }) => {
        printSecret(terminal, input, secret, secret.client_secret)
        note(
          terminal,
          input.flag('end-tokens')
            ? 'All grants and tokens of the app are revoked: users have to authorize it again.'
            : 'Tokens that the app has stay valid. If a secret leaked, revoke them too: --end-tokens',
        )
      },
    }),
    secrets.remove('Delete a secret; it is invalid at once.', 'delete-secret'),
    ...successorActions,
    ...useActions,
    ...documentActions,
    ...changeActions,
  ],
}
