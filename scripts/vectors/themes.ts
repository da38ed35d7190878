import { audiences } from './audiences.ts'
import { clocks } from './clocks.ts'
import { currentTokens } from './current-tokens.ts'
import { delegations } from './delegation.ts'
import { hostileTokens } from './hostile-tokens.ts'
import { legacyTokens } from './legacy-tokens.ts'
import { longReach } from './long-reach.ts'
import { proofs } from './proofs.ts'
import { requirements } from './requirements.ts'
import { revocations } from './revocations.ts'
import { introspectionAnswers, selfSignedTokens } from './self-signed-tokens.ts'
import { signingKeys } from './signing-keys.ts'
import type { Theme } from './vector.ts'

/** All vectors, made anew. */
export const makeThemes = (): Theme[] => [
  hostileTokens(),
  currentTokens(),
  audiences(),
  delegations(),
  legacyTokens(),
  selfSignedTokens(),
  introspectionAnswers(),
  longReach(),
  signingKeys(),
  revocations(),
  proofs(),
  requirements(),
  clocks(),
]

/** The content of a theme's file. */
export const textOf = ({ vectors }: Theme): string => `${JSON.stringify(vectors, null, 2)}\n`
