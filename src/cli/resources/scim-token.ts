import type {
  CreatedScimTokenJson,
  ScimTokenJson,
} from '../../http/operator/organizations/scim-tokens.ts'
import { secretIn } from '../api-action.ts'
import type { Command } from '../command.ts'
import { columnsOf } from '../output.ts'
import { resource } from '../resource.ts'
import { choice, required, text } from '../setting.ts'

const columns = columnsOf<ScimTokenJson>(
  'id',
  'name',
  'groups',
  'hint',
  'created_at',
  'last_used_at',
)

const { create, list, remove } = resource(
  '/organizations/{organization-id}/scim-tokens/{id}',
  columns,
)

export const scimToken: Command = {
  name: 'scim-token',
  summary: 'tokens of identity providers that manage users (SCIM)',
  actions: [
    create("Create a token for an organization's identity provider (SCIM).", {
      settings: {
        name: required(text('name <text>', 'the identity provider')),
        groups: choice(
          'groups',
          ['workspaces', 'roles', 'groups'],
          'what its groups are (default: workspaces)',
        ),
      },
      notes: [
        'The token is printed to stdout, once. The provider also needs the address /scim/v2.',
      ],
      print: secretIn<CreatedScimTokenJson>(({ token }) => token),
    }),
    list('List the SCIM tokens of an organization.'),
    remove('Delete a SCIM token; it is invalid at once. Users stay as they are.'),
  ],
}
