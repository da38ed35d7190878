import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePages } from './pages.ts'
import { readSources } from './sources.ts'

const root = process.cwd()
const out = join(root, 'dist/docs')

const write = (path: string, content: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

rmSync(out, { recursive: true, force: true })
const pages = makePages(readSources(root))
for (const { slug, html } of pages) write(join(out, 'pages', `${slug || 'index'}.html`), html)
write(join(out, 'pages.json'), JSON.stringify(pages.map(({ slug, title }) => ({ slug, title }))))
cpSync(join(root, 'docs/images'), join(out, 'images'), { recursive: true })
