// What leads an operator from an empty server to the first token. Each step ticks itself.
import type { FirstSteps } from '../../core/audit/console-overview.ts'
import type { Block } from '../rendering/view-models/blocks.ts'
import { tabUrl } from './console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './gate.ts'
import { organizationUrl } from './organizations/path.ts'

/** The first request for a token, with the client id and the organization that the server has. */
const commandOf = (origin: string, { clientId, organizationId }: FirstSteps) =>
  `curl ${origin}/api/oauth/token -d grant_type=client_credentials` +
  ` -d client_id=${clientId} -d client_secret=… -d organization_id=${organizationId}`

/** True while a form of the console leads back to the first steps. */
export const isLed = async ({ consoleOverview }: OperatorPagesDependencies) => {
  const { clientId, organizationId, person, install } = await consoleOverview.steps()
  return !(clientId && organizationId && person && install)
}

/** The steps; none when all are done, and for an operator who may not take them. */
export const stepsBlocks = async (
  { text, may }: OperatorVisit,
  { consoleOverview, origin }: OperatorPagesDependencies,
): Promise<Block[]> => {
  const steps = await consoleOverview.steps()
  const { clientId, organizationId, person, install, token } = steps
  const isAllowed = may('apps:write') && may('organizations:write') && may('installs:write')
  if (!isAllowed || (clientId && organizationId && person && install && token)) return []
  const said = text.operator.overview.steps
  const inOrganization = (path: string) =>
    organizationId && `${organizationUrl(organizationId)}/${path}`
  const step = (label: string, isDone: unknown, href: string | null) => ({
    ...{ label, href, isDone: Boolean(isDone), command: null },
  })
  return [
    {
      ...{ kind: 'steps', heading: said.heading, lead: said.lead },
      steps: [
        step(said.app, clientId, `${tabUrl('apps')}/new`),
        step(said.organization, organizationId, `${tabUrl('organizations')}/new`),
        step(said.person, person, inOrganization('members/new')),
        step(
          said.install,
          install,
          clientId && inOrganization(`install/${encodeURIComponent(clientId)}`),
        ),
        {
          ...step(said.token, token, null),
          command: clientId && organizationId && install ? commandOf(origin, steps) : null,
        },
      ],
    },
  ]
}
