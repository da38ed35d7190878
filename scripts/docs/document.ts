import GithubSlugger from 'github-slugger'
import { lexer, type Token, type Tokens } from 'marked'
import { withExamples } from './examples.ts'
import type { Source } from './sources.ts'

export interface Heading {
  depth: number
  text: string
  anchor: string
}

/** A text, read: what it consists of, and where a link can lead in it. */
export interface Document {
  source: Source
  tokens: Token[]
  /** In their order, the title first. */
  headings: Heading[]
}

const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((one) => {
      const { tokens: within, text = '' } = one as Tokens.Generic
      return within ? plain(within) : text
    })
    .join('')

/** @throws Error when it does not begin with its title */
export const readDocument = (source: Source): Document => {
  const tokens = withExamples(lexer(source.text))
  // As code hosts make anchors, so that a link is good here and there.
  const slugger = new GithubSlugger()
  const headings = tokens.flatMap((one) => {
    if (one.type !== 'heading') return []
    const text = plain(one.tokens ?? [])
    return [{ depth: one.depth as number, text, anchor: slugger.slug(text) }]
  })
  const titles = headings.filter(({ depth }) => depth === 1)
  if (titles.length !== 1 || headings[0]?.depth !== 1)
    throw new Error(`${source.path} has to begin with its title, and to have no other`)
  return { source, tokens, headings }
}

/** As the browser's tab and the pages beside it call it. */
export const titleOf = ({ source, headings }: Document) => source.name ?? headings[0]?.text ?? ''
