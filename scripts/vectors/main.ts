// `npm run vectors` writes packages/vectors/*.json; `npm run vectors -- --check` compares them with what it would write.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeThemes, textOf } from './themes.ts'
import type { Theme } from './vector.ts'

const pathOf = ({ file }: Theme) =>
  join(import.meta.dirname, '../../packages/vectors', `${file}.json`)

const isWritten = (theme: Theme): boolean => {
  try {
    return readFileSync(pathOf(theme), 'utf8') === textOf(theme)
  } catch {
    return false
  }
}

const themes = makeThemes()
const stale = themes.filter((theme) => !isWritten(theme))
if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file}.json is not what the program makes`)
  if (stale.length > 0) process.exitCode = 1
} else {
  for (const theme of stale) writeFileSync(pathOf(theme), textOf(theme))
  for (const { file, vectors } of themes) console.log(`${file}.json: ${vectors.length} vectors`)
}
