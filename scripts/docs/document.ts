import GithubSlugger from 'github-slugger'
import { lexer, type Token, type Tokens } from 'marked'
import { withExamples } from './examples.ts'
import type { Source } from './sources.ts'

export interface Heading {
  depth: number
  text: string
  anchor: string
}

/** A parsed text: its tokens and its link targets. */
export interface Document {
  source: Source
  tokens: Token[]
  /** In document order, the title first. */
  headings: Heading[]
}

const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((one) => {
      const { tokens: within, text = '' } = one as Tokens.Generic
      return within ? plain(within) : text
    })
    .join('')

/** @throws Error when the text does not begin with its only title */
export const readDocument = (source: Source): Document => {
  const tokens = withExamples(lexer(source.text))
  // Uses the same anchors as code hosts, so that links work in both places.
  const slugger = new GithubSlugger()
  const headings = tokens.flatMap((one) => {
    if (one.type !== 'heading') return []
    const text = plain(one.tokens ?? [])
    return [{ depth: one.depth as number, text, anchor: slugger.slug(text) }]
  })
  const titles = headings.filter(({ depth }) => depth === 1)
  if (titles.length !== 1 || headings[0]?.depth !== 1)
    throw new Error(`${source.path} must begin with its title and must have only one`)
  return { source, tokens, headings }
}

/** The name of the document in browser tabs and in navigation. */
export const titleOf = ({ source, headings }: Document) => source.name ?? headings[0]?.text ?? ''
