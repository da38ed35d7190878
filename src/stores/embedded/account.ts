import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The unprivileged user that Postgres runs as. Postgres refuses to run as root. */
export type Account = Record<'uid' | 'gid', number>

const nobody: Account = { uid: 65534, gid: 65534 }

export const isRoot = (): boolean => process.getuid?.() === 0

/** The owner of existing data, else `postgres`, else `nobody`; null when this process does not run as root. */
export async function chooseAccount(data: string): Promise<Account | null> {
  if (!isRoot()) return null
  const existing = await stat(data).catch(() => null)
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid }
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return accountNamed('postgres', users) ?? accountNamed('nobody', users) ?? nobody
}

const search = 1
export const readAndSearch = 5

/** Can the account search every folder above a path, and does it have the given bits on the path? */
export async function canReach(account: Account, path: string, bits = search): Promise<boolean> {
  if (!(await has(account, path, bits))) return false
  for (let at = dirname(path); ; at = dirname(at)) {
    if (!(await has(account, at, search))) return false
    if (at === dirname(at)) return true
  }
}

async function has({ uid, gid }: Account, path: string, bits: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found) return false
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0
  return ((found.mode >> shift) & bits) === bits
}

function accountNamed(name: string, users: string): Account | undefined {
  const fields = users
    .split('\n')
    .map((line) => line.split(':'))
    .find(([user]) => user === name)
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  return uid > 0 && gid > 0 ? { uid, gid } : undefined
}
