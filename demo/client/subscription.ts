import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import type { Operation } from './exchange.ts'

/** A subscription of the app, as its page shows it. */
export interface Subscription extends Pick<Operation, 'query' | 'variables'> {
  state: 'opening' | 'open' | 'ended'
  /** The time of the last change of the state. */
  since: Date
  /** The error that ended it. */
  error: unknown
  close(): void
}

/** Opens a subscription at the data API over a websocket of its own. */
export const subscribe = (
  dataApi: string,
  { query, variables }: Pick<Operation, 'query' | 'variables'>,
): Subscription => {
  const become = (state: Subscription['state'], error: unknown = null) => {
    if (subscription.state !== 'ended')
      Object.assign(subscription, { state, error, since: new Date() })
  }
  const client = createClient({
    url: dataApi.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    on: { connected: () => become('open') },
  })
  const subscription: Subscription = {
    query,
    variables,
    state: 'opening',
    since: new Date(),
    error: null,
    close: () => void client.dispose(),
  }
  client.subscribe(
    { query, variables },
    {
      next: () => undefined,
      error: (error) => become('ended', error instanceof Error ? error.message : error),
      complete: () => become('ended'),
    },
  )
  return subscription
}
