// What lives here: the documentation as pages of the server. `npm run build` turns docs/*.md and the few texts outside
// of it into dist/docs; src/http/pages/rendering/documentation.ts serves what is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

export interface Source {
  /** Below the root of the repository, with `/`. */
  path: string
  /** Below `/docs/`; empty: the page that leads to all others. */
  slug: string
  text: string
  /** What it is called around its text, where its own title says too little there. */
  name: string | null
}

/** Texts that a code host expects elsewhere, and that are pages all the same. */
const outside: Record<string, { slug: string; name?: string }> = {
  'README.md': { slug: 'overview', name: 'Overview' },
  'CONTRIBUTING.md': { slug: 'contributing' },
  'SECURITY.md': { slug: 'reporting-weaknesses', name: 'Reporting a weakness' },
  'CHANGELOG.md': { slug: 'changelog' },
  'examples/README.md': { slug: 'examples' },
  'test/faults/README.md': { slug: 'faults', name: 'When things fail' },
}

export const indexPath = 'docs/README.md'

const slugOf = (path: string) =>
  outside[path]?.slug ?? path.replace(/^docs\//, '').replace(/(^|\/)README\.md$|\.md$/, '')

const folderNames = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())

const pathsOf = (root: string): string[] => {
  const inside = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name.split(sep).join('/')))
  const examples = folderNames(join(root, 'examples')).map(
    ({ name }) => `examples/${name}/README.md`,
  )
  return [
    ...inside,
    ...Object.keys(outside),
    ...examples.filter((one) => existsSync(join(root, one))),
  ]
}

/** Every text that becomes a page, in the order of their paths. */
export const readSources = (root: string): Source[] =>
  pathsOf(root)
    .sort()
    .map((path) => ({
      path,
      slug: slugOf(path),
      text: readFileSync(join(root, path), 'utf8'),
      name: outside[path]?.name ?? null,
    }))

export const addressOf = (slug: string) => (slug === '' ? '/docs' : `/docs/${slug}`)
