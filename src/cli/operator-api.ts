import type { PageJson } from '../http/operator/paging.ts'
import type { ProblemJson } from '../http/operator/schemas.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

const exitCodeOf = (status: number) => {
  if (status === 404) return exitCodes.notFound
  if (status === 503) return exitCodes.unreachable
  return status >= 500 ? exitCodes.failed : exitCodes.refused
}

const tokenHint =
  'set LATCHKEY_OPERATOR_TOKEN, or create a token: latchkey operator-token create --name <name>'

/** The server refused the call or did not find the resource (RFC 9457). */
export class ApiRefusal extends CommandError {
  readonly status: number

  constructor(status: number, detail: string, hints: readonly string[] = []) {
    if (status === 401)
      super(exitCodes.refused, 'the server refused this operator token', [tokenHint, ...hints])
    else super(exitCodeOf(status), detail, hints)
    this.name = 'ApiRefusal'
    this.status = status
  }
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
 * @throws CommandError
 */
export const fetchServer = async (url: string, init: RequestInit = {}): Promise<Response> => {
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
  } catch (error) {
    const message = `no server answers at ${new URL(url).origin} (${causeOf(error)})`
    throw new CommandError(exitCodes.unreachable, message, [
      'start a server with: latchkey serve, or set LATCHKEY_URL to its address',
    ])
  }
}

const hintsOf = ({ errors = [], permission, request_id }: ProblemJson) => [
  ...errors.map(({ pointer, detail }) => `${pointer.replace(/^\//, '')} ${detail}`),
  ...(permission === undefined ? [] : [`the call needs the permission ${permission}`]),
  ...(request_id ? [`request ${request_id}`] : []),
]

export const refusalOf = (status: number, problem: ProblemJson) =>
  new ApiRefusal(
    status,
    problem.detail ?? problem.title ?? `the server answered ${status}`,
    hintsOf(problem),
  )

/** A client of the Operator API. @throws ApiRefusal, CommandError when no server answers, or a proxy hides the API */
export const createOperatorApi = (options: {
  url: string
  token: string
  /** Of each answer. */
  onHeaders?(headers: Headers): void
}) => {
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
    options.onHeaders?.(response.headers)
    const text = await response.text()
    if (response.status === 204) return undefined as Answer
    if (!/^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? ''))
      throw new CommandError(
        exitCodes.unreachable,
        `no Operator API at ${url}, which answered ${response.status}: perhaps a proxy hides it`,
        [
          'use --env-file with the settings of the server, or set LATCHKEY_URL to a tunnel that leads to it',
        ],
      )
    const json = JSON.parse(text)
    if (!response.ok) throw refusalOf(response.status, json)
    return json as Answer
  }

  /** Reads all items of a list page by page, at most `limit`. */
  const list = async <Item>(
    path: string,
    query: Record<string, string | undefined> = {},
    limit = Number.POSITIVE_INFINITY,
  ): Promise<Item[]> => {
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

export type OperatorApi = ReturnType<typeof createOperatorApi>
