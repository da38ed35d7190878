import type { Token, Tokens } from 'marked'

/** One example in several languages: fences that follow each other without a line between them. */
export interface Example {
  type: 'example'
  raw: string
  fences: Tokens.Code[]
}

/** What a fence in one of these languages is called above an example. */
export const languageNames: Record<string, string> = { sh: 'curl', js: 'Node', python: 'Python' }

const isFence = (token: Token | undefined): token is Tokens.Code =>
  token?.type === 'code' && token.lang in languageNames

/** The fences from here on that are one example; fewer than two are none. */
const fencesAt = (tokens: readonly Token[], at: number) => {
  const fences: Tokens.Code[] = []
  let end = at
  for (let next = at; next < tokens.length; next++) {
    const token = tokens[next]
    if (token?.type === 'space' && !/\n.*\n/.test(token.raw)) continue
    if (!isFence(token) || fences.some(({ lang }) => lang === token.lang)) break
    fences.push(token)
    end = next + 1
  }
  return { fences, end }
}

/** The same tokens, with the fences of each example put together. */
export const withExamples = (tokens: readonly Token[]): Token[] => {
  const result: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const { fences, end } = fencesAt(tokens, at)
    if (isFence(tokens[at]) && fences.length > 1) {
      result.push({ type: 'example', raw: '', fences } satisfies Example)
      at = end
    } else {
      result.push(inside(tokens[at] as Token))
      at++
    }
  }
  return result
}

/** Lists and quotes have blocks of their own. */
const inside = (token: Token): Token => {
  if (token.type === 'list') {
    const items = (token as Tokens.List).items.map((item) => ({
      ...item,
      tokens: withExamples(item.tokens),
    }))
    return { ...token, items } as Tokens.List
  }
  if (token.type === 'blockquote') return { ...token, tokens: withExamples(token.tokens ?? []) }
  return token
}
