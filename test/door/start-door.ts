/** A door and the server that it knows, for one test. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { createDoor, type DoorSettings } from '../../src/door/door.ts'
import {
  audience,
  resourceServer,
  type ScriptedServer,
  startScriptedServer,
} from '../support/scripted-server.ts'

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  about: Record<string, unknown>
}

export interface Checked {
  status: number
  /** By lower-case name. */
  headers: Record<string, string | undefined>
  body: string
}

export interface DoorScene {
  server: ScriptedServer
  url: string
  metricsUrl: string
  log: LogLine[]
  door: ReturnType<typeof createDoor>
  /** @param headers alternating names and values, sent as they are */
  ask(path: string, headers?: readonly string[], method?: string): Promise<Checked>
  /** A check of this token by the usual question. */
  check(token: string, query?: string): Promise<Checked>
}

/** Asks as a proxy does. */
const askAt = (
  url: string,
  path: string,
  headers: readonly string[] = [],
  method = 'GET',
): Promise<Checked> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const host = ['Host', `${hostname}:${port}`]
    const options = { hostname, port, path, method, agent: false, headers: [...host, ...headers] }
    const sent = request(options as never, async (response) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers as Checked['headers'],
        body: await text(response),
      }),
    )
    sent.once('error', reject).end()
  })

export const question = '/check?interface=current'

export const startDoor = async (
  t: Test,
  part: Partial<DoorSettings> = {},
  prepare: (server: ScriptedServer) => unknown = () => {},
): Promise<DoorScene> => {
  const server = await startScriptedServer()
  await prepare(server)
  const log: LogLine[] = []
  const logs = (level: LogLine['level']) => (about: object, message: string) =>
    void log.push({ level, message, about: about as Record<string, unknown> })
  const door = createDoor(
    {
      port: 0,
      host: '127.0.0.1',
      issuer: server.issuer,
      audience,
      server: server.issuer,
      resourceServer,
      origins: [],
      maxRevocationAge: null,
      usage: true,
      metricsPort: 0,
      shutdownDrain: 0,
      ...part,
    },
    { debug: logs('debug'), info: logs('info'), warn: logs('warn'), error: logs('error') },
  )
  t.teardown(async () => {
    await door.close()
    await server.stop()
  })
  const url = `http://127.0.0.1:${await door.listen()}`
  const metricsUrl = `http://127.0.0.1:${await door.listenForMetrics()}`
  const ask: DoorScene['ask'] = (path, headers, method) => askAt(url, path, headers, method)
  return {
    server,
    url,
    metricsUrl,
    log,
    door,
    ask,
    check: (token, query = question) => ask(query, ['Authorization', `Bearer ${token}`]),
  }
}
