/**
 * `npm run release -- v0.1.0 [--out <folder>]`: makes every artefact of a release from its tag, and SHA256SUMS. The files
 * depend on the tag only, so that others can make and compare them. Nothing is published. Needs git, GNU tar, and Python
 * with the module `build` when the tag has a Python package.
 *
 * `--node-modules <folder>` uses packages that are installed, instead of `npm ci`.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const {
  positionals: [tag],
  values: { out = 'release', 'node-modules': modules },
} = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, 'node-modules': { type: 'string' } },
})

const fail = (message) => {
  console.error(`release: ${message}`)
  process.exit(1)
}
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()

function commitOf(tag) {
  if (!/^v\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(tag ?? '')) fail('name a tag, such as v1.2.3')
  try {
    return git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`)
  } catch {
    return fail(`there is no tag ${tag}`)
  }
}

const commit = commitOf(tag)
const version = tag.slice(1)
const target = resolve(out)
if (fs.existsSync(target) && fs.readdirSync(target).length > 0) fail(`${out} is not empty`)
const epoch = git('show', '--no-patch', '--format=%ct', commit)
const work = fs.mkdtempSync(join(tmpdir(), 'latchkey-release-'))
process.once('exit', () => fs.rmSync(work, { recursive: true, force: true }))

const env = { ...process.env, SOURCE_DATE_EPOCH: epoch, TZ: 'UTC', LC_ALL: 'C' }
const run = (command, ...args) =>
  execFileSync(command, args, {
    cwd: work,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  })
const read = (path) => fs.readFileSync(join(work, path), 'utf8')
const has = (path) => fs.existsSync(join(work, path))

/** Every place that names the version must name this one. */
function checkVersions(folders) {
  const chart = read('deploy/helm/latchkey/Chart.yaml')
  const named = [
    ...['.', ...folders].map((folder) => [
      join(folder, 'package.json'),
      JSON.parse(read(join(folder, 'package.json'))).version,
    ]),
    ['Chart.yaml, version', /^version: (.+)$/m.exec(chart)?.[1]],
    ['Chart.yaml, appVersion', /^appVersion: (.+)$/m.exec(chart)?.[1]],
  ]
  if (has('packages/python/pyproject.toml'))
    named.push([
      'pyproject.toml',
      /^version\s*=\s*"(.+)"$/m.exec(read('packages/python/pyproject.toml'))?.[1],
    ])
  const constants = [
    ['packages/verify/src/server.ts', /^const version = '(.+)'$/m],
    ['packages/go/server.go', /^const version = "(.+)"$/m],
    ['packages/python/src/latchkey_verify/server.py', /^_VERSION = "(.+)"$/m],
  ]
  for (const [path, pattern] of constants)
    if (has(path)) named.push([path, pattern.exec(read(path))?.[1]])
  for (const [where, found] of named)
    if (found !== version) fail(`${where} names version ${found}, not ${version}`)
  if (!read('CHANGELOG.md').includes(`\n## [${version}] - `))
    fail(`CHANGELOG.md has no section [${version}] with a date`)
}

function packChart() {
  const owner = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner']
  const mode = ['--mode=u=rwX,go=rX', '--format=ustar']
  const archive = join(work, 'chart.tar')
  run('tar', '-cf', archive, ...owner, ...mode, '-C', 'deploy/helm', 'latchkey')
  fs.writeFileSync(join(target, `latchkey-${version}.tgz`), run('gzip', '-9', '-n', '-c', archive))
}

fs.mkdirSync(target, { recursive: true })
const source = join(target, `latchkey-${version}-source.tar.gz`)
git(
  '-c',
  'tar.tar.gz.command=gzip -9 -n',
  'archive',
  '--format=tar.gz',
  `--prefix=latchkey-${version}/`,
  '-o',
  source,
  commit,
)
run('tar', '-xzf', source, '--strip-components=1')

const folders = JSON.parse(read('package.json')).workspaces
checkVersions(folders)
if (modules) fs.symlinkSync(resolve(modules), join(work, 'node_modules'))
else run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')

// No language may lack a word.
run('npm', 'run', '--silent', 'messages', '--', '--check')
run(process.execPath, 'scripts/build.mjs')
run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', target)
for (const folder of folders)
  run('npm', 'pack', '--silent', `./${folder}`, '--pack-destination', target)
fs.writeFileSync(
  join(target, `latchkey-server-${version}.cdx.json`),
  run(process.execPath, 'scripts/sbom.mjs'),
)
packChart()
if (has('packages/python/pyproject.toml'))
  run('python3', '-m', 'build', '--outdir', target, 'packages/python')

const sums = fs
  .readdirSync(target)
  .sort()
  .map((name) => {
    const digest = createHash('sha256')
      .update(fs.readFileSync(join(target, name)))
      .digest('hex')
    return `${digest}  ${name}\n`
  })
fs.writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
process.stdout.write(sums.join(''))
if (has('packages/go/go.mod'))
  console.error(`Go reads its module from the tag packages/go/${tag}: push it as well.`)
