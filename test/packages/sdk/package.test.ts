/** What `import … from '@latchkey-auth/sdk'` gives: the files of `npm run build`, through the package's exports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const modules = ['@latchkey-auth/sdk', '@latchkey-auth/sdk/host']

const use = `
import { type ConnectResponse, init, type Latchkey } from '@latchkey-auth/sdk'
import { attach, type Host } from '@latchkey-auth/sdk/host'

const latchkey: Latchkey = init({
  appId: 'app1',
  issuer: 'https://auth.example',
  onConnect: (response: ConnectResponse) => {
    if (response.connected) response.accessToken.length + response.expiresAt
    else response.error.length + Number(response.retryIn) + Number(response.canAsk)
  },
  onSelection: (ids) => ids.map((id) => id.length),
  onFilter: (filter: object) => void filter,
  onShowSelected: (on) => on === true,
})
latchkey.ask()
init()
const host: Host = attach(document.createElement('iframe'), { appId: 'app1' })
host.select(['row1'])
`
const misuse: [what: string, code: string][] = [
  ['a callback of another kind', `init({ onSelection: (ids: number[]) => ids })`],
  ['a parameter that is not there', `init({ onSelect: () => undefined })`],
  ['no app for a frame', `attach(document.createElement('iframe'), {})`],
  ['a token without looking', `init({ onConnect: (response) => response.accessToken })`],
]

/** What the compiler says of each of these files of an app that has the package. */
const faultsOf = (codes: string[]): string[][] => {
  const files = new Map(
    codes.map((code, at) => [join(import.meta.dirname, `app-of-a-test-${at}.ts`), code]),
  )
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, version, ...more) => {
    const code = files.get(name)
    return code === undefined
      ? getSourceFile(name, version, ...more)
      : ts.createSourceFile(name, code, version)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return [...files.keys()].map((path) => {
    const file = program.getSourceFile(path)
    return ts
      .getPreEmitDiagnostics(program, file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  })
}

/** Every file that a module loads, itself first. */
const filesOf = (url: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(url)) return seen
  seen.add(url)
  const imports = readFileSync(fileURLToPath(url), 'utf8').matchAll(/from ['"]([^'"]+)['"]/g)
  for (const [, specifier = ''] of imports) {
    if (!specifier.startsWith('.')) throw new Error(`${url} depends on ${specifier}`)
    filesOf(new URL(specifier, url).href, seen)
  }
  return seen
}

t.test('typed: what the specification names, with its arguments', async (t) => {
  const [imports = ''] = use.split('\n\nconst')
  const [faults, ...others] = faultsOf([use, ...misuse.map(([, code]) => `${imports}\n${code}`)])
  t.same(faults, [])
  for (const [at, [what]] of misuse.entries()) t.equal(others[at]?.length, 1, what)
})

t.test('without dependencies', async (t) => {
  for (const name of modules) {
    const files = filesOf(import.meta.resolve(name))
    t.ok(files.size > 2, `${name}: ${files.size} files`)
  }
})

t.test('import without a browser, as servers that render pages do', async (t) => {
  const [app, host] = await Promise.all(modules.map((name) => import(name)))
  const issuer = 'https://auth.example'
  t.throws(() => app.init({ issuer }), new TypeError('init runs in a browser only'))
  const frame = { src: 'https://app.example/' }
  t.throws(
    () => host.attach(frame, { appId: 'app1', issuer }),
    new TypeError('attach runs in a browser only'),
  )
})
