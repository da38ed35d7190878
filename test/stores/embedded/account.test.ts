// Nightly, and when src/stores/embedded changes: it starts Postgres as other users.
import { chmod, chown, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { canReach, isRoot } from '../../../src/stores/embedded/account.ts'
import { startEmbeddedPostgres } from '../../../src/stores/embedded/launcher.ts'
import { localSecrets } from '../../../src/stores/embedded/secrets.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openElsewhere } from './another-process.ts'
import { ask, socketOwner } from './sql.ts'

const nobody = { uid: 65534, gid: 65534 }
const root = { skip: isRoot() ? false : 'only root can become somebody else' }
const isClosed = async (path: string) => isRoot() && !(await canReach(nobody, path, 4))
const unprivileged =
  (await isClosed(import.meta.filename)) || (await isClosed(process.execPath))
    ? { skip: 'this checkout or this Node is closed to other users' }
    : root

async function directoryFor(test: Pick<Test, 'teardown'>, name: string): Promise<string> {
  const directory = await temporaryDirectory(name)
  test.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

t.test('the server never runs as root', async (t) => {
  const directory = await directoryFor(t, 'account')
  const { connection, stop } = await startEmbeddedPostgres({ directory })
  if (isRoot()) t.not(await socketOwner(connection), 0)
  else t.equal(await socketOwner(connection), process.getuid?.())
  await stop()
})

t.test('data of a directory with restricted access is kept elsewhere', root, async (t) => {
  const directory = await directoryFor(t, 'closed')
  await chmod(directory, 0o700)
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const first = await startEmbeddedPostgres({ directory, log })
  const elsewhere = (await readFile(join(directory, 'postgres-is-at'), 'utf8')).trim()
  t.teardown(() => rm(elsewhere, { recursive: true, force: true, maxRetries: 5 }))
  t.match(elsewhere, /^\/var\/(lib|tmp)\/latchkey-[0-9a-f]{16}$/)
  t.match(lines[0], elsewhere)
  t.equal((await stat(elsewhere)).mode & 0o777, 0o700)
  await ask(first.connection, 'create table kept as select 7 as number')
  await first.stop()

  // Once there, it stays there, whatever happens to the directory.
  await chmod(directory, 0o711)
  const second = await startEmbeddedPostgres({ directory })
  t.equal(await ask(second.connection, 'select number from kept'), 7)
  await second.stop()

  await rm(elsewhere, { recursive: true })
  await t.rejects(startEmbeddedPostgres({ directory }), /was at .*, which no longer exists/)
})

t.test('directories that root creates keep the database, whatever the umask', root, async (t) => {
  const above = await directoryFor(t, 'made')
  const umask = process.umask(0o077)
  t.teardown(() => process.umask(umask))
  const directory = join(above, 'data/demo')
  await localSecrets(directory)
  const opened = await startEmbeddedPostgres({ directory })
  t.equal(opened.directory, join(directory, 'postgres'))
  for (const made of [directory, join(above, 'data')])
    t.equal((await stat(made)).mode & 0o777, 0o711)
  t.equal((await stat(join(directory, 'secrets.json'))).mode & 0o777, 0o600)
  t.equal((await stat(opened.directory)).mode & 0o777, 0o700)
  await opened.stop()
})

t.test(
  'an unprivileged user runs its own server, and root does not replace it',
  unprivileged,
  async (t) => {
    const directory = await directoryFor(t, 'nobody')
    await chown(directory, nobody.uid, nobody.gid)
    await chmod(directory, 0o700)
    const first = openElsewhere(directory, nobody)
    t.equal(await socketOwner(await first.connection), nobody.uid)
    const joined = await startEmbeddedPostgres({ directory })
    t.equal(await ask(joined.connection, 'select 1'), 1)
    await first.stop()
    await joined.stop()
    const restarted = await startEmbeddedPostgres({ directory })
    t.equal(await socketOwner(restarted.connection), nobody.uid)
    await restarted.stop()
  },
)

t.test("another user's database is refused in one line", unprivileged, async (t) => {
  const directory = await directoryFor(t, 'foreign')
  const { stop } = await startEmbeddedPostgres({ directory })
  await chmod(directory, 0o777)
  await chmod(join(directory, 'postgres'), 0o700)
  await t.rejects(openElsewhere(directory, nobody).connection, /belongs to uid \d+: run as/)
  await stop()
})
