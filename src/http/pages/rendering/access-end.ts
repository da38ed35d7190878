import type { AccessEnd } from '../../../core/language/access-end.ts'
import { momentOf } from './render.ts'
import type { Text } from './text.ts'
import type { Moment } from './view-models.ts'

/** When access ends by itself; a part is null when it does not. */
export type ShownEnd = { expires: Moment | null; idle: string | null }

/** The end as pages show it; null: it has none. */
export const endOf = (text: Text, { expiresAt, idleSeconds }: AccessEnd): ShownEnd | null =>
  expiresAt === null && idleSeconds === null
    ? null
    : {
        expires: expiresAt && momentOf(text, expiresAt),
        idle:
          idleSeconds === null
            ? null
            : text.organization.facts.idle(Math.ceil(idleSeconds / 86_400)),
      }
