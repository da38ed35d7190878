import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const steps: Catalogue<typeof areas.steps> = {}
