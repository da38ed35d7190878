// Nightly, and when test/support changes: it starts the runner many times.
import { execFileSync, spawnSync } from 'node:child_process'
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

t.test(
  'what is left to the night runs at night, when named, and when its path has changed',
  async (t) => {
    const line = (marker: string) => `${marker}: it is an example.\n${file('t.ok(true)')}`
    const folder = t.testdir({
      'changed.test.ts': line('// Nightly, and when src/ changes'),
      'day.test.ts': file('t.ok(true)'),
      'night.test.ts': line('// Nightly'),
      'other.test.ts': line('// Nightly, and when no/such/path changes'),
    })
    const place = relative(root, folder)
    const [first = ''] = execFileSync('git', ['rev-list', '--max-parents=0', 'HEAD'], {
      encoding: 'utf8',
    }).split('\n')
    const listed = (...args: string[]) =>
      execFileSync(process.execPath, [runner, '--list', ...args], {
        encoding: 'utf8',
        cwd: root,
        env: { ...process.env, LATCHKEY_CHANGED_SINCE: first },
      })
        .match(/\w+(?=\.test\.ts\s)/g)
        ?.join(' ')
    t.equal(listed(place), 'changed day')
    t.equal(listed('--nightly', place), 'changed day night other')
    t.equal(listed(join(place, 'night.test.ts')), 'night')
  },
)
