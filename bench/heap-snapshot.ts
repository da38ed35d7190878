// What a server process holds in V8's heap: a snapshot that it writes on a signal, added up.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes of the objects themselves. */
export interface Held {
  name: string
  bytes: number
}

export interface Heap {
  /** By V8's kinds of objects, the largest first. */
  kinds: Held[]
  /** The largest texts, by their beginnings: mostly sources of loaded files. */
  texts: Held[]
}

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  nodes: number[]
  strings: string[]
}

const signal = 'SIGUSR2'
const mostTexts = 12
const shownBeginning = 70

const heapOf = ({ snapshot, nodes, strings }: Snapshot): Heap => {
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, name, size] = ['type', 'name', 'self_size'].map((one) => fields.indexOf(one))
  const kinds = new Map<string, number>()
  const texts: Held[] = []
  for (let at = 0; at < nodes.length; at += fields.length) {
    const read = (field: number | undefined) => nodes[at + (field ?? 0)] ?? 0
    const kind = types[0][read(type)] ?? '?'
    const bytes = read(size)
    kinds.set(kind, (kinds.get(kind) ?? 0) + bytes)
    if (kind === 'string' && bytes > 100_000) {
      const text = (strings[read(name)] ?? '').slice(0, shownBeginning)
      texts.push({ name: text.replaceAll(/\s+/g, ' '), bytes })
    }
  }
  const largest = (all: Held[]) => all.toSorted((one, other) => other.bytes - one.bytes)
  return {
    kinds: largest([...kinds].map(([kind, bytes]) => ({ name: kind, bytes }))),
    texts: largest(texts).slice(0, mostTexts),
  }
}

/** Makes a process write snapshots of its heap. */
export const openSnapshots = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-heap-'))
  const read = async (name: string): Promise<Snapshot | null> => {
    try {
      return JSON.parse(await readFile(join(folder, name), 'utf8')) as Snapshot
    } catch {
      return null // it is being written
    }
  }
  return {
    /** Options of Node for the process. */
    options: `--heapsnapshot-signal=${signal} --diagnostic-dir=${folder}`,
    take: async (pid: number): Promise<Heap> => {
      process.kill(pid, signal)
      for (;;) {
        await sleep(500)
        const [name] = await readdir(folder)
        const snapshot = name === undefined ? null : await read(name)
        if (snapshot) return heapOf(snapshot)
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
