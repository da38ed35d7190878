import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import GithubSlugger from 'github-slugger'
import { lexer, type Token, type Tokens } from 'marked'
import t from 'tap'

const root = join(import.meta.dirname, '../..')

/** Every text for readers, on a code host or as a page of the server. */
const texts = ['docs', 'examples', 'test', '.']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))

const wordsOf = (tokens: readonly Token[] = []): string =>
  tokens
    .map((one) => {
      const { tokens: within, text = '' } = one as Tokens.Generic
      return within ? wordsOf(within) : text
    })
    .join('')

/** All of them at any depth, including table cells and list items. */
const tokensBelow = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((one) => {
    const { tokens: within = [], items = [], header = [], rows = [] } = one as Tokens.Generic
    const cells = [...header, ...rows.flat()].flatMap((cell) => cell.tokens)
    return [one, ...tokensBelow([...within, ...items, ...cells])]
  })

const tokensOf = (path: string) => lexer(readFileSync(join(root, path), 'utf8'))

/** The anchors that code hosts give to the headings of a text. */
const anchorsOf = (path: string) => {
  const slugger = new GithubSlugger()
  return new Set(
    tokensOf(path).flatMap((one) =>
      one.type === 'heading' ? [slugger.slug(wordsOf(one.tokens))] : [],
    ),
  )
}

const addressesOf = (path: string) => {
  const addresses = tokensBelow(tokensOf(path)).flatMap((one) => {
    if (one.type === 'link' || one.type === 'image') return [one.href as string]
    if (one.type !== 'html') return []
    return [...one.raw.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, found = '']) => found)
  })
  return addresses.filter((one) => !/^[a-z][a-z\d+.-]*:/.test(one))
}

t.test(
  'every link between the texts leads to a file, and to a heading that is there',
  async (t) => {
    t.ok(texts.includes('README.md') && texts.length > 40, `${texts.length} texts`)
    for (const path of texts) {
      for (const address of addressesOf(path)) {
        const [file = '', anchor] = address.split('#', 2)
        const target = file === '' ? path : join(dirname(path), file)
        t.ok(existsSync(join(root, target)), `${path}: ${address}`)
        t.notOk(
          relative(root, join(root, target)).startsWith('..'),
          `${path}: ${address} is inside`,
        )
        if (anchor !== undefined)
          t.ok(target.endsWith('.md') && anchorsOf(target).has(anchor), `${path}: ${address}`)
      }
    }
  },
)

t.test('every text of docs is linked from another', async (t) => {
  const linked = new Set(
    texts.flatMap((path) =>
      addressesOf(path)
        .map((one) => join(dirname(path), one.split('#', 1)[0] ?? ''))
        .filter((one) => one !== path),
    ),
  )
  for (const path of texts.filter((one) => one.startsWith('docs/'))) t.ok(linked.has(path), path)
})

// npm and PyPI show these texts without the rest of the repository.
t.test('a text of a published package links to nothing outside it', async (t) => {
  for (const name of ['verify', 'sdk', 'python']) {
    const path = `packages/${name}/README.md`
    t.ok(tokensOf(path).length > 5, path)
    t.same(
      addressesOf(path).filter((address) => !address.startsWith('#')),
      [],
      path,
    )
  }
})
