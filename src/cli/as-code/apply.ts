import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Fields, kinds } from '../../http/operator/folder-kinds.ts'
import { operatorAction } from '../api-action.ts'
import { singleAction } from '../command.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { columnsOf, print, table } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { fault, readFolder, readSecret, writeFolder } from './folder.ts'
import { type Change, isEnd, openServer } from './plan.ts'

/** @throws CommandError unless the operator says yes */
const confirmEnds = async ({ stdin, stderr }: Terminal, plan: readonly Change[]) => {
  const ends = plan.filter(isEnd).length
  if (ends === 0) return
  const lines = createInterface({ input: stdin, output: stderr })
  const question = `Deletions that end access: ${ends}. Type yes to apply them: `
  const answer = stdin.isTTY ? await lines.question(question) : ''
  lines.close()
  if (answer === 'yes') return
  const hint = `deletions that end access: ${ends}. Confirm them with --yes`
  throw new CommandError(exitCodes.refused, 'nothing was applied', [hint])
}

const columns = columnsOf<Change>('action', 'kind', 'id', 'cost')

const printChanges = (terminal: Terminal, input: { json: boolean }, all: readonly Change[]) => {
  const changes = all.map(({ kind, id, action, cost }) => ({ kind, id, action, cost }))
  print(terminal, input, { changes }, () => (all.length > 0 ? table(columns, all) : 'no changes'))
}

const applying = operatorAction('', {
  summary: 'Create and change what a folder describes: all of it, or nothing.',
  options: {
    folder: { short: 'f', value: 'dir', help: 'files of YAML or JSON' },
    plan: { help: 'only show the changes; exit code 10 if there are some' },
    prune: { help: 'delete what the folder lacks, of the kinds that it has' },
    secrets: { value: 'dir', help: 'where new secrets are written, a file for each' },
    yes: { help: 'do not ask before deletions that end access' },
  },
  notes: [
    'A file has an object or a list of them, each with kind, id and fields of the Operator API. An absent field is',
    `unchanged, null resets it. Kinds: ${Object.keys(kinds).join(' ')}.`,
    'The server has a schema for editors at /schemas/apply-v1.json.',
    '',
    'Example: latchkey apply -f access --plan',
  ],
  run: async (api, input, terminal) => {
    const [folder, secrets] = [input.required('folder'), input.text('secrets')]
    const objects = await readFolder(folder)
    const server = await openServer(api)
    const isNew = ({ kind, action }: Change) =>
      action === 'create' && server.secretOf(kind) !== undefined
    const wanted = await server.compare(objects, input.flag('prune'))
    for (const { kind, object, calls } of wanted.filter(isNew)) {
      const body = calls[0]?.body
      if (!object || !body) continue
      const given = await readSecret(folder, object, terminal.env)
      if (given) body[server.secretOf(kind) as string] = given
      else if (secrets === undefined && kind === 'app') body.without_secret = true
      else if (secrets === undefined)
        throw fault(object.place, '/secret', 'required', 'is required without --secrets')
    }
    for (const change of wanted) Object.assign(change, await server.costOf(change))
    const plan = await server.send(wanted, true)
    if (input.flag('plan') || plan.length === 0) {
      printChanges(terminal, input, plan)
      if (plan.length === 0) return
      throw new CommandError(
        exitCodes.changes,
        `changes that are planned, none applied: ${plan.length}`,
      )
    }
    if (!input.flag('yes')) await confirmEnds(terminal, plan)
    if (secrets !== undefined) await mkdir(secrets, { recursive: true, mode: 0o700 })
    const applied = await server.send(plan, false)
    for (const { kind, id, object, answer } of applied.filter(isNew)) {
      const secret = answer?.[server.secretOf(kind) as string]
      if (secrets === undefined || object?.secret || !secret) continue
      const path = join(secrets, `${kind}-${id}`)
      await writeFile(path, String(secret), { mode: 0o600 })
      await chmod(path, 0o600)
    }
    printChanges(terminal, input, applied)
  },
})

export const apply = singleAction('apply', 'make the server as the files of a folder say', applying)

const writeAll = operatorAction('', {
  summary: 'Write a file for each kind, without secrets, people and what they made themselves.',
  positionals: ['dir'],
  options: { operators: { help: 'write the operators too' } },
  run: async (api, input, terminal) => {
    const server = await openServer(api)
    const found: Record<string, Fields[]> = {}
    for (const kind of Object.keys(kinds))
      if (kind !== 'operator' || input.flag('operators'))
        found[kind] = (await server.read(kind)).map((item) => server.described(kind, item))
    await writeFolder(input.argument('dir'), found)
    const counts = Object.entries(found).map(([kind, { length }]) => [kind, length] as const)
    print(terminal, input, Object.fromEntries(counts), () =>
      counts.map(([kind, count]) => `${kind} ${count}`).join('  '),
    )
  },
})

export const exportFolder = singleAction(
  'export',
  'write what a server has, as a folder for apply',
  writeAll,
)
