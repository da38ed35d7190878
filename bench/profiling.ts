// Samples of a server's stack, added up by the part of the software that ran.
import { type Profiler, type Runtime, Session } from 'node:inspector/promises'

/** In the order in which the table lists them. */
export const partNames = [
  'Node: HTTP, sockets, streams',
  'Node: signatures and hashes',
  'native code and system calls',
  'garbage collection',
  'Fastify and its plugins',
  'pg',
  'ioredis',
  'oidc-provider',
  'other packages',
  'own code',
] as const
export type PartName = (typeof partNames)[number]

/** Shares of the samples in which the process was busy. */
export type Shares = Partial<Record<PartName, number>>

const packagesOf: [part: PartName, names: RegExp][] = [
  [
    'Fastify and its plugins',
    /^(@?fastify|find-my-way|avvio|pino|sonic-boom|secure-json-parse|fast-|light-my-request|quick-format|on-exit-leak|rfdc|toad-cache|safe-stable|atomic-sleep|thread-stream|process-warning|ret|reusify)/,
  ],
  ['pg', /^(pg|postgres-|pgpass)/],
  ['ioredis', /^(@?ioredis|redis-|denque|standard-as-callback|cluster-key-slot)/],
  ['oidc-provider', /^(oidc-provider|@?koa|object-hash|quick-lru|raw-body)/],
]

const partOfPackage = (name: string): PartName =>
  packagesOf.find(([, names]) => names.test(name))?.[0] ?? 'other packages'

/**
 * The part that a stack frame belongs to; null: that of its caller, because native functions have no address of their
 * own. 'idle': the process waited.
 */
export const partOfFrame = ({
  functionName,
  url,
}: Pick<Runtime.CallFrame, 'functionName' | 'url'>): PartName | 'idle' | null => {
  if (functionName === '(idle)') return 'idle'
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)' || functionName === '(root)')
    return 'native code and system calls'
  if (url === '') return null
  if (url.startsWith('node:'))
    return url.startsWith('node:internal/crypto') || url === 'node:crypto'
      ? 'Node: signatures and hashes'
      : 'Node: HTTP, sockets, streams'
  const dependency = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  return dependency ? partOfPackage(dependency) : 'own code'
}

/** Adds the samples up. */
export const sharesOf = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares => {
  const partOf = new Map<number, PartName | 'idle'>()
  const nodeOf = new Map(nodes.map((node) => [node.id, node]))
  const visit = (id: number, caller: PartName | 'idle') => {
    const node = nodeOf.get(id)
    if (!node) return
    const part = partOfFrame(node.callFrame) ?? caller
    partOf.set(id, part)
    for (const child of node.children ?? []) visit(child, part)
  }
  const [root] = nodes
  if (root) visit(root.id, 'native code and system calls')
  const micros: Shares = {}
  let busy = 0
  for (const [at, id] of samples.entries()) {
    const part = partOf.get(id)
    if (part === undefined || part === 'idle') continue
    const time = timeDeltas[at] ?? 0
    micros[part] = (micros[part] ?? 0) + time
    busy += time
  }
  for (const part of partNames) if (micros[part]) micros[part] /= busy
  return micros
}

/** Samples the stacks of this process until it is asked for them. @param interval µs between samples */
export const sampleStacks = async (interval: number): Promise<() => Promise<Profiler.Profile>> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return profile
  }
}

/** Samples this process until it is asked for the shares. */
export const startProfile = async (): Promise<() => Promise<Shares>> => {
  const stop = await sampleStacks(200)
  return async () => sharesOf(await stop())
}
