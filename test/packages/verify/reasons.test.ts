/** Every word that an error or a problem can have is in the documentation, and no other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The members of a union of texts, as the source has it. */
const unionIn = (file: string, name: string): string[] => {
  const path = `packages/verify/src/${file}`
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)
  const found = source.statements.find(
    (one): one is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(one) && one.name.text === name,
  )
  if (!found || !ts.isUnionTypeNode(found.type)) throw new Error(`no union ${name} in ${path}`)
  return found.type.types.map((one) => one.getText().slice(1, -1))
}

/** The elements of a constant list of texts. */
const listIn = (file: string, name: string): string[] => {
  const text = new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(
    read(`packages/verify/src/${file}`),
  )
  return [...(text?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, word = '']) => word)
}

/** The rows of the table under a heading: the words in code of each cell, an empty first cell repeated from above. */
const tableUnder = (heading: string): [first: string[], second: string[], rest: string[]][] => {
  const section = read('docs/for-data-apis.md').split(`\n${heading}\n`)[1]?.split('\n#')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  let above: string[] = []
  return rows.slice(1).map((row) => {
    const [first = '', second = '', ...rest] = row
      .slice(1, -1)
      .split(' | ')
      .map((one) => one.trim())
    const words = (cell: string) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, word = '']) => word)
    above = words(first).length > 0 ? words(first) : above
    return [above, words(second), rest]
  })
}

const pairsOf = (rows: ReturnType<typeof tableUnder>) =>
  rows.flatMap(([first, second]) => first.flatMap((a) => second.map((b) => `${a} ${b}`))).sort()

t.test('every reason has a meaning and an advice', (t) => {
  const rows = tableUnder('### Reasons')
  const reasons = {
    'token-invalid': unionIn('errors.ts', 'TokenFault'),
    insufficient_scope: unionIn('errors.ts', 'ScopeFault'),
    temporarily_unavailable: unionIn('errors.ts', 'UnavailableReason'),
  }
  const proofs = listIn('rules/proof-reasons.ts', 'proofReasons')
  t.ok(reasons['token-invalid'].length > 20 && proofs.length > 10)
  const expected = [
    ...Object.entries(reasons).flatMap(([code, list]) => list.map((reason) => `${code} ${reason}`)),
    ...proofs.map((reason) =>
      reason === 'proof_stale' ? `use_dpop_nonce ${reason}` : `invalid_dpop_proof ${reason}`,
    ),
  ]
  t.same(pairsOf(rows), expected.sort())
  for (const [, second, rest] of rows)
    t.ok(rest.length === 2 && rest.every((cell) => cell !== ''), second.join())
  t.end()
})

t.test('every problem is documented', (t) => {
  const rows = tableUnder('## What is wrong')
  const documented = pairsOf(rows)
  const requests = ['keys', 'feed', 'introspection'].flatMap((part) =>
    ['unreachable', 'refused', 'bad_answer'].map((reason) => `${part} ${reason}`),
  )
  const others = ['feed stale', 'metadata issuer', 'clock clock']
  const tokens = ['tokens issuer', 'tokens audience', 'tokens clock']
  const misuses = ['requirement', ...unionIn('errors.ts', 'ScopeFault')].map(
    (reason) => `requirement ${reason}`,
  )
  t.same(documented, [...requests, ...others, ...tokens, ...misuses].sort())
  const words = (at: number) => [...new Set(documented.map((one) => one.split(' ')[at] ?? ''))]
  t.same(words(0).sort(), unionIn('problems.ts', 'ProblemPart').sort())
  t.same(words(1).sort(), unionIn('problems.ts', 'ProblemReason').sort())
  t.end()
})
