// The work of `latchkey takeover`, loaded when it runs.
import { createWriteStream } from 'node:fs'
import { appendFile, chmod, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { readConfig } from '../../config/config.ts'
import type { MemberJson } from '../../http/operator/organizations/members.ts'
import type { AuditEventJson } from '../../http/operator/reports/audit.ts'
import type { Input } from '../command.ts'
import { CommandError, exitCodes, usageError } from '../exit-codes.ts'
import { ApiRefusal, createOperatorApi } from '../operator-api.ts'
import { columnsOf, print, printList, table } from '../output.ts'
import { importLines } from '../resources/import.ts'
import { nameServer, operatorToken, operatorUrl } from '../server-address.ts'
import type { Terminal } from '../terminal.ts'
import { readChoices } from './choices.ts'
import type { Losses } from './losses.ts'
import { createMove, type Line } from './move.ts'
import type { OldServer } from './old-server.ts'
import { openOldStore } from './old-store.ts'
import { markdownOf } from './report.ts'

/**
 * Tried before anything is read. Only its owner can read the file: lines have refresh tokens.
 * @returns the path
 * @throws CommandError when it cannot be written
 */
const fileFor = async (input: Input, option: string): Promise<string | undefined> => {
  const path = input.text(option)
  if (path === undefined) return
  try {
    await appendFile(path, '', { mode: 0o600 })
    await chmod(path, 0o600)
    return path
  } catch (error) {
    const { code } = error as { code?: string }
    throw usageError(`--${option}: the file cannot be written (${code})`)
  }
}

const apiOf = async (terminal: Terminal) => {
  const url = nameServer(terminal, await operatorUrl(terminal))
  return createOperatorApi({ url, token: await operatorToken(terminal) })
}

/** Organizations of the server, and `organization user` for each admin. */
const presentOn = async (terminal: Terminal, organizations: Iterable<string>) => {
  const api = await apiOf(terminal)
  const present = new Set<string>()
  for (const id of organizations) {
    try {
      const path = `/organizations/${encodeURIComponent(id)}/members`
      for (const { user_id } of await api.list<MemberJson>(path, { role: 'admin' }))
        present.add(`${id} ${user_id}`)
      present.add(id)
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.status !== 404) throw error
    }
  }
  return present
}

const importFrom = async (lines: AsyncIterable<Line>, { lose }: Losses, terminal: Terminal) => {
  const unanswered: string[] = []
  const text = async function* () {
    for await (const line of lines) {
      const { type, id, client_id, user } = line // Without its secrets.
      unanswered.push([type, id, client_id, user].filter(Boolean).join(' '))
      yield Buffer.from(`${JSON.stringify(line)}\n`)
    }
  }
  await importLines(terminal, Readable.from(text()), ({ status, detail }) => {
    const label = unanswered.shift()
    if (status === 'refused') lose(null, 'refused', `${label}: ${detail}`)
  })
}

const writeReport = async (path: string | undefined, json: unknown, text: string) => {
  if (path === undefined) return
  await writeFile(path, path.endsWith('.json') ? `${JSON.stringify(json, null, 2)}\n` : text)
}

/** The refresh tokens that were used here. Their apps have others now, which the old server does not know. */
const listTaken = async (name: string, input: Input, terminal: Terminal, report?: string) => {
  const api = await apiOf(terminal)
  const events = await api.list<AuditEventJson>('/audit', { type: 'grant.taken_over' })
  const items = events.filter(({ detail }) => detail.source === name)
  const columns = columnsOf<AuditEventJson>('at', 'client_id', 'user_id', 'organization_id')
  const text = `    ${table(columns, items).replaceAll('\n', '\n    ')}\n`
  await writeReport(report, { items }, text)
  printList(terminal, input, columns, items)
}

/** @throws CommandError 6 when something is lost */
export const takeOver = async (server: OldServer, input: Input, terminal: Terminal) => {
  // Rows are garbage at once, so the heap need not grow for more of them.
  for (const flag of ['--heap-growing-percent=40', '--optimize-for-size']) setFlagsFromString(flag)
  const isOut = input.text('out') !== undefined
  const modes = [isOut, ...['dry-run', 'import', 'taken'].map(input.flag)].filter(Boolean)
  if (modes.length !== 1) throw usageError('give one of --dry-run, --out, --import and --taken')
  const reportFile = await fileFor(input, 'report')
  if (input.flag('taken')) return listTaken(server.name, input, terminal, reportFile)
  const out = await fileFor(input, 'out')
  const choices = await readChoices(input, terminal)
  const { GRANTS_PER_USER_AND_APP } = terminal.env
  const { grantsPerUserAndApp: mostGrants } = readConfig({ GRANTS_PER_USER_AND_APP })
  const store = await openOldStore(terminal, input.text('from'))
  try {
    const move = await createMove(server, store, choices, mostGrants)
    const isImport = input.flag('import')
    const present = isImport ? await presentOn(terminal, choices.organizations) : null
    if (isImport) await importFrom(move.lines(present), move.losses, terminal)
    else if (out !== undefined) {
      const text = Readable.from(move.lines(null)).map((line) => `${JSON.stringify(line)}\n`)
      await pipeline(text, createWriteStream(out))
    } else for await (const _ of move.lines(null));
    const report = move.report()
    const markdown = markdownOf(report)
    await writeReport(reportFile, report, markdown)
    print(terminal, input, report, () => markdown)
    if (move.losses.any())
      throw new CommandError(exitCodes.lost, 'something is lost; the report names it')
  } finally {
    await store.close()
  }
}
