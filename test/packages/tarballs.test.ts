/** The packages for npm as `npm pack` makes them, after `npm run build`. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { whereFound } from '../support/installed.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const at = (name: string) => join(root, 'node_modules', name)
const isThere = existsSync(at('publint')) && existsSync(at('@arethetypeswrong/core'))

interface Packed {
  name: string
  path: string
  bytes: number
  problems: string[]
}

t.test(
  'publint and "Are the types wrong?" find no problem in a tarball',
  whereFound(isThere, 'publint'),
  async (t) => {
    const { stdout } = await run(process.execPath, [join(root, 'scripts/check-packages.mjs')])
    const packed: Packed[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    t.same(
      packed.map(({ name }) => name),
      ['verify', 'sdk'],
    )
    for (const { name, bytes, problems } of packed) {
      t.same(problems, [], name)
      t.ok(bytes < 100_000, `${name}: ${bytes} bytes`)
    }
  },
)

const uses: [name: string, exported: string][] = [
  ['verify', 'createVerifier'],
  ['sdk', 'init'],
]
for (const [name, exported] of uses)
  t.test(`${name}: one package, for import and for require, in an empty folder`, async (t) => {
    const folder = t.testdir({ 'package.json': '{}' })
    const pack = ['pack', `./packages/${name}`, '--ignore-scripts', '--json']
    const options = ['--pack-destination', folder]
    const { stdout } = await run('npm', [...pack, ...options], { cwd: root })
    const [{ filename }] = JSON.parse(stdout)
    const installed = join(folder, 'node_modules/@latchkey-auth', name)
    mkdirSync(installed, { recursive: true })
    await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])

    const module = `@latchkey-auth/${name}`
    const node = (...code: string[]) => run(process.execPath, code, { cwd: folder })
    const asked = `console.log(typeof found.${exported})`
    const required = await node('-e', `const found = require('${module}'); ${asked}`)
    t.equal(required.stdout, 'function\n', 'CommonJS')
    const esm = `import * as found from '${module}'; ${asked}`
    const imported = await node('--input-type=module', '-e', esm)
    t.equal(imported.stdout, 'function\n', 'ES module')
    const manifest = await node('-p', `require('${module}/package.json').dependencies`)
    t.equal(manifest.stdout, 'undefined\n', 'no dependencies')
  })
