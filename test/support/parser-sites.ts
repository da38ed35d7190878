// Finds where a source parses: patterns that are not linear by their shape, JSON, and libraries that parse.
import ts from 'typescript'

/** Packages that parse or verify what they get. */
const parsers = new Set([
  '@fastify/busboy',
  '@formatjs/intl-localematcher',
  '@simplewebauthn/server',
  'http-cache-semantics',
  'jose',
  'node:zlib',
  'oidc-provider',
  'openid-client',
  'sharp',
])

/** More repetitions than this count as any number. */
const fewRepetitions = 64

interface Atom {
  text: string
  /** The most repetitions. */
  most: number
  isOptional: boolean
}

const tokens =
  /\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\.|\(\?(?:[:=!]|<[=!]|<\w+>)|[^\\]/giy

const readAtoms = (body: string): Atom[] => {
  const atoms: Atom[] = []
  let at = 0
  while (at < body.length) {
    tokens.lastIndex = at
    const text = tokens.exec(body)?.[0] ?? body.charAt(at)
    at += text.length
    const [whole = '', sign = '', least, more, most] =
      /^([*+?]|\{(\d+)(,)?(\d+)?\})?\??/.exec(body.slice(at)) ?? []
    at += whole.length
    const repeated = more ? Number(most ?? Number.POSITIVE_INFINITY) : Number(least ?? 1)
    atoms.push({
      text,
      most: sign === '*' || sign === '+' ? Number.POSITIVE_INFINITY : repeated,
      isOptional: sign === '*' || sign === '?' || least === '0',
    })
  }
  return atoms
}

const characters = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code))
const isAnchor = ({ text }: Atom) => text === '$' || text === '^' || /^\\b$/i.test(text)
const isGroup = ({ text }: Atom) => text.startsWith('(') || text === ')'

/** No character fits both atoms. */
const areDisjoint = (one: Atom, other: Atom, flags: string) => {
  const [left, right] = [one, other].map(({ text }) => new RegExp(`^(?:${text})$`, flags))
  return !characters.some((character) => left?.test(character) && right?.test(character))
}

/** After it only one atom can follow, which it does not fit: there is one way to match. */
const isDeterministic = (atoms: Atom[], at: number, flags: string) => {
  const next = atoms.slice(at + 1).find((one) => one.text !== ')' && one.text !== '(')
  const here = atoms[at]
  if (!here || !next) return true
  if (next.text === '$') return true
  return !next.isOptional && !isAnchor(next) && !isGroup(next) && next.text !== '|'
    ? areDisjoint(here, next, flags)
    : false
}

const isEnd = ({ text }: Atom) => text === ')'
const isVariable = ({ most, isOptional }: Atom) => most > 1 || isOptional

/** Alternatives of the whole pattern: only the first one begins at an anchor. */
const hasAlternatives = (atoms: Atom[]) => {
  let depth = 0
  return atoms.some(({ text }) => {
    if (text.startsWith('(')) depth += 1
    else if (text === ')') depth -= 1
    return text === '|' && depth === 0
  })
}

/**
 * Does a pattern take linear time for every text? Such a pattern has only short repetitions, or it is a single repetition,
 * or it is anchored and has one long repetition, or several that the next character ends.
 * @returns false: its shape does not say so
 */
export const isLinearByShape = (literal: string): boolean => {
  const end = literal.lastIndexOf('/')
  const flags = literal.slice(end + 1).replace(/[gy]/g, '')
  const atoms = readAtoms(literal.slice(1, end))
  const long = atoms.flatMap(({ most }, at) => (most > fewRepetitions ? [at] : []))
  const repeats = atoms.some((atom) => isEnd(atom) && atom.most > 1)
  if (repeats && atoms.some((atom) => !isEnd(atom) && isVariable(atom))) return false
  if (long.length === 0 || atoms.length === 1) return true
  const isAnchored = atoms[0]?.text === '^' && !flags.includes('m') && !hasAlternatives(atoms)
  if (!isAnchored || repeats) return false
  return (
    long.length === 1 ||
    (!atoms.some((atom) => isEnd(atom) && isVariable(atom)) &&
      long.every((at) => isDeterministic(atoms, at, flags)))
  )
}

const siteOf = (node: ts.Node): string | null => {
  if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
    const { text } = node as ts.RegularExpressionLiteral
    return isLinearByShape(text) ? null : text
  }
  // JSON Schema patterns, which the validator compiles.
  const schemaPattern =
    (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'pattern') ||
    (ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      /pattern$/i.test(node.name.text))
      ? node.initializer
      : undefined
  if (schemaPattern && ts.isStringLiteralLike(schemaPattern)) {
    const text = `/${schemaPattern.text}/u`
    return isLinearByShape(text) ? null : text
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression))
    return node.expression.text === 'RegExp' ? 'RegExp' : null
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression
    return ts.isIdentifier(expression) && `${expression.text}.${name.text}` === 'JSON.parse'
      ? 'JSON.parse'
      : null
  }
  const specifier =
    ts.isImportDeclaration(node) &&
    node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword &&
    ts.isStringLiteral(node.moduleSpecifier)
      ? node.moduleSpecifier.text
      : ts.isCallExpression(node) &&
          node.expression.kind === ts.SyntaxKind.ImportKeyword &&
          node.arguments[0] &&
          ts.isStringLiteral(node.arguments[0])
        ? node.arguments[0].text
        : ''
  return parsers.has(specifier) ? specifier : null
}

/** What parses in a source, each once: a pattern, `RegExp`, `JSON.parse` or the name of a package. */
export const parserSitesIn = (path: string, source: string): string[] => {
  const sites = new Set<string>()
  const visit = (node: ts.Node) => {
    const site = siteOf(node)
    if (site) sites.add(site)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest))
  return [...sites]
}
