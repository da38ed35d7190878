// Nightly, and when src/core/clients changes: it compiles the server with additions.
/**
 * What CONTRIBUTING.md says about additions: the compiler leads from the type to every other file. A field of an app, a
 * type of event and two permissions are added to copies of the sources in memory; nothing is written.
 */
import { join, relative, sep } from 'node:path'
import t from 'tap'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
const pathOf = (file: string) => relative(root, file).split(sep).join('/')

interface Addition {
  file: string
  /** Occurs once in the file. */
  after: string
  text: string
  /** In each error that the addition causes, as the compiler writes it. */
  name: RegExp
}

const additions = {
  field: {
    file: 'src/core/clients/app-settings.ts',
    after: 'export const defaultSettings = {\n',
    text: '  trialField: null as string | null,\n',
    name: /trialField|trial_field/,
  },
  event: {
    file: 'src/core/language/event-types.ts',
    after: 'export const eventRules = {\n',
    text: "  'trial.happened': null,\n",
    name: /trial\.happened/,
  },
  permission: {
    file: 'src/core/language/permissions.ts',
    after: '  current: {\n',
    text: "    'trial:read': 'ordinary',\n",
    name: /trial:read/,
  },
  legacyPermission: {
    file: 'src/core/language/permissions.ts',
    after: '  legacy: {\n',
    text: "    trialData: 'sensitive',\n",
    name: /trialData/,
  },
} satisfies Record<string, Addition>

const withAdditions = (path: string, text: string) =>
  Object.values(additions)
    .filter(({ file }) => file === path)
    .reduce((before, { after, text }) => {
      const parts = before.split(after)
      if (parts.length !== 2) throw new Error(`${path} has not one ${after}`)
      return parts.join(after + text)
    }, text)

const settings = () => {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include: ['src'] },
    ts.sys,
    root,
  )
  return { options, fileNames }
}

/** The errors of the server's sources with the additions, each with its file. */
const errorsOf = () => {
  const { options, fileNames } = settings()
  const host = ts.createCompilerHost(options)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (file, language, ...rest) => {
    const text = Object.values(additions).some((one) => one.file === pathOf(file))
      ? ts.sys.readFile(file)
      : undefined
    return text === undefined
      ? getSourceFile(file, language, ...rest)
      : ts.createSourceFile(file, withAdditions(pathOf(file), text), language)
  }
  const program = ts.createProgram(fileNames, options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
    file: file ? pathOf(file.fileName) : '',
    text: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}

t.test('the compiler names each file that an addition needs', async (t) => {
  const errors = errorsOf()
  const namedFor = ({ name }: Addition) => [
    ...new Set(errors.filter(({ text }) => name.test(text)).map(({ file }) => file)),
  ]

  const field = namedFor(additions.field)
  t.same(
    field.sort(),
    [
      'src/cli/resources/app-fields.ts',
      'src/core/clients/app-setting-rules.ts',
      'src/http/operator/apps/schemas.ts',
      'src/stores/postgres/clients/app-columns.ts',
      'src/words/en/activity.ts',
    ],
    'a field of an app: five files beside that of its default',
  )
  t.same(
    namedFor(additions.event).sort(),
    ['src/core/audit-streams/ocsf.ts', 'src/words/en/activity-events.ts'],
    'a type of event: its sentence, and its class in OCSF',
  )
  for (const permission of [additions.permission, additions.legacyPermission])
    t.same(namedFor(permission), ['src/words/en/permissions.ts'], 'a permission: its words')

  const names = Object.values(additions).map(({ name }) => name)
  t.same(
    errors.filter(({ text }) => !names.some((name) => name.test(text))),
    [],
    'no other error',
  )
})
