import type { Token, Tokens } from 'marked'

/** One example in several languages: fences that follow each other without a line between them. */
export interface Example {
  type: 'example'
  raw: string
  fences: Tokens.Code[]
}

/** Names of the languages above an example. */
export const languageNames: Record<string, string> = { sh: 'curl', js: 'Node', python: 'Python' }

const isFence = (token: Token | undefined): token is Tokens.Code =>
  token?.type === 'code' && token.lang in languageNames

/** The consecutive fences that form one example. Fewer than two form none. */
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

/** Joins the fences of each example in the tokens. */
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

/** Handles the blocks inside lists and quotes. */
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
