import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chooseAccount } from '../../src/stores/embedded/account.ts'
import { freePort } from './free-port.ts'
import type { SystemPostgres } from './keeper/run-record.ts'

const run = promisify(execFile)
const user = 'latchkey'
const attempts = 5
/** Tests do not need durability. */
const fast = '-c fsync=off -c full_page_writes=off -c synchronous_commit=off'

/** The directory with `initdb` and `pg_ctl` of the newest installed Postgres. */
export async function findSystemPostgres(): Promise<string | null> {
  const packaged = '/usr/lib/postgresql'
  const versions = await readdir(packaged).catch(() => [])
  const folders = versions.map((version) => join(packaged, version, 'bin'))
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const initdb = await realpath(join(folder, 'initdb')).catch(() => null)
    if (initdb) folders.push(join(initdb, '..'))
  }
  const found = [...new Set(folders)].flatMap((bin) => {
    const version = versionIn(bin)
    return version ? [{ bin, version }] : []
  })
  found.sort((one, other) => other.version - one.version)
  return found[0]?.bin ?? null
}

function versionIn(bin: string): number | null {
  try {
    execFileSync(join(bin, 'pg_ctl'), ['--version'], { stdio: 'pipe' })
    const said = execFileSync(join(bin, 'initdb'), ['--version'], { encoding: 'utf8' })
    return Number.parseFloat(/\d+(\.\d+)?/.exec(said)?.[0] ?? '')
  } catch {
    return null
  }
}

/** A private server in its own directory, on a free port of 127.0.0.1. */
export async function startSystemPostgres(bin: string, directory: string): Promise<SystemPostgres> {
  const account = await chooseAccount(directory)
  const home = join(directory, 'system')
  const data = join(home, 'data')
  await mkdir(home)
  const password = randomBytes(12).toString('hex')
  await writeFile(join(home, 'password'), password, { mode: 0o600 })
  if (account) {
    await chown(join(home, 'password'), account.uid, account.gid)
    await chown(home, account.uid, account.gid)
  }
  const options = { ...account, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const authentication = ['-A', 'scram-sha-256', `--pwfile=${join(home, 'password')}`]
  const form = ['-E', 'UTF8', '--locale=C', '--no-sync', '-U', user]
  await run(join(bin, 'initdb'), ['-D', data, ...form, ...authentication], options)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const where = `-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c port=${port}`
    const log = join(home, 'log')
    const args = ['-D', data, '-w', '-l', log, '-o', `${where} ${fast}`, 'start']
    try {
      await run(join(bin, 'pg_ctl'), args, options)
      const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`
      return { bin, data, uid: account?.uid ?? null, gid: account?.gid ?? null, url }
    } catch (cause) {
      const said = await readFile(log, 'utf8').catch(() => '')
      if (attempt === attempts || !said.includes('Address already in use')) {
        throw new Error(`the system's Postgres does not start: ${said}`, { cause })
      }
    }
  }
}

export async function stopSystemPostgres({ bin, data, uid, gid }: SystemPostgres): Promise<void> {
  const account = uid !== null && gid !== null ? { uid, gid } : {}
  await run(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], { ...account, cwd: '/' })
}
