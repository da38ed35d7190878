/** Every sub-reason is documented, used and described, and no other. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  clientReasons,
  grantReasons,
  proofReasons,
  scopeReasons,
  targetReasons,
  tokenReasons,
} from '../../../src/core/language/sub-reasons.ts'
import { limitReasons } from '../../../src/core/limits/limit-settings.ts'
import { tokenReasons as tokenWords } from '../../../src/words/en/token-reasons.ts'

const root = join(import.meta.dirname, '../../..')
const documentation = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const textOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/sub-reasons|proof-reasons|pages\/en\//.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')
const source = textOf('src') + textOf('packages/verify/src/rules')

/** The names in the first column of the tables of a section. */
const documented = (heading: string) => {
  const chapter = documentation.split(/^## /m).find((one) => one.startsWith(heading)) ?? ''
  return [...chapter.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => String(name))
}

const chapters = {
  '`invalid_grant`': grantReasons,
  '`invalid_scope`': Object.keys(scopeReasons),
  '`invalid_target`': Object.keys(targetReasons),
  '`invalid_client`': clientReasons,
  '`invalid_dpop_proof`': proofReasons,
  '`slow_down`': limitReasons,
  'Tokens that are not accepted': tokenReasons,
}

for (const [heading, reasons] of Object.entries(chapters)) {
  t.test(`${heading}: documentation and code agree`, async (t) => {
    t.same(documented(heading), [...reasons], 'the same names, in the same order')
    t.same([...reasons], [...reasons].sort(), 'by name')
    for (const reason of reasons) t.ok(source.includes(`'${reason}'`), `${reason} is used`)
  })
}

t.test('every refusal reason of a token has words on the page', async (t) => {
  t.same(Object.keys(tokenWords).sort(), [...tokenReasons])
})

t.test('the words of a simulation are documented', async (t) => {
  const rule = readFileSync(join(root, 'src/core/inspection/simulation-rules.ts'), 'utf8')
  const words = documented('Simulated tokens')
  t.ok(words.length > 8)
  for (const word of words) t.ok(rule.includes(`'${word}'`), word)
  const causes = /type PermissionCause =([^;]*?)\n\n/.exec(rule)?.[1] ?? ''
  for (const [, cause] of causes.matchAll(/'(\w+)'/g))
    t.ok(words.includes(String(cause)), cause ?? '')
})
