import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { stopPage, stopPath } from '../rendering/stop-page.ts'
import { home } from './console-page.ts'
import type { Tab } from './tab.ts'

/** As for the receipt in the Operator API. */
export const stopPermission: OperatorPermission = 'installs:read'

export const operatorStop = ({ page, deps }: Tab) =>
  page(`${home}${stopPath}`, stopPermission, (visit) =>
    stopPage(visit, deps, visit.rights.organizationIds),
  )
