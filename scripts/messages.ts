// `npm run messages -- de`: the words that a language lacks, to be filled in and added to the files of its folder.
import { areas } from '../src/http/pages/en/english.ts'
import { messagesOf } from '../src/http/pages/en/translation.ts'
import { catalogues } from '../src/http/pages/rendering/text.ts'

const language = process.argv[2] ?? ''
if (!Object.hasOwn(catalogues, language)) {
  process.stderr.write(`Name a language: ${Object.keys(catalogues).join(', ')}\n`)
  process.exit(1)
}
const own: Record<string, Record<string, string | undefined>> = catalogues[
  language as keyof typeof catalogues
]

const fileOf = (area: string) => area.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

let lacking = 0
for (const [area, tree] of Object.entries(areas)) {
  const missing = messagesOf(tree).filter(({ path }) => !own[area]?.[path])
  if (missing.length === 0) continue
  lacking += missing.length
  const lines = missing.flatMap(({ path, icu }) => [
    `  // ${icu.replaceAll('\n', ' ')}`,
    `  ${quoted(path)}: '',`,
  ])
  process.stdout.write(
    `// src/http/pages/${language}/${fileOf(area)}.ts: ${area}\n${lines.join('\n')}\n\n`,
  )
}
process.stderr.write(`${lacking} messages are missing.\n`)
