import type { AccessEnd } from '../../core/language/access-end.ts'
import type { Text } from '../../words/text.ts'
import { momentOf } from './render.ts'

export const wholeDays = (seconds: number) => Math.ceil(seconds / 86_400)

/** "Ends on 24 February 2027", for a decision; null: it does not end by itself. */
export const endWords = (text: Text, { expiresAt, idleSeconds }: AccessEnd): string | null => {
  const { ends, endsUnused } = text.decision
  if (expiresAt) return ends(wholeDays(idleSeconds ?? 0), text.day(expiresAt))
  return idleSeconds === null ? null : endsUnused(wholeDays(idleSeconds))
}

/** The end as pages show it; null: it has none. */
export const endOf = (text: Text, { expiresAt, idleSeconds }: AccessEnd) =>
  expiresAt === null && idleSeconds === null
    ? null
    : {
        expires: expiresAt && momentOf(text, expiresAt),
        idle:
          idleSeconds === null
            ? null
            : text.organization.facts[expiresAt ? 'orIdle' : 'idle'](wholeDays(idleSeconds)),
      }
