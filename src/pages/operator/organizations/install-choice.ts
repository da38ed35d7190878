import type { FastifyInstance } from 'fastify'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import { code, linked, listLinks, plain, table } from '../../rendering/forms/blocks.ts'
import { readPart } from '../../rendering/long-list.ts'
import { appState, findAppForm } from '../apps/apps.ts'
import { showConsole } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies } from '../gate.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

const itemsOfPage = '25'

/** The list of apps, from which the operator chooses one to install in an organization. */
export const operatorInstallChoice = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  scope.get(
    `${organizationPath}/install`,
    createOperatorGate(deps)({ permission: 'installs:write' }, async (visit) => {
      const { columns, apps, interfaces, organizations, daily } = visit.text.operator
      const { item: organization } = await readOrganization(visit)
      const path = `${organizationUrl(organization.id)}/install`
      const part = readPart(visit.request)
      const { items, next } = await visit.api.list<AppJson>('/apps', {
        limit: itemsOfPage,
        cursor: part.after,
        name: part.name || null,
      })
      return showConsole(deps.renderer, visit, {
        tab: 'organizations',
        heading: daily.chooseApp.heading,
        subject: organization.name,
        blocks: [
          findAppForm(visit, path, part.name),
          table({
            columns: [columns.app, columns.id, columns.interface, columns.state],
            rows: items.map((app) => [
              linked(app.name, `${path}/${encodeURIComponent(app.client_id)}`),
              code(app.client_id),
              plain(interfaces[app.interface]),
              appState(visit, app),
            ]),
            empty: part.name ? apps.notFound : apps.empty,
            list: listLinks(path, part, next),
          }),
        ],
        back: { label: organizations.back, href: organizationUrl(organization.id) },
      })
    }),
  )
