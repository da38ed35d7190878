import { setFlagsFromString } from 'node:v8'

/** V8's compilers beyond its first; Maglev is on by default in newer versions only. */
const compilers = [
  'opt',
  'sparkplug',
  ...(Number.parseInt(process.versions.v8, 10) >= 13 ? ['maglev'] : []),
]

const saysOfCompilers = /--(no-?)?(jitless|lite-mode|opt|turbofan|maglev|sparkplug)\b/

/** Who has said something about compilers has the last word; where none may be, V8 crashes when one is switched on. */
const mayChoose = (options: readonly string[]) =>
  !options.some((one) => saysOfCompilers.test(one.replaceAll('_', '-')))

/**
 * To be called before most of the server is loaded. Collects garbage when the heap has grown by 40 % of what is in use:
 * left alone, V8 lets it grow to several times that before it looks, which is tens of MB under load. And spends no memory
 * for the time being on a load that may never come: while modules are loaded nearly everything stays, so V8 would make the
 * young generation as large as it may be, and what it compiles runs once. A Node that does not know the flags goes on as
 * before.
 * @returns to be called when all is loaded: the young generation may grow with the load, and what is hot is compiled
 */
export const keepHeapSmall = () => {
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--optimize-for-size')
  const chosen = mayChoose([...process.execArgv, process.env.NODE_OPTIONS ?? '']) ? compilers : []
  for (const compiler of chosen) setFlagsFromString(`--no-${compiler}`)
  return () => {
    setFlagsFromString('--no-optimize-for-size')
    for (const compiler of chosen) setFlagsFromString(`--${compiler}`)
  }
}
