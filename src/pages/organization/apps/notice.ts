import type { Text } from '../../../words/text.ts'
import type { Notice } from '../../rendering/view-models/frame.ts'

/** The notice above the list of apps or the page of one. @param done the outcome that the address names */
export const appNotice = (text: Text, done: string): Notice | null => {
  if (done === 'outdated') return { words: text.organization.outdated, tone: 'plain' }
  const words: Record<string, string> = text.organization.apps.done
  return Object.hasOwn(words, done) ? { words: words[done] as string, tone: 'good' } : null
}
