// A server that a file describes, for `--servers --server <file>`: its program, its start and its requests.
import { readFile } from 'node:fs/promises'
import type { Operation } from './protocol.ts'

/** What a table of servers says of each. */
export interface About {
  version: string
  /** What it runs on, such as "Node v24.1.0" or "Go". */
  runtime: string
  /** Where it keeps its data. */
  store: string
  /** The signature of its access tokens, or that they are opaque. */
  algorithm: string
}

/** A request. `{name}` in its texts stands for a variable. */
export interface DescribedRequest {
  /** Its port: absent, that of the server. */
  at?: 'adminPort'
  method?: string
  path: string
  headers?: Record<string, string>
  form?: Record<string, string>
  json?: unknown
  /** Sent once for each app or user. */
  each?: 'app' | 'user'
}

/**
 * Texts may contain the variables `{port}`, `{adminPort}`, `{peerPort}`, `{apiPort}` (free ports), `{folder}` (an empty folder),
 * `{secret}` (64 characters), `{databaseUrl}`, `{postgresPort}` (on 127.0.0.1), `{postgresUser}`, `{database}`, and in the requests
 * `{app}` and `{user}` (numbers), `{basic}` (the client `app-<number>` and the secret in Base64), `{access_token}` and `{refresh_token}`. In a list, `{ "each": "app", "item": … }` stands for an
 * item of each app.
 */
export interface ServerDescription {
  name: string
  /** The environment variable with the path of its program. */
  program: string
  /** Its version is the first group of the pattern in the output of a command, in which `{program}` is the program. */
  about: Omit<About, 'version'> & { version: { command: string[]; pattern: string } }
  apps: number
  users: number
  /** Files of its folder by their names; what is not a text is written as JSON. */
  files?: Record<string, unknown>
  /** Arguments of the program, run to the end before the start. */
  before?: string[][]
  start: {
    args: string[]
    env?: Record<string, string>
    ready: Pick<DescribedRequest, 'at' | 'path'>
  }
  /** Sent once the server is ready. */
  setup?: DescribedRequest[]
  requests: Partial<
    Record<Exclude<Operation, 'authorization_code' | 'authorize'>, DescribedRequest>
  > & {
    /** Gives a user's first access token and refresh token. */
    tokens?: DescribedRequest
  }
}

export type Variables = Record<string, string | number>

const isItems = (value: unknown): value is { each: 'app' | 'user'; item: unknown } =>
  typeof value === 'object' && value !== null && 'each' in value && 'item' in value

/** Replaces the variables in all texts. A text that is one variable becomes a number if that is one. What is not a variable stays as it is. @param counts of apps and of users */
export const fill = <Value>(
  value: Value,
  variables: Variables,
  counts: Record<'app' | 'user', number>,
): Value => {
  const filled = (one: unknown, known: Variables): unknown => {
    if (typeof one === 'string') {
      const [, whole] = /^\{(\w+)\}$/.exec(one) ?? []
      if (whole && known[whole] !== undefined) return known[whole]
      return one.replaceAll(/\{(\w+)\}/g, (text, name) => String(known[name] ?? text))
    }
    if (Array.isArray(one))
      return one.flatMap((item) => {
        if (!isItems(item)) return [filled(item, known)]
        return Array.from({ length: counts[item.each] }, (_, at) =>
          filled(item.item, { ...known, [item.each]: at }),
        )
      })
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(
      Object.entries(one).map(([name, item]) => [name, filled(item, known)]),
    )
  }
  return filled(value, variables) as Value
}

const needed = ['name', 'program', 'about', 'apps', 'users', 'start', 'requests'] as const

/** @throws Error that names what the file lacks */
export const readDescription = async (path: string): Promise<ServerDescription> => {
  const description = JSON.parse(await readFile(path, 'utf8')) as ServerDescription
  const missing = needed.filter((name) => description[name] === undefined)
  if (missing.length > 0) throw new Error(`${path} lacks ${missing.join(', ')}`)
  const { requests } = description
  if ((requests.refresh || requests.introspection) && !requests.tokens)
    throw new Error(`${path}: requests.refresh and requests.introspection need requests.tokens`)
  return description
}
