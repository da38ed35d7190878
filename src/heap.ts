import { setFlagsFromString } from 'node:v8'

/**
 * To be called before most of the server is loaded. Collects garbage when the heap has grown by 40 % of what is in use:
 * left alone, V8 lets it grow to several times that before it looks, which is tens of MB under load. And keeps the young
 * generation small for the time being: while modules are loaded nearly everything stays, so V8 would make it as large as
 * it may be, for a load that may never come. A Node that does not know the flags goes on as before.
 * @returns to be called when all is loaded: the young generation may grow with the load
 */
export const keepHeapSmall = () => {
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--optimize-for-size')
  return () => setFlagsFromString('--no-optimize-for-size')
}
