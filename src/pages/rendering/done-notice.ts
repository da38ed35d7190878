import type { FastifyRequest } from 'fastify'
import { queried } from './forms/sent-values.ts'
import type { Notice } from './view-models/frame.ts'

/**
 * What the visitor has just done, by the `done` of the address; null for a name without words.
 * @param unchanged names of what has changed nothing
 */
export const doneNotice = (
  request: FastifyRequest,
  words: Readonly<Record<string, string>>,
  unchanged: readonly string[] = [],
): Notice | null => {
  const done = queried(request, 'done')
  return Object.hasOwn(words, done)
    ? { words: words[done] as string, tone: unchanged.includes(done) ? 'plain' : 'good' }
    : null
}
