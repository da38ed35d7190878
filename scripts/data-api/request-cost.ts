import { fork } from 'node:child_process'
import { once } from 'node:events'
import { authorize, createVerifier } from '@latchkey-auth/verify'
import { freePort } from '../../bench/free-port.ts'
import { audience, newToken, startIssuer } from '../../bench/verification.ts'
import type { Table } from '../../examples/data-api/data/table.ts'
import { place } from './many-rows.ts'

const requests = 400
const verifications = 20_000

const page = `query ($table: ID!) {
  recordsConnection(tableId: $table) { edges { node { id fields { fieldId value stringValue } } } }
}`

type Usage = Pick<NodeJS.CpuUsage, 'user' | 'system'>

const microsOf = ({ user, system }: Usage) => user + system

/** CPU µs per verification of `inputs`, as the guard of the data API does it. */
const verificationMicros = async (issuer: string, inputs: readonly string[]) => {
  const resourceServer = { clientId: 'rsv', clientSecret: 'secret' }
  const verifier = createVerifier({ issuer, audience, resourceServer })
  const check = (token: string) =>
    authorize(verifier, token, {
      interface: 'current',
      permissions: [],
      organization: place.organizationId,
      workspace: place.workspaceId,
    })
  // Fetches the keys and the revocations.
  await check(newToken(issuer))
  const before = process.cpuUsage()
  for (const token of inputs) await check(token)
  const micros = microsOf(process.cpuUsage(before)) / inputs.length
  await verifier.close()
  return micros
}

/** Starts a data API. @returns CPU µs of its process per request, with a token that it knows */
const startApi = async (databaseUrl: string, issuer: string) => {
  const port = await freePort()
  const file = new URL('api-process.ts', import.meta.url)
  const child = fork(file, [String(port), databaseUrl, issuer, audience])
  await once(child, 'message')
  const usage = async (): Promise<Usage> => {
    child.send('usage')
    const [message] = await once(child, 'message')
    return message as Usage
  }
  const token = newToken(issuer)
  const ask = async (query: string, variables: Record<string, string>) => {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    })
    const answer = await response.text()
    if (!response.ok || answer.includes('"errors"')) throw new Error(answer.slice(0, 500))
  }
  const requestMicros = async (query: string, variables: Record<string, string> = {}) => {
    for (let warm = 0; warm < requests; warm++) await ask(query, variables)
    const before = microsOf(await usage())
    for (let at = 0; at < requests; at++) await ask(query, variables)
    return (microsOf(await usage()) - before) / requests
  }
  return { requestMicros, close: () => child.disconnect() }
}

/** Prints what verification costs, as a share of the CPU time of the data API for a request. */
export const measureRequests = async (databaseUrl: string, table: Table): Promise<void> => {
  const { server, port } = await startIssuer()
  const issuer = `http://127.0.0.1:${port}`
  const api = await startApi(databaseUrl, issuer)
  const known = Buffer.from(newToken(issuer))
  const tokens = {
    // A header is a new string in each request.
    'seen before': Array.from({ length: verifications }, () => known.toString('latin1')),
    'first seen': Array.from({ length: verifications / 10 }, () => newToken(issuer)),
  }
  const costs = {
    'smallest request': await api.requestMicros('{ workspaces { id } }'),
    'page of 100': await api.requestMicros(page, { table: `${place.workspaceId}|${table.id}` }),
  }
  console.log('\nVerification of a token, in CPU time of the data API:')
  for (const [token, inputs] of Object.entries(tokens)) {
    const micros = await verificationMicros(issuer, inputs)
    for (const [request, whole] of Object.entries(costs)) {
      const share = ((100 * micros) / whole).toFixed(2)
      console.log(
        `${token}: ${micros.toFixed(1)} µs of ${whole.toFixed(0)} µs, ${request}: ${share} %`,
      )
    }
  }
  api.close()
  server.close()
  server.closeAllConnections()
}
