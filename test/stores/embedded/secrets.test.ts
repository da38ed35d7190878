import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { localSecrets } from '../../../src/stores/embedded/secrets.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const newDirectory = async (t: Test) => {
  const directory = await temporaryDirectory('secrets')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

t.test('concurrent first starts agree on the same secrets', async (t) => {
  const directory = await newDirectory(t)
  const found = await Promise.all(Array.from({ length: 20 }, () => localSecrets(directory)))
  t.equal(found[0]?.masterKey.length, 32)
  t.equal(new Set(found.map((one) => JSON.stringify(one))).size, 1)
  t.same(await localSecrets(directory), found[0], 'a later one too')
  t.same(await readdir(directory), ['secrets.json'], 'nothing else is left')
  t.equal((await stat(join(directory, 'secrets.json'))).mode & 0o777, 0o600)
})

t.test('an incomplete file is named, left unchanged, and not shown', async (t) => {
  for (const text of ['', '{ "master_key": "c2VjcmV0']) {
    const directory = await newDirectory(t)
    const path = join(directory, 'secrets.json')
    await writeFile(path, text)
    const error = await localSecrets(directory).catch((caught: unknown) => caught)
    t.match(error, { message: `the secrets in ${path} cannot be read: it is not valid JSON` })
    t.equal(await readFile(path, 'utf8'), text)
  }
})

t.test('an operator token that was removed from the file stays removed', async (t) => {
  const directory = await newDirectory(t)
  const { masterKey } = await localSecrets(directory)
  const path = join(directory, 'secrets.json')
  const { operator_token: _, ...kept } = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify(kept))
  t.same(await localSecrets(directory), { masterKey, operatorToken: null })
  t.same(JSON.parse(await readFile(path, 'utf8')), kept)
})
