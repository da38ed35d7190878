import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import { home } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'

export const appPath = `${home}/apps/:client_id`

export const appUrl = (clientId: string) => `${home}/apps/${encodeURIComponent(clientId)}`

export const apiPathOf = (clientId: string) => `/apps/${encodeURIComponent(clientId)}`

/** The app in the page's path. @throws NotFound */
export const readApp = async ({ api, parameter }: OperatorVisit) => {
  const read = await api.readVersion<AppJson>(`/apps/${parameter('client_id')}`)
  return { ...read, url: appUrl(read.item.client_id), subject: read.item.name }
}

/** The name of an app, where the operator may read apps; otherwise its id. */
export const appName = async ({ api, may }: OperatorVisit, clientId: string): Promise<string> => {
  const app = may('apps:read') ? await api.find<AppJson>(apiPathOf(clientId)) : null
  return app?.item.name ?? clientId
}
