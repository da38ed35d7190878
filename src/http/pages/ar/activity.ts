import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const activity: Catalogue<typeof areas.activity> = {}
