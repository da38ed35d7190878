// The choice of an app to install, and what an app may do in an organization, and where: a new install, or another choice
// for one that exists.
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import { copied, linked, plain } from '../../rendering/forms/blocks.ts'
import { allApps, appState } from '../apps/apps.ts'
import { permissionsField } from '../fields.ts'
import type { OperatorPagesDependencies } from '../gate.ts'
import { listTable } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { organizationPath, readOrganization } from './path.ts'
import { chosenWorkspaces, workspacesField } from './workspace-choice.ts'

const path = `${organizationPath}/install`

export const operatorInstallForm = ({ page, form }: Tab, deps: OperatorPagesDependencies) => {
  page(path, 'installs:write', async (visit) => {
    const { columns, interfaces, organizations, daily } = visit.text.operator
    const { item: organization, url } = await readOrganization(visit)
    const appUrl = (id: string) => `${url}/install/${encodeURIComponent(id)}`
    return {
      heading: daily.chooseApp.heading,
      subject: organization.name,
      blocks: [
        await listTable<AppJson>(visit, {
          ...allApps(visit),
          url: `${url}/install`,
          columns: [
            [columns.app, (app) => linked(app.name, appUrl(app.client_id)), 'name'],
            [columns.id, (app) => copied(app.client_id)],
            [columns.interface, (app) => plain(interfaces[app.interface])],
            [columns.state, (app) => appState(visit, app)],
          ],
        }),
      ],
      back: { label: organizations.back, href: url },
    }
  })

  form(`${path}/:client_id`, 'installs:write', async (visit) => {
    const { api, parameter } = visit
    const { forms, daily } = visit.text.operator
    const { item: organization, at: place, url } = await readOrganization(visit)
    const clientId = parameter('client_id')
    const app = await api.read<AppJson>(`/apps/${clientId}`)
    const at = `${place}/installs/${clientId}`
    const present = await api.find<InstallJson>(at)
    const workspaces = present?.item.workspace_ids ?? null
    const hasWorkspaces = app.interface === 'current'
    const offered = [...app.permissions, ...(present?.item.permissions ?? [])]
    const ticked = present?.item.permissions ?? app.permissions
    return {
      subject: app.name,
      isFirstStep: true,
      ...(present ? daily.changeInstall : forms.install),
      fields: [
        permissionsField(visit, deps, app.interface, offered, ticked),
        ...(hasWorkspaces ? [await workspacesField(visit, organization.id, workspaces)] : []),
      ],
      cancelUrl: present ? `${url}/installs/${clientId}` : url,
      etag: present?.etag,
      call: (typed) => {
        const chosen = hasWorkspaces ? chosenWorkspaces(visit, typed, workspaces) : { ids: null }
        if ('refusal' in chosen) return chosen
        const body = { ...typed, workspace_ids: chosen.ids }
        return { method: present ? 'PATCH' : 'PUT', path: at, body }
      },
      next: url,
    }
  })
}
