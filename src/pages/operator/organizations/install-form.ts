// What an app may do in an organization, and where: a new install, or another choice for one that exists.
import type { FastifyInstance } from 'fastify'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import { permissionsField } from '../apps/permissions-field.ts'
import { doneAt, formPage } from '../console-form.ts'
import type { OperatorPagesDependencies } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'
import { chosenWorkspaces, workspacesField } from './workspace-choice.ts'

export const operatorInstallForm = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(
    scope,
    deps,
    `${organizationPath}/install/:client_id`,
    'installs:write',
    async (visit) => {
      const { forms, daily } = visit.text.operator
      const { id } = (await readOrganization(visit)).item
      const clientId = parameter(visit.request, 'client_id')
      const app = await visit.api.read<AppJson>(`/apps/${clientId}`)
      const at = `/organizations/${id}/installs/${clientId}`
      const present = await visit.api.find<InstallJson>(at)
      const workspaces = present?.item.workspace_ids ?? null
      const hasWorkspaces = app.interface === 'current'
      return {
        tab: 'organizations',
        subject: app.name,
        ...(present ? daily.changeInstall : forms.install),
        fields: [
          permissionsField(
            visit,
            deps,
            app.interface,
            [...app.permissions, ...(present?.item.permissions ?? [])],
            present?.item.permissions ?? app.permissions,
          ),
          ...(hasWorkspaces ? [await workspacesField(visit, id, workspaces)] : []),
        ],
        cancelUrl: present ? `${organizationUrl(id)}/installs/${clientId}` : organizationUrl(id),
        ...(present && { etag: present.etag }),
        call: (typed) => {
          const chosen = hasWorkspaces ? chosenWorkspaces(visit, typed, workspaces) : { ids: null }
          if ('refusal' in chosen) return chosen
          const body = { ...typed, workspace_ids: chosen.ids }
          return { method: present ? 'PATCH' : 'PUT', path: at, body }
        },
        done: doneAt(visit, organizationUrl(id), 'saved'),
      }
    },
  )
