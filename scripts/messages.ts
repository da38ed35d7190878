// `npm run messages -- de`: the words that a language lacks, as lines for `words/de.json`. Without a language: how many each
// lacks. `--check` fails when one lacks any, as a release does.
import { languages } from '../src/core/language/languages.ts'
import { areas } from '../src/words/english.ts'
import { catalogueOf } from '../src/words/text.ts'
import { messagesOf } from '../src/words/translation.ts'

const [requested = ''] = process.argv.slice(2).filter((one) => one !== '--check')
const translations = languages.filter((one) => one !== 'en')
const english = messagesOf(areas)

const missingIn = (language: (typeof translations)[number]) => {
  const own = catalogueOf(language)
  return english.filter(({ path }) => !own[path])
}

const language = translations.find((one) => one === requested)
if (requested !== '' && !language) {
  process.stderr.write(`Name a language: ${translations.join(', ')}\n`)
  process.exit(1)
}
for (const { path, icu } of language ? missingIn(language) : [])
  process.stdout.write(`  ${JSON.stringify(path)}: ${JSON.stringify(icu)},\n`)

const counts = translations.map((one) => ({ one, count: missingIn(one).length }))
for (const { one, count } of counts.filter(({ one }) => !language || one === language))
  process.stderr.write(`${one} lacks ${count} of ${english.length} messages.\n`)
if (process.argv.includes('--check') && counts.some(({ count }) => count > 0)) process.exitCode = 1
