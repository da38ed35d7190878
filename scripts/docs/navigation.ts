import type { Token, Tokens } from 'marked'
import { documentation } from '../../src/words/en/documentation.ts'
import { type Document, titleOf } from './document.ts'
import { escaped } from './html.ts'
import { resolverOf, type Target } from './links.ts'
import { addressOf, indexPath, type Source } from './sources.ts'

type PageTarget = Target & { kind: 'page' }

/** The pages for one kind of reader. */
interface Group {
  name: string
  entries: { name: string; target: PageTarget }[]
}

const text = documentation.documentation

const firstLink = (tokens: readonly Token[] | undefined): Tokens.Link | null => {
  for (const one of tokens ?? []) {
    const link =
      one.type === 'link' ? (one as Tokens.Link) : firstLink((one as Tokens.Generic).tokens)
    if (link) return link
  }
  return null
}

/**
 * Reads the index: a group for each heading, a page for each item of the list below it.
 * @throws Error for an item without a link to a page
 */
export const groupsOf = (index: Document, sources: readonly Source[]): Group[] => {
  const resolve = resolverOf(indexPath, sources)
  const groups: Group[] = []
  for (const token of index.tokens) {
    if (token.type === 'heading' && token.depth === 2)
      groups.push({ name: token.text as string, entries: [] })
    if (token.type !== 'list') continue
    for (const item of (token as Tokens.List).items) {
      const link = firstLink(item.tokens)
      const target = link && resolve(link.href)
      if (target?.kind !== 'page') throw new Error(`${indexPath}: no page: ${item.text}`)
      groups.at(-1)?.entries.push({ name: link?.text ?? '', target })
    }
  }
  return groups
}

/** Links to all pages by group. The current page is marked. */
export const listOfPages = (groups: readonly Group[], current: string): string => {
  const link = ({ name, target }: Group['entries'][number]) => {
    const isCurrent = target.path === current && target.anchor === null
    return `<li><a href="${target.href}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(name)}</a></li>`
  }
  const isIndex = current === indexPath ? ' aria-current="page"' : ''
  const sections = groups.map(
    ({ name, entries }) =>
      `<p class="pages-for">${escaped(name)}</p>\n<ul>\n${entries.map(link).join('\n')}\n</ul>`,
  )
  return [`<ul><li><a href="/docs"${isIndex}>${text.name}</a></li></ul>`, ...sections].join('\n')
}

/** The headings of a page below its title, two levels deep. */
export const listOfContents = ({ headings }: Document): string => {
  const chapters = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (chapters.length < 2) return ''
  const items = chapters.map(
    ({ depth, anchor, text: words }) =>
      `<li class="level-${depth}"><a href="#${anchor}">${escaped(words)}</a></li>`,
  )
  return `<ul>\n${items.join('\n')}\n</ul>`
}

/**
 * Every document once, in reading order: the documents of the index, each overview followed by the other documents of
 * its folder.
 */
const readingOrder = (groups: readonly Group[], documents: readonly Document[]): Document[] => {
  const named = groups.flatMap(({ entries }) => entries.map(({ target }) => target.path))
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
  const beside = (path: string) =>
    path.startsWith('docs/') && path.endsWith('/README.md')
      ? documents.map(({ source }) => source.path).filter((one) => folderOf(one) === folderOf(path))
      : []
  const order = new Set(named.flatMap((path) => [path, ...beside(path)]))
  const byPath = new Map(documents.map((one) => [one.source.path, one]))
  return [...order].flatMap((path) => byPath.get(path) ?? [])
}

export interface Neighbours {
  previous: Document | null
  next: Document | null
}

export const neighboursOf = (
  document: Document,
  groups: readonly Group[],
  documents: readonly Document[],
): Neighbours => {
  const order = readingOrder(groups, documents)
  const at = order.indexOf(document)
  if (at < 0) return { previous: null, next: null }
  return { previous: order[at - 1] ?? null, next: order[at + 1] ?? null }
}

export const pager = ({ previous, next }: Neighbours): string => {
  const link = (document: Document | null, rel: 'prev' | 'next', words: string) =>
    document === null
      ? ''
      : `<a rel="${rel}" href="${addressOf(document.source.slug)}">` +
        `<span class="hint">${words}</span> ${escaped(titleOf(document))}</a>`
  const links = link(previous, 'prev', text.previous) + link(next, 'next', text.next)
  return links === '' ? '' : `<nav class="pager" aria-label="${text.around}">${links}</nav>`
}
