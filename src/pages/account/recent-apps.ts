import type { Connections } from '../../core/grants/connections.ts'
import type { Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { cardOf } from '../rendering/app-card.ts'
import { momentOf } from '../rendering/render.ts'
import type { RecentApp } from '../rendering/view-models/frame.ts'

const most = 3

/** Some of the user's connected apps, for the first page. */
export const recentApps = async (
  text: Text,
  connections: Pick<Connections, 'list'>,
  { user }: Session,
): Promise<RecentApp[]> => {
  const { items } = await connections.list(user.id, { limit: most, after: null })
  return items.map(({ app, organizationId, organizationName, lastUsed }) => ({
    app: cardOf(app, app.redirectUris[0] as string),
    organization: { id: organizationId, name: organizationName },
    lastUsed: lastUsed && momentOf(text, lastUsed),
  }))
}
