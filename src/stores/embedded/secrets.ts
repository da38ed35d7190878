import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecret } from '../../core/crypto/identifiers.ts'
import { makeDataDirectory } from './home.ts'

/** Secrets of an installation without configured ones. */
interface Kept {
  master_key: string
  operator_token?: string | null
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
    // The parser's message may quote the file, so it is not repeated.
    const why = cause instanceof SyntaxError ? 'it is not valid JSON' : (cause as Error).message
    throw new Error(`the secrets in ${path} cannot be read: ${why}`)
  }
}

/** Writes the complete file or none: neither a full disk nor a kill leaves a partial file. An existing file stays. */
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
 * Reads the secrets stored beside the embedded data, and creates them on the first start (mode 0600). Several first
 * starts at once get the same secrets, because the file is created only once.
 */
export const localSecrets = async (directory: string) => {
  await makeDataDirectory(directory)
  const path = join(directory, 'secrets.json')
  let kept = await readKept(path)
  if (!kept) {
    await keep(path, newSecrets())
    kept = await readKept(path)
  }
  if (!kept) throw new Error(`${path} was removed a moment ago`)
  return {
    masterKey: Buffer.from(kept.master_key, 'base64'),
    /** null: removed by the operator, who uses created tokens only */
    operatorToken: kept.operator_token || null,
  }
}
