import type { ServerResponse } from 'node:http'
import { newRequestId } from './request-id.ts'

const body = JSON.stringify({
  error: 'temporarily_unavailable',
  error_description: 'the server is too busy; try again',
})

const reportEvery = 1000 // ms
/** Networks that are counted by name in a report. */
const mostNamed = 1000

/**
 * Answers requests that are not admitted. Under an overload this is most of what the server does, and what it costs is
 * taken from the others: so it happens before the router, and the log has one line each second.
 * @param headers of each answer
 * @param report called with the number of refused requests and the network that sent most of them
 */
export const createRefusals = (
  headers: Readonly<Record<string, string>>,
  report: (counts: { refused: number; network: string; ofNetwork: number }) => void,
) => {
  const all = {
    ...headers,
    'retry-after': '1',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  const byNetwork = new Map<string, number>()
  let refused = 0

  const reportNow = () => {
    const none: [string, number] = ['', 0]
    const [network, ofNetwork] = [...byNetwork].reduce((a, b) => (b[1] > a[1] ? b : a), none)
    report({ refused, network, ofNetwork })
    byNetwork.clear()
    refused = 0
  }

  return (response: ServerResponse, network: string): void => {
    response.writeHead(503, { ...all, 'x-request-id': newRequestId() })
    response.end(response.req.method === 'HEAD' ? undefined : body)
    if (refused++ === 0) setTimeout(reportNow, reportEvery).unref()
    const before = byNetwork.get(network)
    if (before !== undefined || byNetwork.size < mostNamed)
      byNetwork.set(network, (before ?? 0) + 1)
  }
}
