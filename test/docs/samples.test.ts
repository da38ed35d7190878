/** Every documentation example is run by a test, and every command in it exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import t from 'tap'
import { commands } from '../../src/cli/commands.ts'
import { examplesOf } from './examples.ts'
import { checkParts, type Parts } from './follow.ts'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
  .map((name) => posix.join('docs', name.split(sep).join('/')))
const pages = ['README.md', ...docs]

const withoutExamples = [
  'client-authentication',
  'errors',
  'fapi',
  'identity-assertions',
  'without-a-secret',
].map((name) => `docs/for-apps/${name}.md`)
const forApps = Object.fromEntries(
  docs
    .filter((name) => name.startsWith('docs/for-apps/') && !withoutExamples.includes(name))
    .map((name) => [name, 'for-apps-parts.ts']),
)

/** The tests that run the examples of a page. */
const tests: Record<string, string> = {
  'docs/errors.md': 'operator-commands.test.ts',
  'docs/for-apps.md': 'for-apps-parts.ts',
  ...forApps,
  'docs/for-data-apis.md': 'for-data-apis.test.ts',
  'docs/install.md': 'install.test.ts',
  'docs/administering.md': 'operator-commands.test.ts',
  'docs/deploying.md': 'operator-commands.test.ts',
  'docs/keys-and-secrets.md': 'operator-commands.test.ts',
  'docs/observing.md': 'operator-commands.test.ts',
  'docs/operating.md': 'operator-commands.test.ts',
}

/** Pages without a runnable example, and the reason. */
const readOnly: Record<string, Parts> = {
  'README.md': {
    'Try it': 'installs and builds under the running tests; test/demo runs the demo',
    'Try it 2':
      'installs and builds under the running tests; test/docs/install.test.ts starts an empty server',
  },
  'docs/as-code.md': {
    'A folder': 'test/cli/apply.test.ts applies the folder of the page',
    Deletions: 'the same',
    'From a running server': 'the same',
  },
  'docs/conform.md': {
    'The beginning': 'test/cli/conform.test.ts writes such a file',
    'The beginning 2': 'needs a data API that trusts a test server, as the same test starts',
  },
  'docs/for-web-apps.md': {
    'In the app': 'a part of a page in a browser; test/browser runs whole ones',
    "On the platform's page": 'one setting of the server',
  },
  'docs/move-in.md': {
    'Weeks before': 'reads the store of another server; test/cli/takeover does',
    'The evening': 'the same, into a running server',
    'The way back': 'lists what such a test has used',
  },
  'docs/performance.md': {
    'On a newer Node': 'fetches another Node',
  },
  'docs/performance-servers.md': {
    'Servers that the benchmark knows': 'fetches and builds another server',
    'Servers that the benchmark knows 2': 'fetches and builds another server',
    'Servers that the benchmark knows 3': 'needs both',
    'Add a server': 'needs the other server',
  },
}

t.test('each example has a test, or a reason', async (t) => {
  for (const page of pages) {
    const file = tests[page]
    if (file) {
      const path = join('test/docs', file)
      t.ok(existsSync(join(root, path)) && textOf(path).includes(`'${page}'`), `${page}: ${path}`)
    } else checkParts(t, page, readOnly[page] ?? {})
  }
  for (const page of [...Object.keys(tests), ...Object.keys(readOnly)])
    t.ok(examplesOf(page).length > 0, `${page} has examples`)
})

/** `npx --no latchkey app update`: words up to the first option or value. */
const mentioned = (page: string) =>
  [...textOf(page).matchAll(/\blatchkey ((?:[a-z][a-z-]* ?){1,2})((?:[^`\n]|\\\n)*)/g)].map(
    ([all, words = '', rest = '']) => ({ all, words: words.trim().split(' '), rest }),
  )

t.test('each command on a page exists, with its options', async (t) => {
  let found = 0
  for (const page of pages) {
    for (const { all, words, rest } of mentioned(page)) {
      const command = commands.find(({ name }) => name === words[0])
      if (!command) continue
      const action = command.actions.find(({ name }) => name === '' || name === words[1])
      t.ok(action || words.length === 1, `${page}: ${all}`)
      found++
      for (const [, option = ''] of rest.matchAll(/(?:^| )--([a-z-]+)/g))
        t.ok(option === 'help' || option in (action?.options ?? {}), `${page}: ${all}: --${option}`)
    }
  }
  t.ok(found > 30, `${found} found`)
})

t.test('each token and secret on a page begins as the server makes it', async (t) => {
  const made = ['src/core/crypto/identifiers.ts', 'src/core/grants/token-format.ts'].map(textOf)
  for (const page of pages)
    for (const [prefix] of textOf(page).matchAll(/\blk[a-z]{2}_/g))
      t.match(made.join(''), `'${prefix}'`, `${page}: ${prefix}`)
})

t.test('each npm script on a page exists', async (t) => {
  const { scripts } = JSON.parse(textOf('package.json'))
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name),
  )
  t.ok(named.length > 5)
  for (const name of named) t.ok(name in scripts, `npm run ${name}`)
})
