import { OAuthError } from '../language/errors.ts'

/** Identity providers send a few requests at once. */
const mostWaiting = 24
/** Milliseconds. */
const longestWait = 1500

const busy = () =>
  new OAuthError('slow_down', 'another request of this organization is being served', {
    retryAfter: 1,
  })

/**
 * Lets one request of each organization run at a time in this process. A few others wait briefly; no organization
 * waits for another.
 */
export const createTurns = () => {
  const lines = new Map<string, (() => void)[]>()

  const leave = (organizationId: string) => {
    const next = lines.get(organizationId)?.shift()
    if (next) next()
    else lines.delete(organizationId)
  }

  const enter = (organizationId: string): Promise<void> => {
    const line = lines.get(organizationId)
    if (!line) {
      lines.set(organizationId, [])
      return Promise.resolve()
    }
    if (line.length >= mostWaiting) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(admit), 1)
        reject(busy())
      }, longestWait)
      line.push(admit)
    })
  }

  /** @returns ends the turn; later calls do nothing @throws OAuthError slow_down (429) */
  return async (organizationId: string): Promise<() => void> => {
    await enter(organizationId)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      leave(organizationId)
    }
  }
}
