import { STATUS_CODES } from 'node:http'

/** One parameter, and what it is for. */
export interface Field {
  name: string
  value: string
  note?: string
}

/** A request as it will be sent. */
export interface PlannedRequest {
  label: string
  url: string
  form: Field[]
  /** Sent instead of the form: an operation for the data API. */
  operation?: Operation
}

/** GraphQL, and the token where the interface has it. */
export interface Operation {
  query: string
  variables: Record<string, unknown>
  /** In the header; null when it is among the variables. */
  bearer: string | null
}

/** A request as it was sent, and its answer. */
export interface Exchange extends PlannedRequest {
  status: number
  statusWords: string
  answerHeaders: [name: string, value: string][]
  /** Exactly as it came. */
  body: string
  json: Record<string, unknown>
}

const telling = [
  'content-type',
  'cache-control',
  'retry-after',
  'www-authenticate',
  'x-request-id',
] as const

const longest = 72

const accept: [string, string] = ['Accept', 'application/json']

/** What is sent with a request. */
export const headersOf = ({ operation }: PlannedRequest): [string, string][] => {
  if (!operation) return [['Content-Type', 'application/x-www-form-urlencoded'], accept]
  const { bearer } = operation
  return [
    ['Content-Type', 'application/json'],
    accept,
    ...(bearer === null ? [] : [['Authorization', `Bearer ${bearer}`] as [string, string]]),
  ]
}

const bodyOf = ({ operation, form }: PlannedRequest): string => {
  if (operation) return JSON.stringify({ query: operation.query, variables: operation.variables })
  const pairs = form.map(({ name, value }): [string, string] => [name, value])
  return new URLSearchParams(pairs).toString()
}

const parse = (body: string): Record<string, unknown> => {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** Sends the request as any app would and keeps what came back. */
export const send = async (planned: PlannedRequest): Promise<Exchange> => {
  const response = await fetch(planned.url, {
    method: 'POST',
    headers: headersOf(planned),
    body: bodyOf(planned),
  })
  const body = await response.text()
  return {
    ...planned,
    status: response.status,
    statusWords: STATUS_CODES[response.status] ?? '',
    answerHeaders: telling.flatMap((name): [string, string][] => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
    body,
    json: parse(body),
  }
}

/** Very long texts keep their beginning and their end only. */
export const shorten = (text: string): string =>
  text.length > longest * 2
    ? `${text.slice(0, longest / 2)} … ${text.length} characters … ${text.slice(-8)}`
    : text

/** Pretty JSON in which very long values are shortened. */
export const prettyShort = (json: Record<string, unknown>): string =>
  JSON.stringify(json, (_, value) => (typeof value === 'string' ? shorten(value) : value), 2)

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The same request for a shell. */
export const asCurl = (request: PlannedRequest): string => {
  const { url, form, operation } = request
  const headers = headersOf(request).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`)
  const parts = operation
    ? [...headers, `  --data-raw ${quote(bodyOf(request))}`]
    : form.map(({ name, value }) => `  --data-urlencode ${quote(`${name}=${value}`)}`)
  return [`curl ${quote(url)}`, ...parts].join(' \\\n')
}
