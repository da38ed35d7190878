import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/**
 * Random bytes in base64url. They come from a pool that is filled at once: a system call for each few bytes costs a
 * hundred times as much. Used bytes are wiped.
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
