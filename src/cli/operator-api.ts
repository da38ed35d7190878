import type { PageJson } from '../http/operator/paging.ts'
import type { ProblemJson } from '../http/operator/schemas.ts'

/** The server refused the call or did not find the resource (RFC 9457). */
export class ApiRefusal extends Error {
  readonly status: number
  /** Faults with their fields, one line each. */
  readonly faults: readonly string[]
  readonly requestId: string | null

  constructor(status: number, detail: string, faults: readonly string[], requestId: string | null) {
    super(detail)
    this.name = 'ApiRefusal'
    this.status = status
    this.faults = faults
    this.requestId = requestId
  }
}

/** No server answers at the address. */
export class ServerUnreachable extends Error {
  readonly url: string

  constructor(url: string, cause: unknown) {
    super(`no server answers at ${url} (${causeOf(cause)})`, { cause })
    this.name = 'ServerUnreachable'
    this.url = url
  }
}

export interface OperatorApi {
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>
  /** Reads all items of a list page by page, at most `limit`. */
  list<Item>(
    path: string,
    query?: Record<string, string | undefined>,
    limit?: number,
  ): Promise<Item[]>
}

const prefix = '/api/admin/v1'
const largestPage = 200
const timeout = 30_000

/** The reason of a failed fetch: the code of the innermost cause, such as ECONNREFUSED. */
const causeOf = (error: unknown): string => {
  let inner: unknown = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  if (inner instanceof AggregateError) [inner] = inner.errors
  const { code, message } = inner as { code?: string; message?: string }
  return code ?? message ?? 'no answer'
}

/**
 * `fetch` that reports an unreachable server as its own error. It does not follow redirects, which could send secrets
 * to an unchecked address.
 * @throws ServerUnreachable
 */
export const fetchServer = async (url: string, init: RequestInit = {}): Promise<Response> => {
  try {
    return await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
  } catch (error) {
    throw new ServerUnreachable(new URL(url).origin, error)
  }
}

const faultsOf = ({ errors = [], permission }: ProblemJson) => [
  ...errors.map(({ pointer, detail }) => `${pointer.replace(/^\//, '')} ${detail}`),
  ...(permission === undefined ? [] : [`the call needs the permission ${permission}`]),
]

export const refusalOf = (status: number, problem: ProblemJson) =>
  new ApiRefusal(
    status,
    problem.detail ?? problem.title ?? `the server answered ${status}`,
    faultsOf(problem),
    problem.request_id ?? null,
  )

/** A client of the Operator API. @throws ApiRefusal, ServerUnreachable */
export const createOperatorApi = (options: { url: string; token: string }): OperatorApi => {
  const { url, token } = options

  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetchServer(`${url}${prefix}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 204) return undefined as Answer
    if (!/^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? ''))
      throw new ApiRefusal(response.status, `the server at ${url} is not Latchkey`, [], null)
    const json = JSON.parse(text)
    if (!response.ok) throw refusalOf(response.status, json)
    return json as Answer
  }

  const list: OperatorApi['list'] = async <Item>(
    path: string,
    query: Record<string, string | undefined> = {},
    limit = Number.POSITIVE_INFINITY,
  ) => {
    const items: Item[] = []
    let cursor: string | null = null
    do {
      const size = Math.min(largestPage, limit - items.length)
      const pairs = Object.entries({ ...query, limit: String(size), cursor: cursor ?? undefined })
      const given = pairs.filter((pair): pair is [string, string] => pair[1] !== undefined)
      const page: PageJson<Item> = await call('GET', `${path}?${new URLSearchParams(given)}`)
      items.push(...page.items)
      cursor = page.next
    } while (cursor !== null && items.length < limit)
    return items
  }

  return { call, list }
}

/** Encodes an id for a path. */
export const pathSegment = (id: string) => encodeURIComponent(id)
