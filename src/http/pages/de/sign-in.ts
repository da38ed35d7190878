import type { areas } from '../en/english.ts'
import type { Catalogue } from '../en/translation.ts'

export const signIn: Catalogue<typeof areas.signIn> = {}
