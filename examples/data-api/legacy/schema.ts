import { readFile } from 'node:fs/promises'

/** The legacy interface; schema.graphql is beside this module. */
export const legacySchema = await readFile(new URL('schema.graphql', import.meta.url), 'utf8')
