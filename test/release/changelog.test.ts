/** CHANGELOG.md by release: https://keepachangelog.com/en/1.1.0/ */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sectionOf } from '../../scripts/changes.ts'

const root = join(import.meta.dirname, '../..')
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** What is wrong with the headings of a changelog. */
const faultsOf = (text: string): string[] => {
  const releases = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
  const faults = releases
    .slice(1)
    .filter((one) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(one))
    .map((one) => `no release: ${one}`)
  if (releases[0] !== '[Unreleased]') faults.push('the first section is not [Unreleased]')
  const dates = releases.slice(1).map((one) => one.slice(-10))
  if (dates.join() !== dates.toSorted().reverse().join()) faults.push('not the newest first')
  for (const section of text.split(/^## /m).slice(1)) {
    const found = [...section.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading)
    for (const one of found) if (!kinds.includes(one)) faults.push(`no kind of change: ${one}`)
    if (new Set(found).size < found.length) faults.push(`a kind twice: ${found.join()}`)
  }
  return faults
}

t.test('the changelog has a section for each release', async (t) => {
  t.same(faultsOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')), [])
})

t.test('the check reports what it is for', async (t) => {
  const head = '# Changelog\n\n## [Unreleased]\n\n'
  t.same(faultsOf(`${head}### Added\n\n## [1.1.0] - 2026-02-01\n\n## [1.0.0] - 2026-01-01\n`), [])
  for (const wrong of [
    '## [1.0.0] - 2026-01-01\n',
    `${head}## 1.0.0\n`,
    `${head}## [1.0.0] - soon\n`,
    `${head}## [1.0.0] - 2026-01-01\n\n## [1.1.0] - 2026-02-01\n`,
    `${head}### New\n`,
    `${head}### Added\n\n### Added\n`,
  ])
    t.equal(faultsOf(wrong).length, 1, wrong)
})

t.test('each change that waits is a file with a kind, and they make a section', async (t) => {
  t.same(sectionOf(join(root, 'changes')).faults, [])
  const folder = t.testdir({
    'README.md': 'x',
    'added-one.md': 'First\nline.\n',
    'fixed-two.md': 'Second.',
    'new-three.md': 'x',
    'added-four.md': '',
  })
  const { faults, text } = sectionOf(folder)
  t.equal(text.startsWith('### Added\n\n'), true)
  t.match(text, '- First\n  line.\n')
  t.match(text, '### Fixed\n\n- Second.\n')
  t.same(faults.map((one) => one.split(' ')[0]).sort(), [
    'changes/added-four.md',
    'changes/new-three.md',
  ])
})
