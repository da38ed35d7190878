// `latchkey takeover`: moves apps, people and grants in from another server, while that one still serves.
import type { Command } from '../command.ts'
import { flag, optionsOf, text } from '../setting.ts'
import { scopeMap } from './choices.ts'
import { django } from './django.ts'
import { doorkeeper } from './doorkeeper.ts'

const options = optionsOf([
  text(
    'from <dsn>',
    'the old store, without its password: postgres://, mysql:// or sqlite:///path',
  ),
  text('organization <id>', 'everybody is in this organization'),
  text('organizations <file.csv>', 'the organizations of people: columns user,organization[,role]'),
  text('interface <name>', 'current or legacy (default: current)'),
  scopeMap,
  flag('dry-run', 'read and report only'),
  text('out <file.ndjson>', 'write the lines of an import'),
  flag('import', 'import the lines into the running server'),
  flag(
    'taken',
    'list what was used here since: tokens of these apps and people are unknown to the old server',
  ),
  text('report <file>', 'write the report: Markdown, or JSON if the name ends with .json'),
])

const notes = [
  'The password is read from TAKEOVER_PASSWORD, or the whole DSN from TAKEOVER_FROM (or the files that ..._FILE name).',
  'A second run takes what changed since. GRANTS_PER_USER_AND_APP must be that of the server.',
]

export const takeover: Command = {
  name: 'takeover',
  summary: 'apps, people and grants of another server',
  actions: [doorkeeper, django].map((server) => ({
    name: server.name,
    summary: `Move in from ${server.title}.`,
    options,
    notes,
    run: async (input, terminal) =>
      (await import('./take-over.ts')).takeOver(server, input, terminal),
  })),
}
