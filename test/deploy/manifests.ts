import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')

/** A file of the repository, as text. */
export const text = (path: string): string => readFileSync(join(root, path), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: a manifest is looked into freely
export type Manifest = any

/** One YAML document, anchors and merge keys resolved. */
export const yaml = (path: string): Manifest => parse(text(path), { merge: true })

/** Every document of the Kubernetes manifests, with its file. */
export const kubernetes = (): { file: string; manifest: Manifest }[] =>
  readdirSync(join(root, 'deploy/kubernetes')).flatMap((file) =>
    parseAllDocuments(text(`deploy/kubernetes/${file}`), { merge: true }).map((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      return { file, manifest: document.toJS() }
    }),
  )

/** Every setting in docs/configuration.md. */
export const settings = (): Set<string> =>
  new Set(
    [...text('docs/configuration.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/[A-Z_]+/g)].map(([name]) => name),
    ),
  )
