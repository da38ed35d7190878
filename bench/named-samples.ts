// Samples of a server's stack with their times, each named by our own function that ran, for `--tail`.
import type { Profiler } from 'node:inspector/promises'
import { partOfFrame } from './profiling.ts'

export interface NamedSample {
  /** Of performance.now(), and the time that it stands for, in ms. */
  at: number
  ms: number
  /** The innermost function of our own code and the part of the software that ran in it. */
  name: string
}

const ownFunction = ({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame']) =>
  `${functionName || 'anonymous'} (${url.split('/').slice(-2).join('/')}:${lineNumber + 1})`

/** The name of each node of a profile. */
const namesOf = ({ nodes }: Profiler.Profile) => {
  const names = new Map<number, string>()
  const nodeOf = new Map(nodes.map((node) => [node.id, node]))
  const visit = (id: number, caller: string, callerPart: string) => {
    const node = nodeOf.get(id)
    if (!node) return
    const part = partOfFrame(node.callFrame) ?? callerPart
    const isOwn = part === 'own code' && !/^$|\/observing\.[jt]s$/.test(node.callFrame.url)
    const own = isOwn ? ownFunction(node.callFrame) : caller
    const isAlone = own === '' || part === 'garbage collection' || part === 'idle'
    names.set(id, isAlone ? part : part === 'own code' ? own : `${part} for ${own}`)
    for (const child of node.children ?? []) visit(child, own, part)
  }
  const [root] = nodes
  if (root) visit(root.id, '', 'native code and system calls')
  return names
}

export const namedSamples = (profile: Profiler.Profile): NamedSample[] => {
  const names = namesOf(profile)
  // V8 counts µs of the same clock as hrtime.
  const zero = Number(process.hrtime.bigint()) / 1e6 - performance.now()
  let at = profile.startTime / 1000 - zero
  return (profile.samples ?? []).map((id, index) => {
    const ms = (profile.timeDeltas?.[index] ?? 0) / 1000
    at += ms
    return { at, ms, name: names.get(id) ?? '' }
  })
}
