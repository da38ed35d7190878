/**
 * `npm run changes -- 1.2.3 2026-12-01`: moves the files of changes/ into a section of CHANGELOG.md. Without arguments: checks
 * them, and prints the section.
 */
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const kinds = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security']

/** @returns the section by kind, and what is wrong with the files */
export const sectionOf = (folder: string) => {
  const files = fs.readdirSync(folder).filter((name) => name !== 'README.md')
  const entries = files.map((name) => ({
    name,
    kind: name.split('-')[0] ?? '',
    text: fs.readFileSync(join(folder, name), 'utf8').trim(),
  }))
  const faults = entries
    .filter(
      ({ name, kind, text }) =>
        !kinds.includes(kind) || !/^\w+(-\w+)+\.md$/.test(name) || text === '',
    )
    .map(({ name }) => `changes/${name} must be <kind>-<subject>.md, and not empty`)
  const parts = kinds.flatMap((kind) => {
    const own = entries.filter((one) => one.kind === kind)
    const title = `### ${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`
    const items = own.map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`)
    return own.length > 0 ? [`${title}\n\n${items.join('\n')}\n`] : []
  })
  return { files, faults, text: parts.join('\n') }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const heading = '## [Unreleased]\n'

const main = ([version, date]: string[]): void => {
  const folder = join(root, 'changes')
  const { files, faults, text } = sectionOf(folder)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  if (!version) {
    process.stdout.write(text)
    return
  }
  if (!/^\d+\.\d+\.\d+$/.test(version) || !/^\d{4}-\d\d-\d\d$/.test(date ?? ''))
    throw new Error('npm run changes -- <version> <date>')
  const path = join(root, 'CHANGELOG.md')
  const changelog = fs.readFileSync(path, 'utf8')
  const section = `${heading}\n## [${version}] - ${date}\n\n${text}`
  fs.writeFileSync(
    path,
    changelog.replace(heading, () => section),
  )
  for (const name of files) fs.rmSync(join(folder, name))
}

if (basename(process.argv[1] ?? '') === 'changes.ts') main(process.argv.slice(2))
