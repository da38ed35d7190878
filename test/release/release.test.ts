// Nightly, and when scripts/release changes: a release is made twice.
/** `npm run release`: the artefacts of a tag in a clone of this repository, made twice. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { isInstalled, whereFound } from '../support/installed.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const { version, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tag = `v${version}`

const isRepository = existsSync(join(root, '.git')) && isInstalled('git')
const isGnu = spawnSync('tar', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU')
const hasPython = existsSync(join(root, 'packages/python/pyproject.toml'))

const directory = await temporaryDirectory('release')
t.teardown(() => rm(directory, { recursive: true, force: true }))

/** The Python with the module `build`, in an environment of its own where the system's has none. @returns the PATH */
const pathWithBuild = (): string | null => {
  const { PATH = '' } = process.env
  if (!hasPython || isInstalled('python3', '-m', 'build', '--version')) return PATH
  const bin = join(directory, 'python/bin')
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', join(directory, 'python')]],
    [join(bin, 'pip'), ['install', '--quiet', '--retries', '1', 'build==1.6.1']],
  ]
  for (const [program, args] of steps)
    if (spawnSync(program, args, { timeout: 120_000 }).status !== 0) return null
  return `${bin}:${PATH}`
}
const searchPath = isRepository && isGnu ? pathWithBuild() : null
const equipped = whereFound(
  searchPath !== null,
  'the git repository, GNU tar or the Python module build',
)
const clone = join(directory, 'clone')
const git = (...args: string[]) => {
  const author = [
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.com',
    '-c',
    'commit.gpgsign=false',
  ]
  execFileSync('git', ['-C', clone, ...author, ...args], { stdio: 'pipe' })
}

/** A clone whose changelog has a section for the version. */
const prepare = () => {
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: 'pipe' })
  const path = join(clone, 'CHANGELOG.md')
  const text = readFileSync(path, 'utf8')
  if (!text.includes(`## [${version}] - `))
    writeFileSync(
      path,
      text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - 2026-01-01\n`),
    )
  git('commit', '--quiet', '--allow-empty', '--all', '--message', 'chore: release')
  git('tag', tag)
}

/** @returns the process of the script, in the clone */
const release = (tag: string, out: string) =>
  spawnSync(
    process.execPath,
    ['scripts/release.mjs', tag, '--out', out, '--node-modules', join(root, 'node_modules')],
    { cwd: clone, encoding: 'utf8', env: { ...process.env, PATH: searchPath ?? '' } },
  )

const sumsIn = (folder: string) => readFileSync(join(directory, folder, 'SHA256SUMS'), 'utf8')
const entriesOf = (path: string) =>
  execFileSync('tar', ['-tzf', path], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n')

t.test('a tag gives all artefacts, and the same ones each time', equipped, async (t) => {
  prepare()
  for (const out of ['first', 'second']) {
    const { status, stderr } = release(tag, join(directory, out))
    t.equal(status, 0, stderr)
  }
  t.equal(sumsIn('second'), sumsIn('first'), 'reproducible')

  const folder = join(directory, 'first')
  const names = readdirSync(folder)
  const packages = ['server', ...workspaces.map((one: string) => one.replace('packages/', ''))].map(
    (name) => `latchkey-auth-${name}-${version}.tgz`,
  )
  const expected = [
    ...packages,
    `latchkey-${version}.tgz`,
    `latchkey-${version}-source.tar.gz`,
    `latchkey-server-${version}.cdx.json`,
    'SHA256SUMS',
  ]
  for (const name of expected) t.ok(names.includes(name), name)
  t.equal(
    names.some((name) => name.endsWith('.whl')),
    hasPython,
  )
  for (const line of sumsIn('first').trim().split('\n')) {
    const [digest, name = ''] = line.split('  ')
    const content = readFileSync(join(folder, name))
    t.equal(createHash('sha256').update(content).digest('hex'), digest, name)
  }
  t.equal(sumsIn('first').trim().split('\n').length, names.length - 1)

  t.ok(entriesOf(join(folder, packages[0] as string)).includes('package/dist/program/main.js'))
  for (const name of packages.slice(1))
    t.ok(
      entriesOf(join(folder, name)).some((one) => /^package\/dist\/.+\.js$/.test(one)),
      name,
    )
  const chart = join(folder, `latchkey-${version}.tgz`)
  t.ok(entriesOf(chart).includes('latchkey/Chart.yaml'))
  if (isInstalled('helm', 'version'))
    t.match(
      execFileSync('helm', ['show', 'chart', chart], { encoding: 'utf8' }),
      `version: ${version}`,
    )

  const sbom = JSON.parse(readFileSync(join(folder, `latchkey-server-${version}.cdx.json`), 'utf8'))
  t.match(sbom, { bomFormat: 'CycloneDX', metadata: { component: { version } } })
  const listed = sbom.components.map((one: { name: string }) => one.name)
  for (const name of ['oidc-provider', 'fastify', 'argon2', 'koa'])
    t.ok(listed.includes(name), name)
  for (const name of ['tap', 'typescript', 'playwright-core']) t.notOk(listed.includes(name), name)
})

t.test('what is not a release is refused', equipped, async (t) => {
  git('tag', 'v98.0.0')
  git('tag', 'nightly')
  for (const [name, said] of [
    ['v99.0.0', 'there is no tag v99.0.0'],
    ['nightly', 'name a tag'],
    ['v98.0.0', `package.json names version ${version}, not 98.0.0`],
  ] as const) {
    const { status, stderr } = release(name, join(directory, name))
    t.equal(status, 1, name)
    t.match(stderr, said)
  }
  const again = release(tag, join(directory, 'first'))
  t.match(again.stderr, 'is not empty')
})
