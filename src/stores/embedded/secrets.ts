import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecret } from '../../core/crypto/identifiers.ts'

/** The secrets of an installation that was given none. */
export interface LocalSecrets {
  masterKey: Buffer
  operatorToken: string
}

interface Kept {
  master_key: string
  operator_token: string
}

const newSecrets = (): Kept => ({
  master_key: randomBytes(32).toString('base64'),
  operator_token: newSecret('operatorToken'),
})

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code

/** @returns null when there is no such file */
const readKept = async (path: string): Promise<Kept | null> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Kept
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return null
    // Not its message: it may quote what is in the file.
    const why = cause instanceof SyntaxError ? 'it is not whole' : (cause as Error).message
    throw new Error(`the secrets in ${path} cannot be read: ${why}`)
  }
}

/** Whole or not at all: neither a full disk nor a kill leaves half a file. One that is there already stays. */
const keep = async (path: string, secrets: Kept) => {
  const fresh = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    const file = await open(fresh, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(fresh, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(fresh, { force: true })
  }
}

/**
 * Reads the secrets kept beside the embedded data, making them on the first start (0600).
 * Several first starts at once end with the same ones: the file is created once.
 */
export const localSecrets = async (directory: string): Promise<LocalSecrets> => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'secrets.json')
  let kept = await readKept(path)
  if (!kept) {
    await keep(path, newSecrets())
    kept = await readKept(path)
  }
  if (!kept) throw new Error(`${path} was removed a moment ago`)
  return {
    masterKey: Buffer.from(kept.master_key, 'base64'),
    operatorToken: kept.operator_token,
  }
}
