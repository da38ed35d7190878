import { setFlagsFromString } from 'node:v8'

/** V8's optimizing compilers. Maglev is on by default only in newer versions. */
const compilers = [
  'opt',
  'sparkplug',
  ...(Number.parseInt(process.versions.v8, 10) >= 13 ? ['maglev'] : []),
]

const saysOfCompilers = /--(no-?)?(jitless|lite-mode|opt|turbofan|maglev|sparkplug)\b/

/**
 * True unless the user has set compiler flags. User flags win, and V8 crashes when a compiler is enabled where none is
 * allowed.
 */
const mayChoose = (options: readonly string[]) =>
  !options.some((one) => saysOfCompilers.test(one.replaceAll('_', '-')))

/**
 * Must be called before most of the server is loaded. Collects garbage when the heap has grown by 40 % of the used
 * size. By default, V8 lets it grow to several times that size, which is tens of MB under load. Also saves memory for a
 * load that may never come: almost everything that loading modules allocates stays, so V8 would make the young
 * generation as large as allowed, and most compiled code would run once. A Node that does not support the flags works
 * as before.
 * @returns call it when everything is loaded: the young generation may then grow with the load, and hot code is
 * compiled
 */
export const limitHeapGrowth = () => {
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--optimize-for-size')
  const chosen = mayChoose([...process.execArgv, process.env.NODE_OPTIONS ?? '']) ? compilers : []
  for (const compiler of chosen) setFlagsFromString(`--no-${compiler}`)
  return () => {
    setFlagsFromString('--no-optimize-for-size')
    for (const compiler of chosen) setFlagsFromString(`--${compiler}`)
  }
}
