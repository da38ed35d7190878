import type { OperatorVisit } from '../gate.ts'
import { apiPathOf } from './path.ts'

/** The name of an app, where the operator may read apps; otherwise its id. */
export const appName = async ({ api, may }: OperatorVisit, clientId: string): Promise<string> => {
  const app = may('apps:read') ? await api.find<{ name: string }>(apiPathOf(clientId)) : null
  return app?.item.name ?? clientId
}
