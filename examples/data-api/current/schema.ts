import { readFile } from 'node:fs/promises'

/** The current interface; schema.graphql is beside this module. */
export const currentSchema = await readFile(new URL('schema.graphql', import.meta.url), 'utf8')
