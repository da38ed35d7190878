import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { interactionError } from '../../../src/core/people/prompt.ts'

const root = join(import.meta.dirname, '../../..')
const sdk = join(root, 'packages/sdk/src')
const source = readdirSync(sdk)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(sdk, name), 'utf8'))
  .join('\n')
const chapter =
  readFileSync(join(root, 'docs/errors.md'), 'utf8')
    .split(/^## /m)
    .find((one) => one.startsWith('Apps in a frame')) ?? ''

t.test('every error that the SDK says is documented, and no other', async (t) => {
  const documented = [...chapter.matchAll(/^\| `(\w+)` \|/gm)].map(([, word]) => word)
  const own = [...source.matchAll(/\b(?:fault|obstacle)\(\s*'(\w+)'/g)].map(([, word]) => word)
  t.ok(own.length > 8)
  const pages = ['sign_in', 'consent', 'paused'] as const
  const needed = [...pages.map(interactionError), 'access_denied']
  t.same(documented.toSorted(), [...new Set([...own, ...needed])].toSorted())
})
