// Nightly, and when packages/ changes: packages are installed in empty folders.
/** The packages for npm: packed, and installed with npm into empty folders. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { unlessMissing } from '../support/installed.ts'
import { checkBuilt, install, installedIn, npmEnvironment, pack } from '../support/npm-package.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Outside this repository, where npm finds no other package. */
const emptyFolder = async (t: Pick<Test, 'teardown'>): Promise<string> => {
  const folder = await temporaryDirectory('tarballs')
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const at = (name: string) => join(root, 'node_modules', name)
const isThere = existsSync(at('publint')) && existsSync(at('@arethetypeswrong/core'))

interface Packed {
  name: string
  path: string
  bytes: number
  problems: string[]
}

t.test('what is packed was built from the present sources', async () => {
  await checkBuilt('verify', 'sdk', 'program', 'docs')
})

t.test(
  'publint and "Are the types wrong?" find no problem in a tarball',
  unlessMissing(isThere, 'publint or @arethetypeswrong/core'),
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

/** What the documentation tells users to import. */
const documented: Record<string, Record<string, string>> = {
  verify: {
    '.': 'createVerifier',
    './fastify': 'latchkeyVerify',
    './testing': 'createTesting',
  },
  sdk: { '.': 'init', './host': 'attach' },
}
for (const [name, functions] of Object.entries(documented))
  t.test(`${name}: one package, for import and for require, in an empty folder`, async (t) => {
    const folder = await emptyFolder(t)
    const tarball = await pack(`./packages/${name}`, await emptyFolder(t))
    t.ok(await install(folder, tarball, '--offline'), 'installed without the registry')
    const module = `@latchkey-auth/${name}`
    t.same(installedIn(folder), [module], 'it brings nothing but itself')

    const load = async (...code: string[]): Promise<string[]> =>
      JSON.parse((await run(process.execPath, code, { cwd: folder })).stdout)
    const said =
      'console.log(JSON.stringify(Object.keys(found).filter((one) => one !== "default")))'
    const [manifest] = await load('-p', `JSON.stringify([require('${module}/package.json')])`)
    const { exports, dependencies } = manifest as unknown as Record<string, object | undefined>
    t.equal(dependencies, undefined)
    const paths = Object.keys(exports ?? {}).filter((path) => path !== './package.json')
    for (const path of Object.keys(functions)) t.ok(paths.includes(path), `${path} is exported`)
    for (const path of paths) {
      const specifier = module + path.slice(1)
      const required = await load('-e', `const found = require('${specifier}'); ${said}`)
      const esm = `import * as found from '${specifier}'; ${said}`
      const imported = await load('--input-type=module', '-e', esm)
      t.ok(imported.length > 0, specifier)
      t.same(required.toSorted(), imported.toSorted(), `${specifier}: both formats export the same`)
      const wanted = functions[path]
      if (wanted) t.ok(imported.includes(wanted), `${specifier} has ${wanted}`)
    }
  })

const server = await emptyFolder(t)
const tarball = await pack('.', await emptyFolder(t))
// The newest versions that the package allows, as an operator gets them.
const options = ['--prefer-offline', '--omit=dev', '--omit=optional']
const isInstalled = await install(server, tarball, ...options)

interface Tree {
  /** Absent: the optional package is not installed. */
  version?: string
  dependencies?: Record<string, Tree>
}
const namesIn = ({ dependencies = {} }: Tree): string[] =>
  Object.entries(dependencies)
    .filter(([, { version }]) => version !== undefined)
    .flatMap(([name, tree]) => [name, ...namesIn(tree)])

t.test(
  'the server brings argon2, bcrypt and sharp with what they need, and nothing else',
  unlessMissing(isInstalled, 'the registry of npm'),
  async (t) => {
    const { stdout } = await run('npm', ['ls', '--all', '--json'], {
      cwd: server,
      env: npmEnvironment,
    })
    const tree = (JSON.parse(stdout) as Tree).dependencies?.['@latchkey-auth/server']
    const { argon2, bcrypt, sharp } = tree?.dependencies ?? {}
    t.ok(argon2 && bcrypt && sharp, 'all are installed')
    const needed = [argon2, bcrypt, sharp].flatMap((one) => namesIn(one ?? {}))
    const expected = new Set(['@latchkey-auth/server', 'argon2', 'bcrypt', 'sharp', ...needed])
    t.same(installedIn(server).toSorted(), [...expected].toSorted())
  },
)
