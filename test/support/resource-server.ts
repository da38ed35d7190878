import { createHmac, randomBytes } from 'node:crypto'
import type { Json, Running } from './latchkey.ts'

export interface ResourceServer {
  clientId: string
  clientSecret: string
  authorization: string
}

/** Registers a data API. */
export const registerResourceServer = async (
  running: Pick<Running, 'operator'>,
  part: Record<string, unknown> = {},
): Promise<ResourceServer> => {
  const { status, body } = await running.operator('POST', '/resource-servers', {
    name: 'Data API',
    ...part,
  })
  if (status !== 201) throw new Error(`resource server: ${status}`)
  const { client_id: clientId, client_secret: clientSecret } = body
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return { clientId, clientSecret, authorization: `Basic ${basic}` }
}

export const introspectAt = async (
  url: string,
  { authorization }: { authorization: string },
  token: string,
): Promise<{ status: number; body: Json }> => {
  const response = await fetch(`${url}/api/oauth/introspect`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ token }),
  })
  return { status: response.status, body: await response.json() }
}

export interface FeedPage {
  cursor: string
  reset: boolean
  more: boolean
  changes: Json[]
}

export const readFeed = async (
  url: string,
  { authorization }: { authorization: string },
  cursor: string | null = null,
  wait = 0,
): Promise<FeedPage> => {
  const query = new URLSearchParams({ wait: String(wait), ...(cursor !== null && { cursor }) })
  const response = await fetch(`${url}/api/oauth/revocations?${query}`, {
    headers: { authorization },
  })
  if (response.status !== 200) throw new Error(`feed: ${response.status}`)
  return (await response.json()) as FeedPage
}

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/**
 * A token as the owner of a current key set signs it; header and claims may be anything, even text.
 */
export const selfSign = (
  secret: string | Buffer,
  claims: unknown,
  header: unknown = { alg: 'HS256', typ: 'JWT' },
) => {
  const input = `${part(header)}.${part(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

export const createKeySet = async (
  running: Pick<Running, 'operator'>,
  organizationId: string,
  part: Record<string, unknown> = {},
): Promise<{ id: string; client_id: string; secret: string }> => {
  const { status, body } = await running.operator(
    'POST',
    `/organizations/${organizationId}/key-sets`,
    {
      name: `Nightly ${randomBytes(3).toString('hex')}`,
      interface: 'current',
      permissions: ['records:create', 'records:delete'],
      ...part,
    },
  )
  if (status !== 201) throw new Error(`key set: ${status} ${JSON.stringify(body)}`)
  return body
}
