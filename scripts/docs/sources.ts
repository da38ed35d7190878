// The documentation as pages of the server. `npm run build` turns docs/*.md and a few other texts into dist/docs, which
// src/pages/rendering/documentation.ts serves.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

export interface Source {
  /** Path relative to the root of the repository, with `/`. */
  path: string
  /** Path below `/docs/`; empty for the index page. */
  slug: string
  text: string
  /** Name of the page in navigation, when its title says too little there. */
  name: string | null
}

/** Texts that code hosts expect outside `docs` and that are pages too. */
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

/** Every text that becomes a page, sorted by path. */
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
