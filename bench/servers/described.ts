// A server that a file describes (server-description.ts), with a database of its own in Postgres.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ForeignServer, runForeign, startForeign } from '../foreign-server.ts'
import { freePort } from '../free-port.ts'
import { inLanes } from '../making.ts'
import { postgresAddress, relayPostgres } from '../postgres-relay.ts'
import { environmentOf, form, formHeaders, type Operation, type Shot, serve } from '../protocol.ts'
import { type DescribedRequest, fill, readDescription } from '../server-description.ts'

const { databaseUrl } = environmentOf()
const description = await readDescription(process.env.BENCH_DESCRIPTION ?? '')
const program = process.env[description.program] ?? ''
const postgres = postgresAddress(databaseUrl)
const relay = await relayPostgres(postgres)
const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-server-'))
const [port, adminPort, peerPort, apiPort] = await Promise.all([1, 2, 3, 4].map(freePort))
const variables = {
  ...{ port, adminPort, peerPort, apiPort, folder, databaseUrl },
  secret: randomBytes(32).toString('hex'),
  postgresPort: relay.port,
  postgresUser: postgres.user,
  database: postgres.database,
} as Record<string, string | number>
const counts = { app: description.apps, user: description.users }
const atOnce = 8

const filled = <Value>(value: Value, more: Record<string, string | number> = {}): Value =>
  fill(value, { ...variables, ...more }, counts)

const ofApp = (app: number) => ({
  app,
  basic: Buffer.from(`app-${app}:${variables.secret}`).toString('base64'),
})
/** A user has one app. */
const ofUser = (user: number) => ({ user, ...ofApp(user % counts.app) })

const portOf = ({ at }: Pick<DescribedRequest, 'at'>) => Number(variables[at ?? 'port'])

const send = async (request: DescribedRequest) => {
  const { path, headers, json } = request
  const answer = await fetch(`http://127.0.0.1:${portOf(request)}${path}`, {
    method: request.method ?? 'POST',
    headers: {
      ...(request.form ? formHeaders : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: request.form ? form(request.form) : json === undefined ? null : JSON.stringify(json),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text
}

const sendEach = (request: DescribedRequest) =>
  inLanes(request.each ? counts[request.each] : 1, atOnce, (at) =>
    send(filled(request, request.each === 'app' ? ofApp(at) : ofUser(at))),
  )

const shotOf = (request: DescribedRequest, known: Record<string, string | number>): Shot => {
  const { path, headers, form: fields = {} } = filled(request, known)
  const shot = { path, headers: { ...formHeaders, ...headers }, body: form(fields) }
  return { ...shot, port: portOf(request) }
}

const requestOf = (name: keyof typeof description.requests): DescribedRequest => {
  const request = description.requests[name]
  if (!request) throw new Error(`the description has no requests.${name}`)
  return request
}

const tokensOf = async (user: number) =>
  JSON.parse(await send(filled(requestOf('tokens'), ofUser(user)))) as Record<string, string>

/** A chain of refreshes: the load puts the token of the last answer in the place of `{token}`. */
const refreshOf = async (user: number): Promise<Shot> => {
  const { refresh_token: token = '' } = await tokensOf(user)
  const shot = shotOf(requestOf('refresh'), { ...ofUser(user), refresh_token: '' })
  return {
    ...shot,
    body: `${shot.body?.replace(/&?refresh_token=(?=&|$)/, '')}&refresh_token={token}`,
    token,
  }
}

let server: ForeignServer

await serve({
  operations: (Object.keys(description.requests) as (Operation | 'tokens')[]).filter(
    (one) => one !== 'tokens',
  ),
  start: async () => {
    for (const [name, content] of Object.entries(description.files ?? {})) {
      const file = join(folder, name)
      await mkdir(dirname(file), { recursive: true })
      const text = filled(content)
      await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text))
    }
    const { args, env, ready } = filled(description.start)
    const settings = { PATH: process.env.PATH, HOME: folder, ...env }
    for (const before of filled(description.before ?? []))
      await runForeign(program, before, settings)
    server = await startForeign(
      program,
      args,
      settings,
      `http://127.0.0.1:${portOf(ready)}${ready.path}`,
    )
    for (const request of description.setup ?? []) await sendEach(request)
    return Number(port)
  },
  about: async () => {
    const { version, ...about } = description.about
    const [command = '', ...args] = filled(version.command, { program })
    const output = await runForeign(command, args, process.env).catch(() => '')
    return { ...about, version: new RegExp(version.pattern).exec(output)?.[1] ?? '?' }
  },
  prepare: (operation, count) => {
    const users = Math.min(count, counts.user)
    if (operation === 'client_credentials')
      return inLanes(counts.app, 1, async (app) => shotOf(requestOf(operation), ofApp(app)))
    if (operation === 'refresh') return inLanes(users, atOnce, refreshOf)
    return inLanes(users, atOnce, async (user) =>
      shotOf(requestOf('introspection'), { ...ofUser(user), ...(await tokensOf(user)) }),
    )
  },
  usage: () => server.usage(),
  stop: async () => {
    await server.stop()
    relay.stop()
    await rm(folder, { recursive: true, force: true })
  },
})
