// The page that shows a new secret once, and answers 410 to every later request.
import type { ShownSecret } from '../view-models/blocks.ts'
import { links } from './blocks.ts'
import { type PartOfPage, type Words, wordsOf } from './blocks-page.ts'

interface Secret {
  heading: Words
  shown: ShownSecret
  lost: string
  /** Until when other secrets work. */
  others?: string[]
  backUrl: string
}

/** @param gone what the page says, and where it leads, when the secret was shown before or the time for it has passed */
export const secretPart = (
  secret: Secret | null,
  gone: { goneHeading: string; gone: string; back: string },
  backUrl: string,
): PartOfPage => {
  if (secret === null)
    return {
      heading: [gone.goneHeading],
      lead: [gone.gone],
      status: 410,
      isNarrow: true,
      blocks: links([gone.back, backUrl, true]),
    }
  const { heading, shown, lost, others = [] } = secret
  return {
    heading: wordsOf(heading),
    isNarrow: true,
    blocks: [{ kind: 'secret', shown, lost, others, backUrl: secret.backUrl }],
  }
}
