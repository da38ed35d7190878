/**
 * Import rules: the table below is the architecture, and this test compares the files' imports with
 * it. A new folder needs a row in the table.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import t from 'tap'
import ts from 'typescript'

interface Rule {
  /** Files, from src or from the top level: a file's own path, a folder with `/` for all in it, with `/*` for those directly in it. */
  files: string[]
  /** The same, for `import type` and `export type` only. */
  types?: string[]
  /** Packages by name; a name that ends in `:` or `/` covers all that start so. */
  packages: string[]
}

const everything: Rule = { files: ['**'], packages: ['**'] }

/** Each folder may import itself and the folders before it. */
const upwards = (parent: string, names: readonly string[], rule: Rule): Record<string, Rule> =>
  Object.fromEntries(
    names.map((name, at) => [
      `${parent}/${name}`,
      {
        ...rule,
        files: [...rule.files, ...names.slice(0, at + 1).map((one) => `${parent}/${one}/`)],
      },
    ]),
  )

/** The capabilities, from the ground up. */
const capabilities = [
  'crypto',
  'language',
  'limits',
  'audit',
  'credentials',
  'outbound',
  'people',
  'clients',
  'logos',
  'client-documents',
  'webhooks',
  'notifications',
  'organizations',
  'audit-streams',
  'provisioning',
  'tokens',
  'grants',
  'introspection',
  'delegation',
  'authorization',
  'inspection',
]
/** The pure rules of tokens, which data APIs need too: part of the package, and the ground of `core`. */
const tokenRules = 'packages/verify/src/rules/'
const web = ['fastify', '@fastify/', 'helmet', 'eta', 'jose', 'prom-client', 'typebox', 'node:']
/** What the fronts share. */
const shared = ['oauth', 'server', 'browser']
const sharedFolders = shared.map((name) => `http/${name}/`)
/** A front: its own folder and the shared folders, never another front. */
const front = (name: string): Rule => ({
  files: ['core/', tokenRules, ...sharedFolders, `http/${name}/`],
  packages: web,
})
/** Rules of `core` that a store needs as values; of the rest it may import types. */
const storedRules = [
  'core/crypto/',
  'core/language/',
  'core/audit/notice-types.ts',
  'core/clients/openid.ts',
  'core/clients/successor-rules.ts',
  'core/grants/code-lifetime.ts',
  'core/grants/unsettled-rules.ts',
  'core/notifications/mail-rules.ts',
  'core/webhooks/events.ts',
]
/** A backend: its own folder, its own driver, and only the types of what it serves. */
const backend = (name: string, driver: string): Rule => ({
  files: [...storedRules, 'stores/*', `stores/${name}/`],
  types: ['core/'],
  packages: [driver, 'node:'],
})

/** Folders whose subfolders have the rule of the folder. Any other subfolder has its own. */
const secondFloors = [
  'cli',
  'http/operator',
  'pages/operator',
  'pages/organization',
  'pages/rendering',
]

/** One rule for each folder. */
const rules: Record<string, Rule> = {
  '.': everything, // main.ts
  cli: everything,
  app: everything, // the wiring
  'app/services': everything,
  'app/fronts': everything,
  'app/test-server': everything,
  // A primary and its workers: processes and their messages, not the server itself.
  'app/cluster': { files: ['app/cluster/'], packages: ['prom-client', 'node:'] },
  'app/telemetry': {
    files: ['core/language/', 'core/clients/', 'app/telemetry/'],
    types: ['core/', 'http/', 'config/'],
    packages: ['@opentelemetry/', 'fastify', 'node:'],
  },
  // Defaults of settings are defined where the setting is used.
  config: { files: ['config/', 'core/', 'http/', 'stores/'], packages: ['**'] },
  ...upwards('core', capabilities, {
    files: [tokenRules],
    packages: [
      '@formatjs/intl-localematcher',
      'jose',
      'argon2',
      'bcrypt',
      'openid-client',
      '@simplewebauthn/server',
      '@zxcvbn-ts/',
      'http-cache-semantics',
      'sharp',
      'node:',
    ],
  }),
  'core/crypto': { files: [tokenRules, 'core/crypto/'], packages: ['node:crypto', 'node:zlib'] },
  stores: { files: ['core/language/', 'stores/*'], types: ['core/'], packages: ['node:'] },
  // The list of its stores.
  'stores/postgres': { files: ['stores/postgres/'], packages: [] },
  ...upwards(
    'stores/postgres',
    [
      'connection',
      ...capabilities.filter(
        (name) => !['crypto', 'language', 'limits', 'outbound'].includes(name),
      ),
    ],
    backend('postgres/none', 'pg'),
  ),
  'stores/redis': backend('redis', 'ioredis'),
  'stores/embedded': backend('embedded', 'pg'),
  ...upwards('http', shared, { files: ['core/', tokenRules], packages: web }),
  'http/legacy': front('legacy'),
  'http/current': front('current'),
  'http/current/engine': {
    files: ['core/', tokenRules, 'http/current/engine/'],
    packages: ['oidc-provider', 'light-my-request', 'node:'],
  },
  'http/operator': front('operator'),
  'http/scim': front('scim'),
  'http/sdk': front('sdk'),
  'http/operations': front('operations'),
  // Mails use the words of the pages.
  'http/mail': {
    files: ['core/', 'http/mail/', 'http/server/escape.ts', 'words/'],
    packages: ['eta', 'nodemailer', 'node:'],
  },
  pages: { files: ['core/', 'words/', ...sharedFolders, 'pages/'], packages: web },
  ...upwards(
    'pages',
    ['rendering', 'sign-in', 'organization', 'authorization', 'account', 'developer', 'operator'],
    { files: ['core/', 'words/', ...sharedFolders], packages: web },
  ),
  // The console calls the Operator API in this process, and takes the types of its answers from there.
  'pages/operator': {
    files: ['core/', 'words/', ...sharedFolders, 'pages/'],
    types: ['http/operator/'],
    packages: web,
  },
  // The door is a process of its own: the library for data APIs behind a small server.
  door: {
    files: [
      'door/',
      'http/operations/declare.ts',
      'http/server/client-errors.ts',
      'http/server/request-id.ts',
      'packages/verify/src/verify.ts',
      tokenRules,
    ],
    types: ['config/door.ts'],
    packages: ['prom-client', 'node:'],
  },
  words: { files: ['core/language/', 'words/'], packages: ['intl-messageformat', 'node:fs'] },
  'words/en': {
    files: ['core/language/', 'words/'],
    types: ['core/clients/app-settings.ts'],
    packages: [],
  },
  // Packages import nothing of the server.
  'packages/verify/src': { files: ['packages/verify/src/*', tokenRules], packages: ['node:'] },
  'packages/verify/src/rules': { files: [tokenRules], packages: [] },
  // Middleware has a folder for each framework, and only Fastify's plugin needs the types of its framework.
  'packages/verify/src/express': {
    files: ['packages/verify/src/*', 'packages/verify/src/node/'],
    packages: [],
  },
  'packages/verify/src/graphql': { files: ['packages/verify/src/*'], packages: [] },
  'packages/verify/src/hono': { files: ['packages/verify/src/*'], packages: [] },
  'packages/verify/src/node': { files: ['packages/verify/src/*'], packages: [] },
  // The Fastify plugin is separate, because a data API may use another framework.
  'packages/verify/src/fastify': { files: ['packages/verify/src/*'], packages: ['fastify'] },
  'packages/sdk/src': { files: ['packages/sdk/src/'], packages: [] },
  // The demo starts a server. Nothing in src imports the demo.
  demo: {
    files: ['demo/', 'app/', 'cli/', 'config/', 'stores/embedded/'],
    packages: ['pg', 'node:'],
  },
  'demo/client': {
    files: ['demo/'],
    packages: ['fastify', '@fastify/', 'eta', 'graphql-ws', 'ws', 'node:'],
  },
}

/** Packages that only one folder may import, whatever the other rules say. */
const owners: Record<string, string> = {
  'oidc-provider': 'http/current/engine',
  '@simplewebauthn/server': 'core/people',
  argon2: 'core/people',
  bcrypt: 'core/people',
  sharp: 'core/logos',
  'openid-client': 'core/people',
  'intl-messageformat': 'words',
  '@formatjs/intl-localematcher': 'core/language',
  nodemailer: 'http/mail',
}

interface Import {
  /** null: not a literal, so the import cannot be checked. */
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

const isLocal = (specifier: string) => /^(?:\.|#verify\/|#dist\/)/.test(specifier)
/** `#verify` and `#dist` are `imports` of package.json. */
const resolveFrom = (path: string, specifier: string) => {
  if (specifier.startsWith('#verify/'))
    return `${specifier.replace('#verify/', 'packages/verify/src/')}.ts`
  if (specifier.startsWith('#dist/')) return specifier.replace('#dist/', '').replace(/\.js$/, '.ts')
  return posix.join(posix.dirname(path), specifier)
}
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
  // The server has its own files; what was built of them is for the demo.
  if (specifier.startsWith('#dist/') && !folder.startsWith('demo')) return false
  if (isLocal(specifier)) {
    const target = resolveFrom(path, specifier)
    // src imports nothing outside it: neither tests nor build output.
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

/** Every forbidden import, unknown folder and import cycle. */
const faultsOf = (sources: ReadonlyMap<string, string>): string[] => {
  const faults = new Set<string>()
  const graph = new Map<string, string[]>()
  for (const [path, text] of sources) {
    const folder = posix.dirname(path)
    const rule =
      rules[secondFloors.includes(posix.dirname(folder)) ? posix.dirname(folder) : folder]
    if (!rule) faults.add(`${folder}/ has no rule`)
    const imports = importsOf(path, text)
    for (const one of imports) {
      if (rule && !isAllowed(rule, folder, path, one))
        faults.add(`${path} must not import ${one.specifier ?? 'what it computes'}`)
    }
    const local = imports.flatMap(({ specifier }) =>
      specifier === null || !isLocal(specifier) ? [] : [resolveFrom(path, specifier)],
    )
    graph.set(path, local)
  }
  for (const circle of circlesIn(graph)) faults.add(`circle: ${circle.join(' → ')}`)
  return [...faults].sort()
}

/** Import cycles, each once, from its first file. */
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

const root = join(import.meta.dirname, '..')

/** @param prefix begins the paths of the files */
const sourcesBelow = (folder: string, prefix = ''): Map<string, string> => {
  const base = join(root, folder)
  const names = readdirSync(base, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => /\.[cm]?tsx?$/.test(name) && !/(?:^|\W)(?:dist|node_modules)\W/.test(name))
      .map((name) => [
        `${prefix}${name.split(sep).join('/')}`,
        readFileSync(join(base, name), 'utf8'),
      ]),
  )
}

t.test(
  'every file of the server, packages and demo imports only what its folder may',
  async (t) => {
    const sources = new Map([
      ...sourcesBelow('src'),
      ...sourcesBelow('packages', 'packages/'),
      ...sourcesBelow('demo', 'demo/'),
    ])
    t.ok(sources.size > 50, 'the files were found')
    const inRoot = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((one) =>
      one.isFile(),
    )
    t.same(
      inRoot.map(({ name }) => name),
      ['main.ts'],
      'the root of src is the command line alone',
    )
    t.same(faultsOf(sources), [])
  },
)

/** What opens a connection; `*`: everything. Only `core/outbound` uses it, which bounds addresses, redirects, size and time. */
const connecting: Record<string, readonly string[]> = {
  'node:http': ['request', 'get', 'Agent', 'ClientRequest', 'globalAgent'],
  'node:https': ['request', 'get', 'Agent', 'globalAgent'],
  'node:http2': ['connect'],
  'node:net': ['connect', 'createConnection', 'Socket'],
  'node:tls': ['connect', 'TLSSocket'],
  'node:dgram': ['*'],
  'node:dns': ['*'],
  'node:dns/promises': ['*'],
  jose: ['createRemoteJWKSet'],
  undici: ['*'],
  'openid-client': ['*'],
  ioredis: ['*'],
  pg: ['*'],
  nodemailer: ['*'],
  '@opentelemetry/exporter-trace-otlp-proto': ['*'],
}
const connectingGlobals = ['fetch', 'WebSocket', 'EventSource']

/** Files, and folders with `/`, that open connections otherwise, and why. */
const connectsElsewhere: Record<string, string> = {
  'core/outbound/': 'the one place',
  'core/people/platform-provider.ts': 'openid-client, with the fetch of core/outbound',
  'cli/conform/try.ts': 'it tries the data API, and asks the test server, that its user names',
  'cli/operator-api.ts': 'the command line asks the server that its user names',
  'cli/server-address.ts': 'the command line asks its own server',
  'cli/resources/import.ts': 'the command line sends to the server that its user names',
  'cli/takeover/old-store.ts': 'the command line reads the database that its user names',
  'stores/embedded/': 'Postgres on a socket of this machine',
  'stores/postgres/connection/': 'Postgres of the operator',
  'stores/redis/': 'Redis of the operator',
  'http/mail/mail-sender.ts': 'the SMTP server of the operator',
  'app/telemetry/tracing.ts': 'the collector of the operator',
  'http/current/engine/in-process.ts': 'a socket that is never connected',
}

/** The names that an import takes as values; `*` when it takes the whole module. */
const valuesOf = (node: ts.Node): string[] => {
  if (!ts.isImportDeclaration(node)) return ['*']
  const { importClause } = node
  const { namedBindings } = importClause ?? {}
  if (!namedBindings || !ts.isNamedImports(namedBindings) || importClause?.name) return ['*']
  return namedBindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => (propertyName ?? name).text)
}

/** True for the global of this name, not for a member of another object or a key. */
const isGlobalUse = (node: ts.Node): boolean => {
  if (!ts.isIdentifier(node) || !connectingGlobals.includes(node.text)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return /^(?:globalThis|global|window|self)$/.test(parent.expression.getText())
  const isKey = 'name' in parent && parent.name === node
  return !isKey || ts.isVariableDeclaration(parent) || ts.isShorthandPropertyAssignment(parent)
}

/** What a file connects with. */
const connectionsIn = (path: string, text: string): string[] => {
  const found: string[] = []
  const visit = (node: ts.Node) => {
    const one = importIn(node)
    const names = one?.specifier && !one.isType ? (connecting[one.specifier] ?? []) : []
    const values = valuesOf(node)
    if (names.some((name) => name === '*' || values.includes('*') || values.includes(name)))
      found.push(one?.specifier ?? '')
    if (isGlobalUse(node)) found.push((node as ts.Identifier).text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return found
}

t.test('only core/outbound connects to other servers, and a few files with a reason', (t) => {
  const sources = sourcesBelow('src')
  const connects = [...sources].filter(([path, text]) => connectionsIn(path, text).length > 0)
  const allowed = Object.keys(connectsElsewhere)
  const faults = connects
    .filter(([path]) => !allowed.some((one) => allowsFile(one, path)))
    .map(([path, text]) => `${path} connects with ${connectionsIn(path, text)}`)
  t.same(faults, [])
  const idle = allowed.filter((one) => !connects.some(([path]) => allowsFile(one, path)))
  t.same(idle, [], 'each entry is needed')
  const provider = sources.get('core/people/platform-provider.ts') ?? ''
  t.match(provider, '[client.customFetch]: createBoundedFetch(')
  t.match(sources.get('http/current/engine/provider.ts'), /fetch: async \(\) => \{\s+throw /)
  for (const [text, found] of [
    ["import { request } from 'node:https'", ['node:https']],
    ["import { createServer, type Agent } from 'node:http'", []],
    ["import { get as read } from 'node:http'", ['node:http']],
    ["import * as http from 'node:http'", ['node:http']],
    ["import type { Socket } from 'node:net'", []],
    ["export { connect } from 'node:net'", ['node:net']],
    ["await import('undici')", ['undici']],
    ["import { createRemoteJWKSet } from 'jose'", ['jose']],
    ['await fetch(url)', ['fetch']],
    ['await globalThis.fetch(url)', ['fetch']],
    ['const read = fetch', ['fetch']],
    ['run({ fetch })', ['fetch']],
    ['new WebSocket(url)', ['WebSocket']],
    ['options.fetch(url)', []],
    ['run({ fetch: refuse })', []],
  ] as const)
    t.same(connectionsIn('x.ts', text), found, text)
  t.end()
})

t.test('an example imports only its own files, packages and public exports', (t) => {
  const common = ['@latchkey-auth/verify', 'node:']
  const servers = ['fastify', '@fastify/websocket', 'ws', 'graphql', 'mercurius', 'pg']
  const files = ['aws4fetch', 'range-parser', 'jsep']
  const pages = ['graphiql', '@graphiql/', 'graphql-ws', 'react', 'react-dom']
  const examples: [folder: string, packages: string[], others: string[]][] = [
    ['examples/data-api', [...common, ...servers, ...files, ...pages], []],
    // The MCP server is another front of the data API.
    ['examples/mcp-server', [...common, '@modelcontextprotocol/', 'zod'], ['../data-api/']],
  ]
  for (const [folder, packages, others] of examples)
    for (const [path, text] of sourcesBelow(folder))
      for (const { specifier } of importsOf(path, text)) {
        const isOwn = specifier !== null && isLocal(specifier)
        const target = isOwn ? resolveFrom(path, specifier) : ''
        const isAllowedHere = isOwn
          ? !target.startsWith('..') || others.some((one) => target.startsWith(one))
          : packages.some((one) => allowsPackage(one, packageOf(specifier ?? '')))
        t.ok(isAllowedHere, `${path} imports ${specifier ?? 'what it computes'}`)
      }
  t.end()
})

t.test('the check reports forbidden imports', async (t) => {
  const madeUp: [what: string, path: string, text: string, fault: string | null][] = [
    ['a neighbour', 'core/grants/a.ts', `import { b } from './b.ts'`, null],
    ['below', 'core/grants/a.ts', `import { b } from '../people/b.ts'`, null],
    [
      'above',
      'core/people/a.ts',
      `import { b } from '../grants/b.ts'`,
      'core/people/a.ts must not',
    ],
    ['a type above', 'core/audit/a.ts', `import type { B } from '../people/b.ts'`, 'people/b.ts'],
    [
      'I/O in a rule',
      'core/crypto/a.ts',
      `import 'node:fs'`,
      'core/crypto/a.ts must not import node:fs',
    ],
    ['a driver', 'core/grants/a.ts', `import pg from 'pg'`, 'core/grants/a.ts must not import pg'],
    ['a store', 'core/grants/a.ts', `import { s } from '../../stores/redis/s.ts'`, 'redis/s.ts'],
    ['a front', 'core/grants/a.ts', `import { s } from '../../http/oauth/s.ts'`, 'oauth/s.ts'],
    ['a type', 'stores/redis/a.ts', `import type { S } from '../../core/grants/s.ts'`, null],
    ['a value', 'stores/redis/a.ts', `import { s } from '../../core/grants/s.ts'`, 'grants/s.ts'],
    [
      'a load',
      'stores/redis/a.ts',
      `import { type S } from '../../core/grants/s.ts'`,
      'grants/s.ts',
    ],
    ['shared', 'stores/redis/a.ts', `import { c } from '../store-clock.ts'`, null],
    ['other driver', 'stores/redis/a.ts', `import pg from 'pg'`, 'must not import pg'],
    [
      'other backend',
      'stores/redis/a.ts',
      `export * from '../postgres/grants/b.ts'`,
      'grants/b.ts',
    ],
    [
      'a store above',
      'stores/postgres/audit/a.ts',
      `import { g } from '../grants/g.ts'`,
      'grants/g',
    ],
    ['its engine', 'http/current/a.ts', `import { e } from './engine/engine.ts'`, null],
    ['an engine', 'http/legacy/a.ts', `import { e } from '../current/engine/e.ts'`, 'engine/e.ts'],
    ['another front', 'http/legacy/a.ts', `import { t } from '../current/t.ts'`, 'current/t.ts'],
    ['a front', 'http/oauth/a.ts', `import { t } from '../current/t.ts'`, 'current/t.ts'],
    ['a plugin', 'pages/a.ts', `import csrf from '@fastify/csrf-protection'`, null],
    ['a sub-path', 'core/tokens/a.ts', `import { x } from 'jose/errors'`, null],
    ['a look-alike', 'core/tokens/a.ts', `import x from 'josephine'`, 'must not import josephine'],
    ['the provider', 'app/app.ts', `import { Provider } from 'oidc-provider'`, 'oidc-provider'],
    ['dynamic', 'core/tokens/a.ts', `const pg = await import('pg')`, 'must not import pg'],
    ['computed', 'app/app.ts', 'const x = await import(name)', 'what it computes'],
    ['require', 'core/tokens/a.ts', `const pg = require('pg')`, 'must not import pg'],
    ['in a type', 'core/tokens/a.ts', `type P = import('pg').Pool`, 'must not import pg'],
    ['a comment', 'core/tokens/a.ts', `// import pg from 'pg'\nconst text = "import 'pg'"`, null],
    ['a test', 'main.ts', `import { x } from '../test/support/x.ts'`, 'test/support/x.ts'],
    ['a token rule', 'core/tokens/a.ts', `import { x } from '#verify/rules/x'`, null],
    [
      'the verifier',
      'core/tokens/a.ts',
      `import { v } from '#verify/verify'`,
      'must not import #verify/verify',
    ],
    [
      'around the alias',
      'core/tokens/a.ts',
      `import { x } from '../../../packages/verify/src/rules/x.ts'`,
      'must not',
    ],
    [
      'the server',
      'packages/verify/src/rules/a.ts',
      `import { x } from '../../../../src/core/x.ts'`,
      'core/x.ts',
    ],
    [
      'a package’s package',
      'packages/verify/src/a.ts',
      `import Fastify from 'fastify'`,
      'must not import fastify',
    ],
    ['the demo', 'app/app.ts', `import { startDemo } from '../../demo/demo.ts'`, 'demo/demo.ts'],
    ['a server', 'demo/a.ts', `import { createLatchkey } from '#dist/app/app.js'`, null],
    [
      'a service',
      'demo/a.ts',
      `import { g } from '#dist/core/grants/g.js'`,
      'must not import #dist',
    ],
    ['the build', 'app/app.ts', `import { x } from '#dist/app/x.js'`, 'must not import #dist'],
    ['a new folder', 'helpers/a.ts', '', 'helpers/ has no rule'],
    ['a folder below', 'core/tokens/more/a.ts', '', 'core/tokens/more/ has no rule'],
    ['itself', 'main.ts', `import './main.ts'`, 'circle: main.ts → main.ts'],
  ]
  for (const [what, path, text, fault] of madeUp) {
    const found = faultsOf(new Map([[path, text]]))
    if (fault === null) t.same(found, [], what)
    else t.match(found.join('\n'), fault, what)
  }
})

t.test('finds a cycle through any number of files', async (t) => {
  const circle = new Map([
    ['core/audit/a.ts', `export { b } from './b.ts'`],
    ['core/audit/b.ts', `import { c } from './c.ts'`],
    ['core/audit/c.ts', `const a = await import('./a.ts')`],
    ['core/audit/d.ts', `import './a.ts'`],
  ])
  const fault = 'circle: core/audit/a.ts → core/audit/b.ts → core/audit/c.ts → core/audit/a.ts'
  t.same(faultsOf(circle), [fault])
  circle.set('core/audit/c.ts', `import type { A } from './a.ts'`)
  t.same(faultsOf(circle), [fault], 'a type import closes a cycle too')
  const across = new Map([
    ['app/app.ts', `import '../cli/run.ts'`],
    ['cli/run.ts', `import type { Latchkey } from '../app/app.ts'`],
  ])
  t.same(
    faultsOf(across),
    ['circle: app/app.ts → cli/run.ts → app/app.ts'],
    'a cycle across folders',
  )
})
