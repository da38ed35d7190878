// How long a replaced secret keeps working beside the new one.
import type { Text } from '../../../words/text.ts'

const hour = 3600 // s
const overlaps = { hour, day: 24 * hour, week: 168 * hour, month: 720 * hour } as const
export const overlapSeconds: readonly number[] = Object.values(overlaps)

/** The choices of a form. @param chosen seconds; a day when it is none of them */
export const overlapOptions = ({ developer }: Text, chosen: number) => {
  const selected = overlapSeconds.includes(chosen) ? chosen : overlaps.day
  return (Object.keys(overlaps) as (keyof typeof overlaps)[]).map((name) => ({
    seconds: overlaps[name],
    words: developer.replace.overlaps[name],
    isChosen: overlaps[name] === selected,
  }))
}
