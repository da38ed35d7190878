import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationPolicy: Catalogue<typeof areas.organizationPolicy> = {}
