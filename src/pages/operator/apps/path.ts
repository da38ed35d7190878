import { home } from '../console-page.ts'

/** The address of the page of an app. */
export const appUrl = (clientId: string) => `${home}/apps/${encodeURIComponent(clientId)}`

/** Its path in the Operator API. */
export const apiPathOf = (clientId: string) => `/apps/${encodeURIComponent(clientId)}`
