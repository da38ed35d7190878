/**
 * The name `latchkey` on npm belongs to another project. No text of this repository may lead a reader, a script or a
 * bundler to it: shells in which the command runs often export the operator token. Our packages have a scope, the one
 * of `name` in package.json.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')
const packageAt = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
const server = packageAt('.')
const scope: string = server.name.split('/')[0]

const faults: [what: string, pattern: RegExp][] = [
  ['npx reads the option itself, without `--` before the command', /\bnpx --no latchkey -/],
  ['npx may fetch it', /\bnpx (?!--no )(?:-\S+ )*latchkey\b/],
  [
    'a package manager may fetch it',
    /\b(?:npm (?:exec|x)|pnpm dlx|yarn dlx|bunx) (?:-\S+ )*latchkey\b/,
  ],
  [
    'it would be installed',
    /\b(?:npm (?:i|install|add)|pnpm add|yarn add|bun add) [^\n`]*(?<=\s)latchkey(?![\w/.-])/,
  ],
  [
    'it would be imported',
    /(?:\bfrom|\bimport|\brequire|\bresolve)\b\s*\(?\s*['"]latchkey(?:\/[^'"]*)?['"]/,
  ],
  ['a module of it', /(?<![\w@/.-])latchkey\/(?:verify|sdk|server)\b/],
]
const faultsIn = (text: string) =>
  faults.flatMap(([what, pattern]) => {
    const found = pattern.exec(text)
    return found ? [`${what}: ${found[0]}`] : []
  })

const leftOut = /^(?:node_modules|dist|data|coverage|secrets|\.(?:git|tap|cache))$/
const isText =
  /\.(?:md|[cm]?[jt]s|json|ya?ml|sh|py|go|mod|toml|html|eta|tpl|sql|service|conf|txt)$|(?:^|\/)[^.]+$/

const textsBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (leftOut.test(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return textsBelow(path)
    return entry.isFile() && isText.test(entry.name) ? [path] : []
  })

t.test('no text calls, installs or imports the package that is not ours', async (t) => {
  const paths = textsBelow(root).filter((path) => path !== import.meta.filename)
  t.ok(paths.length > 1000, `${paths.length} texts`)
  for (const name of ['README.md', 'docs/operating.md', 'src/main.ts', 'Dockerfile', '.ci/run'])
    t.ok(paths.includes(join(root, name)), `${name} is checked`)
  for (const path of paths) {
    const found = faultsIn(readFileSync(path, 'utf8'))
    if (found.length > 0) t.fail(relative(root, path), { found })
  }
})

t.test('the documentation calls the command', async (t) => {
  const calls = textsBelow(join(root, 'docs')).filter((path) =>
    readFileSync(path, 'utf8').includes('npx --no latchkey '),
  )
  t.ok(calls.length >= 5, `${calls.length} pages`)
})

t.test('the check reports what it is for, and nothing else', async (t) => {
  for (const wrong of [
    'npx latchkey app list',
    'npx -y latchkey serve',
    'npx --no latchkey --help',
    'TOKEN=$(npx latchkey operator-token create)',
    'npm exec latchkey serve',
    'npm i latchkey',
    'npm install --save-exact express latchkey',
    'npm install latchkey@0.1.0',
    `import { createVerifier } from 'latchkey/verify'`,
    `const { init } = require("latchkey/sdk")`,
    `await import('latchkey')`,
    'the library `latchkey/verify`',
  ])
    t.equal(faultsIn(wrong).length > 0, true, wrong)
  for (const right of [
    'npx --no latchkey app list',
    'npx --no -- latchkey --help',
    'docker run latchkey migrate',
    '/usr/bin/latchkey serve',
    `npm install ./${scope.slice(1)}-server-0.1.0.tgz`,
    `npm install ${scope}/verify`,
    `import { createVerifier } from '${scope}/verify'`,
    'deploy/helm/latchkey',
    'Error: latchkey: the configuration is wrong',
  ])
    t.same(faultsIn(right), [], right)
})

t.test('each npm package has the scope', async (t) => {
  t.match(scope, /^@[a-z][a-z-]+$/)
  t.equal(server.name, `${scope}/server`)
  t.same(Object.keys(server.bin), ['latchkey'])
  t.ok(server.workspaces.length > 1)
  for (const folder of server.workspaces)
    t.equal(packageAt(folder).name, `${scope}/${folder.replace('packages/', '')}`)
})
