import type { AccessEnd } from '../../../core/language/access-end.ts'
import { momentOf } from './render.ts'
import type { Text } from './text.ts'
import type { ShownEnd } from './view-models.ts'

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
