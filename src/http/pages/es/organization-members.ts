import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const organizationMembers: Catalogue<typeof areas.organizationMembers> = {}
