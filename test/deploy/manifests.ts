import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')

/** A file of the repository, as text. */
export const text = (path: string): string => readFileSync(join(root, path), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: a manifest is looked into freely
export type Manifest = any

/** One YAML document, anchors and merge keys resolved. */
export const yaml = (path: string): Manifest => parse(text(path), { merge: true })

const chart = join(root, 'deploy/helm/latchkey')
// The version for which helm renders where no cluster says its own.
const version = ['--kube-version', '1.31.0', '--namespace', 'auth']

/** What `helm` says about the chart. @throws Error with its words when it fails */
export const helm = (command: 'lint' | 'template' | 'package', ...args: string[]): string => {
  const named = command === 'template' ? ['latchkey', chart, ...version] : [chart]
  return execFileSync('helm', [command, ...named, ...args], { encoding: 'utf8', stdio: 'pipe' })
}

/** Every manifest of a release with these values. */
export const release = (...values: string[]): Manifest[] =>
  parseAllDocuments(helm('template', ...values.flatMap((one) => ['--set', one])))
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      return document.toJS()
    })
    .filter((manifest) => manifest !== null)

/** Every setting in docs/configuration.md. */
export const settings = (): Set<string> =>
  new Set(
    [...text('docs/configuration.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/[A-Z_]+/g)].map(([name]) => name),
    ),
  )
