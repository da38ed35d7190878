/** A template reads only what its page gives it: the types of the calls are compared with `views`. */
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import ts from 'typescript'

const views = 'views'

/** Templates that are rendered without a page: answers for programs, and the documentation. */
const otherwise = ['documentation', 'form-post', 'web-message']
/** Data that only some pages give to what they include. */
const optional = new Set([
  ...['approval', 'fieldId', 'isNamed', 'isPreview', 'isWhole', 'prefix', 'workspaceLegend'],
  ...['permissionError', 'permissionGroups', 'permissionHint', 'permissionLegend'],
  ...['organization', 'sentenceUrl', 'switchUrl'],
])

const read = (path: string) => readFileSync(`${views}/${path}.eta`, 'utf8')

const codeOf = (path: string) =>
  [...read(path).matchAll(/<%([\s\S]*?)%>/g)].map(([, one]) => one).join('\n')

/** The data that a template reads itself. */
const readsOf = (path: string) => [...codeOf(path).matchAll(/\bit\.(\w+)/g)].map(([, name]) => name)

/** What it includes without data of its own. */
const includedBy = (path: string): string[] =>
  [...codeOf(path).matchAll(/include\('\/(partials\/[\w-]+)'\)/g)].flatMap(([, one = '']) => [
    one,
    ...includedBy(one),
  ])

const pageFiles = readdirSync('src/pages', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/pages/${name}`)

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  '.',
)
const program = ts.createProgram(pageFiles, { ...options, noEmit: true })
const checker = program.getTypeChecker()

const namesOf = (type: ts.Type): string[] =>
  (type.isUnion() ? type.types : [type])
    .map((one) => checker.getPropertiesOfType(one).map(({ name }) => name))
    .reduce((all, names) => all.filter((name) => names.includes(name)))

/** The type of the last argument, which may come out of a spread tuple. */
const dataOf = (argument: ts.Expression) => {
  if (!ts.isSpreadElement(argument)) return checker.getTypeAtLocation(argument)
  const tuple = checker.getTypeAtLocation(argument.expression)
  return checker.getTypeArguments(tuple as ts.TypeReference).at(-1) as ts.Type
}

interface Call {
  /** What is around the page, by the function that shows it. */
  shows: string
  given: string[]
}

const calls = new Map<string, Call[]>()
const templates = readdirSync(`${views}/pages`).map((name) => name.replace('.eta', ''))

const visit = (node: ts.Node): void => {
  ts.forEachChild(node, visit)
  if (!ts.isCallExpression(node)) return
  const shows = node.expression.getText()
  if (!/(^|\.)(page|showPage|show)$/.test(shows)) return
  const name = node.arguments[2]
  const last = node.arguments.at(-1)
  if (!name || !last || !ts.isStringLiteral(name) || !templates.includes(name.text)) return
  const made = calls.get(name.text) ?? []
  calls.set(name.text, [...made, { shows, given: namesOf(dataOf(last)) }])
}
for (const name of pageFiles) visit(program.getSourceFile(name) as ts.SourceFile)

const typeNamed = (file: string, name: string) => {
  const source = program.getSourceFile(`src/pages/rendering/${file}.ts`) as ts.SourceFile
  const found = source.statements.find(
    (one) => ts.isTypeAliasDeclaration(one) && one.name.text === name,
  )
  return namesOf(checker.getTypeAtLocation(found as ts.Node))
}
const frame = typeNamed('view-models/frame', 'PageFrame')
const around = typeNamed('organization-page', 'OrganizationTabs')

t.test('each template has a page', async (t) => {
  t.strictSame([...calls.keys(), ...otherwise].sort(), templates.sort())
})

for (const [name, made] of calls)
  t.test(`${name} reads only what its page gives it`, async (t) => {
    for (const { shows, given } of made) {
      const isTabbed = !shows.endsWith('.page')
      const known = new Set<unknown>([...frame, ...given, ...(isTabbed ? around : [])])
      const path = `pages/${name}`
      t.strictSame(
        readsOf(path).filter((one) => !known.has(one)),
        [],
        path,
      )
      for (const part of includedBy(path))
        t.strictSame(
          readsOf(part).filter((one) => !known.has(one) && !optional.has(one as string)),
          [],
          part,
        )
    }
  })
