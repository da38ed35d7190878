// Runs alone: it changes the environment.
import { join } from 'node:path'
import t from 'tap'
import { type BackendName, backendsOf } from './backends.ts'

const both: BackendName[] = ['embedded', 'servers']
const root = join(import.meta.dirname, '../..')
const chosen = (path: string, available = both) => backendsOf(join(root, path), available)

t.beforeEach(() => {
  delete process.env.LATCHKEY_TEST_BACKENDS
})

t.test('contracts, races, replays, faults and the main flows run on both backends', async (t) => {
  for (const path of [
    'test/contracts/stores.test.ts',
    'test/flows/current.test.ts',
    'test/flows/legacy.test.ts',
    'test/flows/races.test.ts',
    'test/attacks/rotation.test.ts',
    'test/attacks/codes.test.ts',
    'test/faults/server-killed.fault.ts',
    'test/stores/postgres/connection/migrate.test.ts',
  ])
    t.same(chosen(path), both, path)
})

t.test('other files run on one backend, about half on each', async (t) => {
  const counts = { embedded: 0, servers: 0 }
  for (let number = 0; number < 1000; number++) {
    const path = `test/pages/page-${number}.test.ts`
    const found = chosen(path)
    t.equal(found.length, 1)
    t.same(chosen(path), found, 'the choice is stable')
    counts[found[0]!]++
  }
  t.ok(Math.abs(counts.embedded - counts.servers) < 200, JSON.stringify(counts))
})

t.test('a backend that is not installed is not chosen', async (t) => {
  for (let number = 0; number < 10; number++)
    t.same(chosen(`test/http/${number}.test.ts`, ['embedded']), ['embedded'])
  t.same(chosen('test/flows/current.test.ts', ['servers']), ['servers'])
  t.same(chosen('test/http/1.test.ts', []), [])
})

t.test('LATCHKEY_TEST_BACKENDS=all runs every file on both', async (t) => {
  process.env.LATCHKEY_TEST_BACKENDS = 'all'
  t.same(chosen('test/http/sdk.test.ts'), both)
})
