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

/** What the demo client sends with every form. */
export const requestHeaders: [string, string][] = [
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Accept', 'application/json'],
]

const parse = (body: string): Record<string, unknown> => {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** Sends the form as any app would and keeps what came back. */
export const send = async (planned: PlannedRequest): Promise<Exchange> => {
  const response = await fetch(planned.url, {
    method: 'POST',
    headers: requestHeaders,
    body: new URLSearchParams(
      planned.form.map(({ name, value }): [string, string] => [name, value]),
    ),
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

/** Pretty JSON in which very long values keep their beginning and their end only. */
export const prettyShort = (json: Record<string, unknown>): string =>
  JSON.stringify(
    json,
    (_, value) =>
      typeof value === 'string' && value.length > longest * 2
        ? `${value.slice(0, longest / 2)} … ${value.length} characters … ${value.slice(-8)}`
        : value,
    2,
  )

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The same request for a shell. */
export const asCurl = ({ url, form }: PlannedRequest): string =>
  [
    `curl ${quote(url)}`,
    ...form.map(({ name, value }) => `  --data-urlencode ${quote(`${name}=${value}`)}`),
  ].join(' \\\n')
