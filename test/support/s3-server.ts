import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import type { S3Settings } from '../../examples/data-api/data/attachments/storage.ts'
import { isInstalled, whereFound } from './installed.ts'

const python = process.env.LATCHKEY_TEST_PYTHON ?? 'python3'

/** Options of tests that need S3. */
export const withS3 = whereFound(isInstalled(python, '-c', 'import moto.server'), 'moto[server]')

/** The line of the log that names the port it has chosen. */
const addressIn = async (lines: AsyncIterable<string>): Promise<string> => {
  for await (const line of lines) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address) return address
  }
  throw new Error('moto has ended')
}

/** A storage with an empty bucket. */
export const startS3 = async (t: Test): Promise<S3Settings> => {
  const child = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const endpoint = await addressIn(createInterface(child.stderr))
  child.stderr.resume()
  const bucket = 'files'
  const made = await fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
  if (!made.ok) throw new Error(`no bucket: ${made.status}`)
  return { endpoint, bucket, region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' }
}
