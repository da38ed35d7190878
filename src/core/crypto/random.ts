import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/**
 * Random bytes in base64url. Drawn from a pool that is filled at once, as a call for each few bytes costs a hundred
 * times as much; what was handed out is wiped.
 * @param size bytes, 4096 at most
 */
export const randomText = (size: number): string => {
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, used + size)
  used += size
  const text = bytes.toString('base64url')
  bytes.fill(0)
  return text
}
