// `latchkey takeover`: moves apps, people and grants in from another server, while that one still serves.
import type { Command, Option } from '../command.ts'
import { scopeMap } from './choices.ts'
import { django } from './django.ts'
import { doorkeeper } from './doorkeeper.ts'

const options: Record<string, Option> = {
  from: {
    value: 'dsn',
    help: 'the old store, without its password: postgres://, mysql:// or sqlite:///path',
  },
  organization: { value: 'id', help: 'everybody is in this organization' },
  organizations: {
    value: 'file.csv',
    help: 'the organizations of people: columns user,organization[,role]',
  },
  interface: { value: 'name', help: 'current or legacy (default: current)' },
  'scope-map': scopeMap.option,
  'dry-run': { help: 'read and report only' },
  out: { value: 'file.ndjson', help: 'write the lines of an import' },
  import: { help: 'import the lines into the running server' },
  taken: {
    help: 'list what was used here since: tokens of these apps and people are unknown to the old server',
  },
  report: {
    value: 'file',
    help: 'write the report: Markdown, or JSON if the name ends with .json',
  },
}

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
