import { Marked } from 'marked'
import { documentation } from '../../src/words/en/documentation.ts'
import { type Document, readDocument, titleOf } from './document.ts'
import type { Example } from './examples.ts'
import { type Resolve, resolverOf } from './links.ts'
import { groupsOf, listOfContents, listOfPages, neighboursOf, pager } from './navigation.ts'
import { PageRenderer } from './renderer.ts'
import { indexPath, type Source } from './sources.ts'

export interface Page {
  slug: string
  title: string
  /** The content of its main element. */
  html: string
}

const text = documentation.documentation

/**
 * Also checks that linked headings exist. @throws Error for a missing heading
 * @throws Error for the others
 */
const toHeadings =
  (resolve: Resolve, from: string, documents: readonly Document[]): Resolve =>
  (href) => {
    const target = resolve(href)
    if (target.kind !== 'page' || target.anchor === null) return target
    const { headings = [] } = documents.find(({ source }) => source.path === target.path) ?? {}
    if (!headings.some(({ anchor }) => anchor === target.anchor))
      throw new Error(`${from}: no heading for ${href}`)
    return target
  }

const article = (document: Document, documents: readonly Document[]) => {
  const { path } = document.source
  const resolve = resolverOf(
    path,
    documents.map(({ source }) => source),
  )
  const renderer = new PageRenderer(document, toHeadings(resolve, path, documents))
  const marked = new Marked({
    extensions: [{ name: 'example', renderer: (token) => renderer.example(token as Example) }],
  })
  marked.setOptions({ renderer })
  return marked.parser(document.tokens, marked.defaults)
}

/** Navigation that stands beside the text on wide screens and is collapsed above it on narrow ones. */
const aside = (kind: string, name: string, list: string) => ({
  column: list === '' ? '' : `<nav class="${kind} column" aria-label="${name}">${list}</nav>`,
  fold:
    list === ''
      ? ''
      : `<details class="${kind} folded"><summary>${name}</summary><nav aria-label="${name}">${list}</nav></details>`,
})

/** @throws Error for broken links, missing images and other faults */
export const makePages = (sources: readonly Source[]): Page[] => {
  const documents = sources.map(readDocument)
  const index = documents.find(({ source }) => source.path === indexPath)
  if (!index) throw new Error(`${indexPath} is missing`)
  const groups = groupsOf(index, sources)
  return documents.map((document) => {
    const { path, slug } = document.source
    const isIndex = document === index
    const pages = aside('pages', text.pages, listOfPages(groups, path))
    const contents = aside('contents', text.contents, isIndex ? '' : listOfContents(document))
    const around = isIndex ? '' : pager(neighboursOf(document, groups, documents))
    const html = [
      pages.column,
      `<div class="folds-above">${pages.fold}${contents.fold}</div>`,
      `<article class="prose${isIndex ? ' index' : ''}">\n${article(document, documents)}${around}</article>`,
      contents.column,
    ]
    return { slug, title: titleOf(document), html: html.join('\n') }
  })
}
