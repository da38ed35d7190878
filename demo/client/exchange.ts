import { STATUS_CODES } from 'node:http'

/** A parameter and its purpose. */
export interface Field {
  name: string
  value: string
  note?: string
}

/** A request before it is sent. */
export interface PlannedRequest {
  label: string
  url: string
  form: Field[]
  /** An operation for the data API, sent instead of the form. */
  operation?: Operation
}

/** A GraphQL operation with its token. */
export interface Operation {
  query: string
  variables: Record<string, unknown>
  /** The token in the header; null when it is a variable. */
  bearer: string | null
}

/** A sent request and its answer. */
export interface Exchange extends PlannedRequest {
  status: number
  statusWords: string
  answerHeaders: [name: string, value: string][]
  /** The body as received. */
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

/** The headers of a request. */
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

/** Sends the request as any app would and returns it with its answer. */
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

/** Shortens very long texts to their beginning and end. */
export const shorten = (text: string): string =>
  text.length > longest * 2
    ? `${text.slice(0, longest / 2)} … ${text.length} characters … ${text.slice(-8)}`
    : text

/** Formatted JSON with shortened long values. */
export const prettyShort = (json: Record<string, unknown>): string =>
  JSON.stringify(json, (_, value) => (typeof value === 'string' ? shorten(value) : value), 2)

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a curl command. */
export const asCurl = (request: PlannedRequest): string => {
  const { url, form, operation } = request
  const headers = headersOf(request).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`)
  const parts = operation
    ? [...headers, `  --data-raw ${quote(bodyOf(request))}`]
    : form.map(({ name, value }) => `  --data-urlencode ${quote(`${name}=${value}`)}`)
  return [`curl ${quote(url)}`, ...parts].join(' \\\n')
}
