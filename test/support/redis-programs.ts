import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Redis, type RedisOptions } from 'ioredis'
import type { Test } from 'tap'
import type { Certificates } from './certificates.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const run = promisify(execFile)

/** A server of a replicated or clustered Redis. */
export interface RedisProgram {
  port: number
  kill(): Promise<void>
  /** Starts it again in its place, with the data on disk. */
  start(): Promise<void>
}

const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
/** Otherwise a primary waits five seconds for replicas. */
const promptly = ['--repl-diskless-sync-delay', '0']

/** Connection options besides its port. */
type Way = Pick<RedisOptions, 'tls' | 'password'>

const answers = async (port: number, way: Way = {}) => {
  const client = new Redis(port, { ...way, lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => undefined)
  const pong = await client.connect().then(
    () => client.ping(),
    () => null,
  )
  client.disconnect()
  return pong === 'PONG'
}

const spawnRedis = async (
  t: Test,
  port: number,
  args: string[],
  way: Way = {},
): Promise<RedisProgram> => {
  let child: ChildProcess
  let ended: Promise<unknown>
  const killNow = () => void child.kill('SIGKILL')
  const kill = async () => {
    process.off('exit', killNow)
    killNow()
    await ended
  }
  const start = async () => {
    child = spawn('redis-server', args, { stdio: 'ignore' })
    ended = once(child, 'exit')
    process.once('exit', killNow)
    await eventually(() => child.exitCode !== null || answers(port, way))
    if (child.exitCode !== null) throw new Error(`redis-server ends with ${child.exitCode}`)
  }
  t.teardown(kill)
  await start()
  return { port, kill, start }
}

const newHome = async (t: Test) => {
  const home = await temporaryDirectory('redis')
  t.teardown(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  return home
}

const startMember = async (t: Test, more: string[]) => {
  const [home, port] = [await newHome(t), await freePort()]
  const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', home]
  return spawnRedis(t, port, [...where, ...durable, ...promptly, ...more])
}

const sentinelSettings = (port: number, primary: number) => `port ${port}
bind 127.0.0.1
sentinel monitor latchkey 127.0.0.1 ${primary} 2
sentinel down-after-milliseconds latchkey 1000
sentinel failover-timeout latchkey 5000
`

/** Watches a primary under the name `latchkey`. */
export const startSentinel = async (t: Test, primary: number) => {
  const [home, port] = [await newHome(t), await freePort()]
  const file = join(home, 'sentinel.conf')
  await writeFile(file, `${sentinelSettings(port, primary)}dir ${home}\n`)
  return spawnRedis(t, port, [file, '--sentinel'])
}

/** A primary, a replica, and three sentinels that agree on their roles. */
export const startSentinels = async (t: Test) => {
  const primary = await startMember(t, [])
  const replica = await startMember(t, ['--replicaof', '127.0.0.1', String(primary.port)])
  const sentinels: RedisProgram[] = []
  for (let at = 0; at < 3; at++) sentinels.push(await startSentinel(t, primary.port))
  const client = new Redis(sentinels[0]?.port as number)
  const state = async () => {
    const fields = (await client.call('SENTINEL', 'MASTER', 'latchkey')) as string[]
    const value = (name: string) => Number(fields[fields.indexOf(name) + 1])
    return value('num-slaves') === 1 && value('num-other-sentinels') === 2
  }
  await eventually(state)
  client.disconnect()
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`)
  return { url: `redis+sentinel://${hosts.join(',')}/latchkey`, primary, replica }
}

/** A server that requires TLS and a password. */
export const startSecureRedis = async (
  t: Test,
  { authority, certificate, key }: Certificates,
  more: string[],
  login: Way,
): Promise<RedisProgram> => {
  const [home, port] = [await newHome(t), await freePort()]
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key]
  const tls = ['--tls-ca-cert-file', authority, '--tls-auth-clients', 'no', ...files]
  const where = ['--port', '0', '--tls-port', String(port), '--bind', '127.0.0.1', '--dir', home]
  const way = { ...login, tls: { rejectUnauthorized: false } }
  return spawnRedis(t, port, [...where, ...durable, ...tls, ...more], way)
}

const startNode = async (t: Test) => {
  // The cluster bus has a port of its own, by default 10000 above.
  const bus = String(await freePort())
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': bus,
    'cluster-node-timeout': '1000',
    'cluster-announce-ip': '127.0.0.1', // Otherwise it learns its own address only from other nodes.
  }
  return startMember(
    t,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
  )
}

/** A line of a cluster node: `id address flags primary … slots`. */
export interface ClusterNode {
  port: number
  isPrimary: boolean
  isUp: boolean
  /** Whether it is in sync with its primary, or has none. */
  follows: string | null
}

const readNodes = (text: string): ClusterNode[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [, address = '', flags = '', primary = '-'] = line.split(' ')
      return {
        port: Number(/:(\d+)@/.exec(address)?.[1]),
        isPrimary: flags.includes('master'),
        isUp: !flags.includes('fail'),
        follows: primary === '-' ? null : primary,
      }
    })

/** A cluster of one node, which serves no request until all slots are assigned. */
export const startIncompleteCluster = async (t: Test) => {
  const { port } = await startNode(t)
  const slots = async (first: number, last: number) => {
    await run('redis-cli', ['-p', `${port}`, 'cluster', 'addslotsrange', `${first}`, `${last}`])
  }
  await slots(0, 99)
  return { url: `redis+cluster://127.0.0.1:${port}`, port, complete: () => slots(100, 16_383) }
}

/** A cluster of three primaries with the same number of replicas each. */
export const startCluster = async (t: Test, replicas = 0) => {
  const programs: RedisProgram[] = []
  for (let at = 0; at < 3 * (1 + replicas); at++) programs.push(await startNode(t))
  const hosts = programs.map(({ port }) => `127.0.0.1:${port}`)
  const more = ['--cluster-replicas', String(replicas), '--cluster-yes']
  await run('redis-cli', ['--cluster', 'create', ...hosts, ...more])

  /** The cluster state according to a node that answers. */
  const look = async (port: number) => {
    const client = new Redis(port, { retryStrategy: () => null })
    client.on('error', () => undefined)
    try {
      const isOk = (await client.cluster('INFO')).includes('cluster_state:ok')
      const links = (await client.info('replication')).match(/state=online/g) ?? []
      const nodes = readNodes(String(await client.cluster('NODES')))
      return { isOk, nodes, replicas: links.length }
    } catch {
      return null
    } finally {
      client.disconnect()
    }
  }
  const lookAtAll = async () => {
    const seen = await Promise.all(programs.map(({ port }) => look(port)))
    return seen.filter((one) => one !== null)
  }
  await eventually(async () => {
    const seen = await lookAtAll()
    const primaries = seen[0]?.nodes.filter(({ isPrimary }) => isPrimary).length
    const links = seen.reduce((sum, one) => sum + one.replicas, 0)
    return seen.every(({ isOk }) => isOk) && primaries === 3 && links === 3 * replicas
  })
  return { url: `redis+cluster://${hosts.join(',')}`, programs, lookAtAll }
}
