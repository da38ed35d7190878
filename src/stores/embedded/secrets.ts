import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecret } from '../../domain/identifiers.ts'

/** The secrets of an installation that was given none. */
export interface LocalSecrets {
  masterKey: Buffer
  operatorToken: string
}

/**
 * Reads the secrets kept beside the embedded data, making them on the first start (0600).
 * Several first starts at once end with the same ones: the file is created once.
 */
export const localSecrets = async (directory: string): Promise<LocalSecrets> => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'secrets.json')
  const fresh = {
    master_key: randomBytes(32).toString('base64'),
    operator_token: newSecret('operatorToken'),
  }
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify(fresh, null, 2)}\n`)
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const read = async (tries: number): Promise<typeof fresh> => {
    const text = await readFile(path, 'utf8')
    // Another first start may be in the middle of writing it.
    if (!text.endsWith('}\n') && tries > 0) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return read(tries - 1)
    }
    return JSON.parse(text) as typeof fresh
  }
  const kept = await read(40)
  return {
    masterKey: Buffer.from(kept.master_key, 'base64'),
    operatorToken: kept.operator_token,
  }
}
