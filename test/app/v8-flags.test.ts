import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import t from 'tap'

const path = join(import.meta.dirname, '../../src/app/v8-flags.ts')
const v8Flags = transformSync(readFileSync(path, 'utf8'), { loader: 'ts' }).code

/** V8's status of hot functions after the start: bit 4 means optimized. */
const program = `
  ${v8Flags}
  const allLoaded = limitHeapGrowth()
  const values = Array.from({ length: 256 }, (_, at) => ({ at }))
  const sum = () => values.reduce((all, { at }, index) => (all + at * index) | 0, 0)
  const heat = async () => {
    for (let round = 0; round < 50; round++) {
      for (let turn = 0; turn < 200; turn++) sum()
      await new Promise((resolve) => setTimeout(resolve, 2))
      if (isOptimized()) return
    }
  }
  const isOptimized = () => (%GetOptimizationStatus(sum) & 16) !== 0
  await heat()
  const before = isOptimized()
  allLoaded()
  await heat()
  console.log(JSON.stringify({ before, after: isOptimized() }))
`

const run = (options: string[], environment = '') => {
  const args = ['--allow-natives-syntax', ...options, '--input-type=module', '--eval', program]
  const env = { PATH: process.env.PATH, NODE_OPTIONS: environment }
  const { status, signal, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  return { status, signal, ...(status === 0 && (JSON.parse(stdout) as object)) }
}

t.test(
  'nothing is compiled during loading, and hot functions are optimized afterwards',
  async (t) => {
    t.same(run([]), { status: 0, signal: null, before: false, after: true })
  },
)

t.test('the server works with the compilers disabled', async (t) => {
  for (const options of [
    ['--jitless'],
    ['--lite-mode'],
    ['--no-opt', '--no-maglev'],
    ['--no_opt', '--nomaglev'],
  ])
    t.match(run(options), { status: 0, signal: null, after: false }, options.join(' '))
  t.match(run([], '--jitless'), { status: 0, signal: null, after: false }, 'in NODE_OPTIONS')
})
