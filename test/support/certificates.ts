import { execFile } from 'node:child_process'
import { chmod, chown, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { chooseAccount } from '../../src/stores/embedded/account.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const run = promisify(execFile)

/** PEM files, as a platform's own authority would issue them. */
export interface Certificates {
  authority: string
  certificate: string
  key: string
}

const days = ['-days', '2']
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc']

/** A new authority, and a certificate from it. @param names such as `DNS:localhost` */
export const makeCertificates = async (t: Test, names: string): Promise<Certificates> => {
  const directory = await temporaryDirectory('certificates')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const file = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => run('openssl', args, { cwd: directory })
  const [authority, authorityKey] = [file('authority.pem'), file('authority.key')]
  const [certificate, key, request] = [file('server.pem'), file('server.key'), file('server.csr')]
  await openssl(
    ...['req', '-x509', ...newKey, ...days, '-subj', '/CN=Authority'],
    ...['-keyout', authorityKey, '-out', authority],
  )
  await openssl('req', ...newKey, '-subj', '/CN=server', '-keyout', key, '-out', request)
  await writeFile(file('names'), `subjectAltName=${names}`)
  await openssl(
    ...['x509', '-req', '-in', request, ...days, '-extfile', file('names')],
    ...['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial', '-out', certificate],
  )
  // Postgres accepts a key only from its own account, and only if no other user can read it.
  const account = await chooseAccount(directory)
  if (account) await chown(key, account.uid, account.gid)
  await chmod(key, 0o600)
  return { authority, certificate, key }
}
