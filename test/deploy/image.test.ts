/** The Dockerfile copies what is there and what `.dockerignore` lets through. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import t from 'tap'
import { isInstalled, whereFound } from '../support/installed.ts'
import { text } from './manifests.ts'

const root = join(import.meta.dirname, '../..')
const isRepository = existsSync(join(root, '.git')) && isInstalled('git')
const equipped = whereFound(isRepository, 'the git repository')

interface Rule {
  includes: boolean
  pattern: RegExp
}

const escaped = (part: string) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')

/** A pattern matches a path and everything below it. The last rule that matches decides. */
const ruleOf = (line: string): Rule => {
  const bare = line.replace(/^!/, '')
  const expression = bare.split('*').map(escaped).join('[^/]*')
  return { includes: line.startsWith('!'), pattern: new RegExp(`^${expression}(/|$)`) }
}
const passes = (rules: readonly Rule[]) => (path: string) =>
  rules.findLast(({ pattern }) => pattern.test(path))?.includes ?? true

const ignored = text('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Files of a clone that reach the build. */
const contextOf = (lines: readonly string[]): string[] =>
  execFileSync('git', ['-C', root, 'ls-files'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n')
    .filter(passes(lines.map(ruleOf)))

/** Sources of each COPY from the clone. */
const copied = () =>
  [...text('Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words = '']) =>
    words
      .trim()
      .split(/\s+/)
      .slice(0, -1)
      .map((source) => posix.normalize(source)),
  )

t.test('each file that the Dockerfile copies is there', equipped, async (t) => {
  const context = contextOf(ignored)
  const sources = copied()
  t.ok(sources.length > 15, `${sources.length} sources`)
  for (const source of sources)
    t.ok(
      context.some((path) => path === source || path.startsWith(`${source}/`)),
      source,
    )
  for (const line of ignored.filter((one) => one.startsWith('!')))
    t.ok(existsSync(join(root, line.slice(1))), line)
})

t.test('each script of the build finds what it imports', equipped, async (t) => {
  const context = new Set(contextOf(ignored))
  const scripts = [...context].filter((path) => /^(scripts|packages)\/[\w/-]+\.mjs$/.test(path))
  t.ok(scripts.includes('scripts/build.mjs'))
  for (const script of scripts)
    for (const [, target = ''] of text(script).matchAll(/\bfrom '(\.[^']+)'/g)) {
      const path = posix.join(posix.dirname(script), target)
      t.ok(context.has(path), `${script} imports ${path}`)
    }
})

t.test('the image takes nothing private and nothing that was built before', async (t) => {
  const passesThrough = passes(ignored.map(ruleOf))
  for (const path of [
    '.git/config',
    '.env',
    'data/secrets.json',
    'data/demo/app.env',
    'deploy/secrets/master_key',
    'dist/main.js',
    'node_modules/argon2/package.json',
    'packages/verify/dist/esm/verify.js',
    'examples/data-api/dist/main.js',
    'latchkey.env',
  ])
    t.notOk(passesThrough(path), path)
  t.ok(passesThrough('src/main.ts'))
  t.ok(passesThrough('packages/verify/src/verify.ts'))
})
