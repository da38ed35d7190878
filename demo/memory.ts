import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of the demo that only its owner can read: complete, or as it was before. */
export const writePrivately = async (path: string, text: string): Promise<void> => {
  const fresh = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(fresh, text, { mode: 0o600 })
  await rename(fresh, path)
}

/** What a start of the demo remembers of the last one. */
export interface Memory {
  /** The first of its ports. */
  port: number
}

const pathIn = (directory: string) => join(directory, 'demo.json')

/** @returns null before the first start */
export const readMemory = async (directory: string): Promise<Memory | null> => {
  const text = await readFile(pathIn(directory), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Memory)
}

export const writeMemory = (directory: string, memory: Memory): Promise<void> =>
  writePrivately(pathIn(directory), `${JSON.stringify(memory, null, 2)}\n`)
