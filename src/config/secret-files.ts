// Each secret setting can be given as a file, `NAME_FILE`, as container platforms mount secrets.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** All settings whose value is or contains a secret. */
export const secretSettings = [
  'DATABASE_URL',
  'REDIS_URL',
  'LATCHKEY_MASTER_KEY',
  'LATCHKEY_PREVIOUS_MASTER_KEYS',
  'LATCHKEY_OPERATOR_TOKEN',
  'METRICS_TOKEN',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'RESOURCE_SERVER_SECRET',
] as const

/** This list is usually empty. */
const mayBeEmpty: readonly string[] = ['LATCHKEY_PREVIOUS_MASTER_KEYS']
/** Lists, and the JSON output of `latchkey token`. */
const mayHaveLines = [...mayBeEmpty, 'LATCHKEY_ACCESS_TOKEN', 'LATCHKEY_REFRESH_TOKEN']

const longest = 64 * 1024

/** A value, or the fault of the file. The fault names neither path nor content, because either may contain a secret. */
type Read = { value: string } | { fault: string }

const fault = (words: string): Read => ({ fault: words })

const readUpTo = (file: number, most: number): Buffer => {
  const buffer = Buffer.alloc(most)
  let length = 0
  for (;;) {
    const read = readSync(file, buffer, length, most - length, null)
    length += read
    if (read === 0 || length === most) return buffer.subarray(0, length)
  }
}

const decode = (bytes: Buffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const readValue = (bytes: Buffer, name: string): Read => {
  if (bytes.length > longest) return fault(`must name a file of at most ${longest} bytes`)
  const value = decode(bytes)?.replace(/[\r\n]+$/, '')
  const hasLines = mayHaveLines.includes(name)
  const unwanted = hasLines ? /[^\P{Cc}\t\n\r]/u : /\p{Cc}/u
  if (value === undefined || unwanted.test(value))
    return fault(`must name a file with ${hasLines ? 'text' : 'one line of text'} in it`)
  if (value === '' && !mayBeEmpty.includes(name)) return fault('must name a file that is not empty')
  return { value }
}

const readOpen = (file: number, name: string): Read => {
  const status = fstatSync(file)
  // Reading from a pipe or device could block forever.
  if (!status.isFile()) return fault('must name a regular file')
  // Any user who can change the file chooses the secret. World-readable files are allowed: platforms mount secrets that
  // way.
  if (process.platform !== 'win32' && (status.mode & 0o002) !== 0)
    return fault('must name a file that not every user of the machine can change')
  return readValue(readUpTo(file, longest + 1), name)
}

const readSecretFile = (path: string, name: string): Read => {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      return readOpen(file, name)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return fault(`cannot be read (${code})`)
  }
}

/**
 * Reads a secret setting from `NAME`, or from the file that `NAME_FILE` names, without its final line break.
 * @returns undefined when neither is set or when a fault was added
 */
export const readSecret = (env: NodeJS.ProcessEnv, name: string, faults: string[]) => {
  const [direct, path] = [env[name] || undefined, env[`${name}_FILE`] || undefined]
  if (path === undefined) return direct
  if (direct !== undefined) {
    faults.push(`${name}_FILE and ${name} are both set; set one of them`)
    return undefined
  }
  const read = readSecretFile(path, name)
  if ('value' in read) return read.value
  faults.push(`${name}_FILE ${read.fault}`)
  return undefined
}

/** The environment with the secrets of the files. Adds faults to `faults`. */
export const withSecretFiles = (env: NodeJS.ProcessEnv, faults: string[]): NodeJS.ProcessEnv => {
  const given = secretSettings.filter((name) => env[`${name}_FILE`])
  return {
    ...env,
    ...Object.fromEntries(given.map((name) => [name, readSecret(env, name, faults) ?? ''])),
  }
}
