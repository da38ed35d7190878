import type { Notice } from '../rendering/view-models/frame.ts'

/**
 * What the visitor has just done, by its name in the address; null for a name without words.
 * @param unchanged names of what has changed nothing
 */
export const noticeOf = (
  words: Record<string, string>,
  done: string,
  unchanged: readonly string[],
): Notice | null =>
  Object.hasOwn(words, done)
    ? { words: words[done] as string, tone: unchanged.includes(done) ? 'plain' : 'good' }
    : null
