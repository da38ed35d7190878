import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationKeys: Catalogue<typeof areas.organizationKeys> = {}
