import { stopPage, stopPath } from '../rendering/stop-page.ts'
import { home } from './console-page.ts'
import type { Tab } from './tab.ts'

/** The page of a stop, with the right of the Operator API. Forms offer it to operators with this right only. */
export const operatorStop = ({ page, deps }: Tab) =>
  page(`${home}${stopPath}`, 'installs:read', (visit) =>
    stopPage(visit, deps, visit.rights.organizationIds),
  )
