/** The vectors of packages/vectors, as they are committed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Vector } from '../../../scripts/vectors/vector.ts'

const folder = join(import.meta.dirname, '../../../packages/vectors')

/** Names of the files. */
export const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

export const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

export const vectorsIn = (file: string): Vector[] => JSON.parse(textOf(file))

export const schema: object = JSON.parse(textOf('schema/vectors.schema.json'))
