import { Writable } from 'node:stream'
import { pino } from 'pino'
import { createLatchkey, type Latchkey } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { createStoreClock } from '../../src/stores/store-clock.ts'
import { freePort } from './free-port.ts'
import type { StoreSetup } from './stores.ts'
import { startStrippingNginx, startStrippingProxy } from './stripping-proxy.ts'

/** The offset of the servers' clock in this process. */
export const ahead = { milliseconds: 0 }

export const masterKey = 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE='
export const operatorToken = 'operator-token-of-the-tests-0123456789'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely by the tests
export type Json = any

export interface Running {
  /** Base URL of the first instance, and the issuer of all. */
  issuer: string
  /** Base URLs of all instances. */
  urls: string[]
  instances: Latchkey[]
  /** Every log line of every instance. */
  log: string[]
  /** The operator API. */
  operator(method: string, path: string, body?: unknown): Promise<Answer<Json>>
  stop(): Promise<void>
}

/** The operator API of the server at this URL. */
export const operatorAt =
  (url: string, token = operatorToken): Running['operator'] =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text ? JSON.parse(text) : {},
    }
  }

/** The SDK of OpenTelemetry reads the environment of the process, when it is started. */
const withTraceSettings = async <T>(environment: NodeJS.ProcessEnv, start: () => Promise<T>) => {
  const names = Object.keys(environment).filter((name) => name.startsWith('OTEL_'))
  for (const name of names) process.env[name] = environment[name]
  try {
    return await start()
  } finally {
    for (const name of names) delete process.env[name]
  }
}

const startOne = async (environment: NodeJS.ProcessEnv, log: string[]) => {
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk))
      if (process.env.LATCHKEY_TEST_LOG) process.stderr.write(chunk)
      done()
    },
  })
  const clock = createStoreClock()
  const app = await withTraceSettings(environment, () =>
    createLatchkey(readConfig(environment), pino({ level: 'debug', base: null }, stream), null, {
      ...clock,
      now: () => clock.now() + ahead.milliseconds,
    }),
  )
  await app.listen()
  return app
}

/** A port may be taken between the check and the listen: try another. */
const startOnFreePort = async (
  environment: (port: number) => NodeJS.ProcessEnv,
  log: string[],
): Promise<{ app: Latchkey; port: number }> => {
  for (let tries = 0; ; tries++) {
    const port = await freePort()
    try {
      return { app: await startOne(environment(port), log), port }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries > 5) throw error
    }
  }
}

/**
 * Starts one server or several on the same stores. Further settings go in as environment variables;
 * `host` is the issuer's, where an IP address does not work. `path` is the path of the issuer, such as `/auth`; by default
 * that of LATCHKEY_TEST_PATH. `strips`: a proxy in front of the first instance removes it.
 */
export const startLatchkey = async (
  stores: Pick<StoreSetup, 'databaseUrl' | 'redisUrl'>,
  options: {
    instances?: number
    host?: string
    path?: string
    strips?: boolean | 'nginx'
    environment?: NodeJS.ProcessEnv
  } = {},
): Promise<Running> => {
  const log: string[] = []
  const path = options.path ?? process.env.LATCHKEY_TEST_PATH ?? ''
  const startProxy = options.strips === 'nginx' ? startStrippingNginx : startStrippingProxy
  const proxy = options.strips ? await startProxy(path) : null
  const common: NodeJS.ProcessEnv = {
    DATABASE_URL: stores.databaseUrl,
    ...(stores.redisUrl && { REDIS_URL: stores.redisUrl }),
    LATCHKEY_MASTER_KEY: masterKey,
    LATCHKEY_OPERATOR_TOKEN: operatorToken,
    // The test itself runs in the same process, perhaps on a busy machine.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    STORE_TIMEOUT_MS: '30000',
    // Each connection plans its statements anew. By day, four requests of a server meet in the database at once.
    ...(!process.env.LATCHKEY_TEST_NIGHTLY && { DATABASE_POOL_SIZE: '4' }),
    // Tests sign the same few users in again and again, all from one address.
    LIMIT_SIGN_INS: '100000',
    LIMIT_SIGN_INS_PER_ADDRESS: '100000',
    LIMIT_SESSIONS: '10000',
    ...options.environment,
  }
  const issuerOn = (port: number) =>
    `http://${options.host ?? '127.0.0.1'}:${proxy?.port ?? port}${path}`
  const first = await startOnFreePort(
    (port) => ({ ISSUER: issuerOn(port), ...common, PORT: String(port) }),
    log,
  )
  const issuer = common.ISSUER ?? issuerOn(first.port)
  const instances = [first.app]
  const urls = [`http://127.0.0.1:${first.port}`]
  await proxy?.passTo(first.port)
  while (instances.length < (options.instances ?? 1)) {
    const another = await startOnFreePort(
      (port) => ({ ...common, ISSUER: issuer, PORT: String(port) }),
      log,
    )
    instances.push(another.app)
    urls.push(`http://127.0.0.1:${another.port}`)
  }

  return {
    issuer,
    urls,
    instances,
    log,
    operator: operatorAt(urls[0] as string),
    stop: async () => {
      await proxy?.close()
      await Promise.all(instances.map((one) => one.close()))
    },
  }
}
