// Addresses of the audit page and of the page of one request.
import { type Chosen, filteredUrl } from '../rendering/activity/filter.ts'
import { home, tabUrl } from './console-page.ts'

/** The audit page with a filter, for the page of what it names. */
export const activityUrl = (filter: Partial<Chosen>): string => filteredUrl(tabUrl('audit'), filter)

/** The page that finds a request by its id. */
export const requestsUrl = `${home}/requests`

/** The page that explains one request. @param requestId of an answer (`X-Request-Id`) or of an error page */
export const requestUrl = (requestId: string) => `${requestsUrl}/${encodeURIComponent(requestId)}`
