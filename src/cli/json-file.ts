import { readFile } from 'node:fs/promises'
import { usageError } from './exit-codes.ts'

/** Reads the JSON file that an option names. @throws a usage error */
export const readJson = async (option: string, path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    throw usageError(`--${option} ${path} is not a readable JSON file`)
  }
}
