import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { prepareHome } from '../../../src/stores/embedded/home.ts'
import { startEmbeddedPostgres } from '../../../src/stores/embedded/launcher.ts'
import { findPackage, usableBinaries } from '../../../src/stores/embedded/package.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const directory = await temporaryDirectory('package')
t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))

t.test('a platform without a package gets instructions', async (t) => {
  for (const platform of ['sunos-sparc', 'win32-x64']) {
    await t.rejects(
      findPackage(platform),
      /^there is no embedded Postgres for .*: set DATABASE_URL;/,
    )
  }
})

t.test('a package whose links are missing and cannot be created is copied', async (t) => {
  const { directory: whole, version } = await findPackage()
  const lacking = join(directory, 'lacking')
  await cp(join(whole, 'native'), join(lacking, 'native'), { recursive: true })
  const links = JSON.parse(await readFile(join(whole, 'native/pg-symlinks.json'), 'utf8'))
  for (const { target } of links) await rm(join(lacking, target), { force: true })
  await chmod(join(lacking, 'native/lib'), 0o500)
  await chmod(lacking, 0o500)

  const home = await prepareHome(join(directory, 'copied'), () => {})
  const { postgres } = await usableBinaries({ directory: lacking, version }, home)
  t.ok(postgres.startsWith(home.directory))
  const said = execFileSync(postgres, ['--version'], { encoding: 'utf8', ...home.account })
  t.match(said, /^postgres \(PostgreSQL\) \d+/)
  const again = await usableBinaries({ directory: lacking, version }, home)
  t.equal(again.postgres, postgres, 'once')
  await chmod(join(lacking, 'native/lib'), 0o700)
  await chmod(lacking, 0o700)
})

t.test('links are restored in place if possible', async (t) => {
  const { version } = await findPackage()
  const lacking = join(directory, 'lacking')
  const home = await prepareHome(join(directory, 'in-place'), () => {})
  await chmod(lacking, 0o755)
  await chmod(join(lacking, 'native/lib'), 0o755)
  const { postgres } = await usableBinaries({ directory: lacking, version }, home)
  t.equal(postgres, join(lacking, 'native/bin/postgres'))
  t.match(execFileSync(postgres, ['--version'], { encoding: 'utf8' }), /^postgres/)
})

t.test('data of another major version is refused', async (t) => {
  const old = join(directory, 'old')
  await mkdir(join(old, 'postgres/data'), { recursive: true })
  await writeFile(join(old, 'postgres/data/PG_VERSION'), '9\n')
  await t.rejects(startEmbeddedPostgres({ directory: old }), /was created by Postgres 9 .*dump/)
})
