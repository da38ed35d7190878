/**
 * Who may import whom: the table below is the architecture, and this test reads the files' own imports
 * against it. A new folder has no place in the table until it is given one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import t from 'tap'
import ts from 'typescript'

interface Rule {
  /** Files below src: a file's own path, a folder with `/` for all in it, with `/*` for those directly in it. */
  files: string[]
  /** The same, for `import type` and `export type` only. */
  types?: string[]
  /** Packages by name; one that ends in `:` or `/` stands for all that start so. */
  packages: string[]
}

const everything: Rule = { files: ['**'], packages: ['**'] }
const web = ['fastify', '@fastify/', 'helmet', 'eta', 'jose', 'prom-client', 'typebox', 'node:']
/** A front: its own folder and what all fronts share, never another front. */
const front = (name: string, more: string[] = []): Rule => ({
  files: ['domain/', 'services/', 'http/*', `http/${name}/`, ...more],
  packages: web,
})
/** A backend: its own folder, its own driver, and only the types of what it serves. */
const backend = (name: string, driver: string): Rule => ({
  files: ['domain/', 'stores/*', `stores/${name}/`],
  types: ['services/'],
  packages: [driver, 'node:'],
})
const tokenRules = [
  'core/tokens/access-token-claims.ts',
  'core/crypto/base64url.ts',
  'core/tokens/dpop-proof.ts',
  'core/crypto/ecdsa-signature.ts',
  'core/language/permissions.ts',
  'core/language/scope.ts',
  'core/language/sub-reasons.ts',
]

/** One rule for each folder; a folder below another has its own. */
const rules: Record<string, Rule> = {
  '.': everything, // app.ts, main.ts, stores.ts, config.ts, log.ts, tracing.ts
  cli: everything,
  // A primary and its workers: processes and what they say to each other, nothing of what a server does.
  cluster: { files: ['cluster/'], packages: ['prom-client', 'node:'] },
  demo: everything,
  'demo/client': everything,
  domain: { files: ['domain/'], packages: ['node:crypto', 'node:zlib'] },
  services: {
    files: ['domain/', 'services/'],
    packages: ['jose', 'argon2', 'openid-client', '@simplewebauthn/server', '@zxcvbn-ts/', 'node:'],
  },
  stores: { files: ['domain/', 'stores/*'], types: ['services/'], packages: ['node:'] },
  'stores/postgres': backend('postgres', 'pg'),
  'stores/redis': backend('redis', 'ioredis'),
  'stores/embedded': backend('embedded', 'pg'),
  engine: {
    files: ['domain/', 'services/', 'engine/'],
    packages: ['oidc-provider', 'light-my-request', 'node:'],
  },
  http: { files: ['domain/', 'services/', 'http/*'], packages: web },
  'http/legacy': front('legacy'),
  'http/current': front('current', ['engine/']),
  'http/pages': front('pages'),
  'http/pages/en': { files: ['http/pages/en/', 'http/pages/en/phrase.ts'], packages: [] },
  'http/admin': front('admin'),
  'http/sdk': front('sdk'),
  'http/operations': front('operations'),
  telemetry: {
    files: ['domain/', 'telemetry/'],
    types: ['http/', 'tracing-config.ts'],
    packages: ['@opentelemetry/', 'fastify', 'node:'],
  },
  // Its Fastify plugin apart, as a data API may have another framework.
  verify: { files: ['verify/*', ...tokenRules], packages: ['node:'] },
  'verify/fastify': { files: ['verify/*'], packages: ['fastify'] },
  sdk: { files: ['sdk/'], packages: [] },
}

/** Packages that one folder alone may touch, whatever another folder's rule says. */
const owners: Record<string, string> = {
  'oidc-provider': 'engine',
  '@simplewebauthn/server': 'services',
}

interface Import {
  /** null: not a literal, so nobody can say what it imports. */
  specifier: string | null
  isType: boolean
}

const literal = (node: ts.Node | undefined): string | null =>
  node && ts.isStringLiteralLike(node) ? node.text : null

const importIn = (node: ts.Node): Import | null => {
  if (ts.isImportDeclaration(node))
    return {
      specifier: literal(node.moduleSpecifier),
      // `import { type A }` still loads the module (verbatimModuleSyntax), so only `import type` counts.
      isType: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier)
    return { specifier: literal(node.moduleSpecifier), isType: node.isTypeOnly }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return { specifier: literal(node.argument.literal), isType: true }
  if (ts.isExternalModuleReference(node))
    return { specifier: literal(node.expression), isType: false }
  if (!ts.isCallExpression(node)) return null
  const { expression } = node
  const loads =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require')
  return loads ? { specifier: literal(node.arguments[0]), isType: false } : null
}

const importsOf = (path: string, text: string): Import[] => {
  const found: Import[] = []
  const visit = (node: ts.Node) => {
    const one = importIn(node)
    if (one) found.push(one)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest))
  return found
}

const isLocal = (specifier: string) => specifier.startsWith('.')
const resolveFrom = (path: string, specifier: string) => posix.join(posix.dirname(path), specifier)
const packageOf = (specifier: string) =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')

const allowsFile = (pattern: string, path: string) => {
  if (pattern === '**') return true
  if (pattern.endsWith('*')) return posix.dirname(path) === (posix.dirname(pattern) || '.')
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern
}
const allowsPackage = (pattern: string, name: string) =>
  pattern === '**' || (/[:/]$/.test(pattern) ? name.startsWith(pattern) : name === pattern)

const isAllowed = (rule: Rule, folder: string, path: string, { specifier, isType }: Import) => {
  if (specifier === null) return false
  if (isLocal(specifier)) {
    const target = resolveFrom(path, specifier)
    // Nothing of src reaches beyond it: not into the tests, nor into what was built.
    const open = isType ? [...rule.files, ...(rule.types ?? [])] : rule.files
    return !target.startsWith('..') && open.some((one) => allowsFile(one, target))
  }
  const name = packageOf(specifier)
  const owner = owners[name]
  return (
    rule.packages.some((one) => allowsPackage(one, name)) &&
    (owner === undefined || owner === folder)
  )
}

/** Each import that the table does not allow, each folder that it does not know, each circle. */
const faultsOf = (sources: ReadonlyMap<string, string>): string[] => {
  const faults = new Set<string>()
  const graph = new Map<string, string[]>()
  for (const [path, text] of sources) {
    const folder = posix.dirname(path)
    const rule = rules[folder]
    if (!rule) faults.add(`${folder}/ has no rule`)
    const imports = importsOf(path, text)
    for (const one of imports) {
      if (rule && !isAllowed(rule, folder, path, one))
        faults.add(`${path} must not import ${one.specifier ?? 'what it computes'}`)
    }
    // Types of neighbours in one folder may name each other: nothing is loaded in a circle.
    const local = imports.flatMap(({ specifier, isType }) => {
      if (specifier === null || !isLocal(specifier)) return []
      const target = resolveFrom(path, specifier)
      return isType && posix.dirname(target) === folder ? [] : [target]
    })
    graph.set(path, local)
  }
  for (const circle of circlesIn(graph)) faults.add(`circle: ${circle.join(' → ')}`)
  return [...faults].sort()
}

/** Files that reach themselves, each circle once, from where it is first met. */
const circlesIn = (graph: ReadonlyMap<string, string[]>): string[][] => {
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, trail: string[]) => {
    const at = trail.indexOf(path)
    if (at >= 0) circles.push([...trail.slice(at), path])
    if (at >= 0 || done.has(path)) return
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return circles
}

const sourcesBelow = (base: string): Map<string, string> => {
  const names = readdirSync(base, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => /\.[cm]?tsx?$/.test(name))
      .map((name) => [name.split(sep).join('/'), readFileSync(join(base, name), 'utf8')]),
  )
}

t.test('every file of src imports only what its folder may', async (t) => {
  const sources = sourcesBelow(join(import.meta.dirname, '../src'))
  t.ok(sources.size > 50, 'the files were found')
  t.same(faultsOf(sources), [])
})

t.test('an example stands alone: its own files, packages, and of ours what is exported', (t) => {
  const packages = ['latchkey', 'fastify', 'graphql', 'mercurius', 'pg', 'node:']
  for (const [path, text] of sourcesBelow(join(import.meta.dirname, '../examples/data-api')))
    for (const { specifier } of importsOf(path, text)) {
      const isOwn = specifier !== null && isLocal(specifier)
      const isAllowedHere = isOwn
        ? !resolveFrom(path, specifier).startsWith('..')
        : packages.some((one) => allowsPackage(one, packageOf(specifier ?? '')))
      t.ok(isAllowedHere, `${path} imports ${specifier ?? 'what it computes'}`)
    }
  t.end()
})

t.test('the check sees what it is there for', async (t) => {
  const madeUp: [what: string, path: string, text: string, fault: string | null][] = [
    ['a neighbour', 'domain/a.ts', `import { b } from './b.ts'`, null],
    ['I/O in a rule', 'domain/a.ts', `import 'node:fs'`, 'domain/a.ts must not import node:fs'],
    ['a step back up', 'domain/a.ts', `import type { S } from '../services/s.ts'`, 'services/s.ts'],
    ['a driver', 'services/a.ts', `import pg from 'pg'`, 'services/a.ts must not import pg'],
    ['a store', 'services/a.ts', `import { s } from '../stores/postgres/s.ts'`, 'postgres/s.ts'],
    ['a type', 'stores/redis/a.ts', `import type { S } from '../../services/s.ts'`, null],
    ['a value', 'stores/redis/a.ts', `import { s } from '../../services/s.ts'`, 'services/s.ts'],
    ['a load', 'stores/redis/a.ts', `import { type S } from '../../services/s.ts'`, 'services/s'],
    ['shared', 'stores/redis/a.ts', `import { c } from '../store-clock.ts'`, null],
    ['other driver', 'stores/redis/a.ts', `import pg from 'pg'`, 'must not import pg'],
    ['other backend', 'stores/redis/a.ts', `export * from '../postgres/b.ts'`, 'postgres/b.ts'],
    ['its engine', 'http/current/a.ts', `import { e } from '../../engine/engine.ts'`, null],
    ['engine', 'http/legacy/a.ts', `import { e } from '../../engine/e.ts'`, 'engine/e.ts'],
    ['another front', 'http/legacy/a.ts', `import { t } from '../current/t.ts'`, 'current/t.ts'],
    ['a front', 'http/a.ts', `import { t } from './current/t.ts'`, 'current/t.ts'],
    ['a plugin', 'http/pages/a.ts', `import csrf from '@fastify/csrf-protection'`, null],
    ['a sub-path', 'services/a.ts', `import { x } from 'jose/errors'`, null],
    ['a look-alike', 'services/a.ts', `import x from 'josephine'`, 'must not import josephine'],
    ['the provider', 'app.ts', `import { Provider } from 'oidc-provider'`, 'oidc-provider'],
    ['dynamic', 'services/a.ts', `const pg = await import('pg')`, 'must not import pg'],
    ['computed', 'app.ts', 'const x = await import(name)', 'what it computes'],
    ['require', 'services/a.ts', `const pg = require('pg')`, 'must not import pg'],
    ['in a type', 'domain/a.ts', `type P = import('pg').Pool`, 'must not import pg'],
    ['a comment', 'domain/a.ts', `// import pg from 'pg'\nconst text = "import 'pg'"`, null],
    ['a test', 'app.ts', `import { x } from '../test/support/x.ts'`, 'test/support/x.ts'],
    ['a new folder', 'helpers/a.ts', '', 'helpers/ has no rule'],
    ['a folder below', 'domain/more/a.ts', '', 'domain/more/ has no rule'],
    ['itself', 'app.ts', `import './app.ts'`, 'circle: app.ts → app.ts'],
  ]
  for (const [what, path, text, fault] of madeUp) {
    const found = faultsOf(new Map([[path, text]]))
    if (fault === null) t.same(found, [], what)
    else t.match(found.join('\n'), fault, what)
  }
})

t.test('a circle is seen through any number of files', async (t) => {
  const circle = new Map([
    ['domain/a.ts', `export { b } from './b.ts'`],
    ['domain/b.ts', `import { c } from './c.ts'`],
    ['domain/c.ts', `const a = await import('./a.ts')`],
    ['domain/d.ts', `import './a.ts'`],
  ])
  t.same(faultsOf(circle), ['circle: domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts'])
  circle.set('domain/c.ts', `import type { A } from './a.ts'`)
  t.same(faultsOf(circle), [], 'a type of a neighbour is none')
  const across = new Map([
    ['app.ts', `import './cli/run.ts'`],
    ['cli/run.ts', `import type { Latchkey } from '../app.ts'`],
  ])
  t.same(faultsOf(across), ['circle: app.ts → cli/run.ts → app.ts'], 'across folders it is one')
})
