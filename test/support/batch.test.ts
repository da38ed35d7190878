import { spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const runner = join(root, 'test/support/batch/run.mjs')
const file = (body: string) => `import t from 'tap'\nt.test('it', async (t) => { ${body} })\n`

t.test(
  'a file that fails, crashes or hangs fails alone, and the rest of its batch runs',
  async (t) => {
    const folder = t.testdir({
      'a.test.ts': file('t.ok(true)'),
      'crash.test.ts': file('process.exit(0)'),
      'environment.test.ts': file("process.env.ANY = '1'; t.ok(true)"),
      'fail.test.ts': file('t.equal(1, 2)'),
      'hang.test.ts': file('for (;;);'),
      'late.test.ts': file(
        'setImmediate(() => { throw new Error() }); await new Promise(() => {})',
      ),
      'nothing.test.ts': 'export {}\n',
      'z.test.ts': file('t.ok(true)'),
      'zz.test.ts': `// Runs alone: it is an example.\n${file("process.env.ANY = '1'; t.ok(true)")}`,
    })
    const place = relative(root, folder)
    const results = join(place, 'results')
    const run = spawnSync(
      process.execPath,
      [runner, '--jobs=1', '--timeout=15', `--results=${results}`, place],
      {
        encoding: 'utf8',
        cwd: root,
      },
    )
    const outcome = (name: string) =>
      new RegExp(`^(ok|not ok) - ${place}/${name}\\.test\\.ts`, 'm').exec(run.stdout)?.[1]
    for (const name of ['a', 'z', 'zz']) t.equal(outcome(name), 'ok', name)
    for (const name of ['crash', 'environment', 'fail', 'hang', 'late', 'nothing'])
      t.equal(outcome(name), 'not ok', name)
    t.equal(run.status, 1)
  },
)
