import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { LineOutcome } from '../../core/organizations/import-lines.ts'
import type { ProblemJson } from '../../http/operator/schemas.ts'
import { singleAction } from '../command.ts'
import { CommandError, exitCodes, usageError } from '../exit-codes.ts'
import { refusalOf } from '../operator-api.ts'
import { operatorToken, operatorUrl, serverUrl } from '../server-address.ts'
import { note, say, type Terminal } from '../terminal.ts'

type Answer = LineOutcome & { line: number }

async function* answersIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<Answer> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/** Opened before the server is called. @throws CommandError */
const openFile = async (path: string) => {
  const stream = createReadStream(path)
  await once(stream, 'open').catch(({ code = 'unknown' }) => {
    throw usageError(`the file cannot be read (${code})`)
  })
  return stream
}

const send = async (url: string, token: string, lines: Readable) => {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(lines) as ReadableStream,
    duplex: 'half',
    redirect: 'manual',
  }
  const address = `${url}/api/admin/v1/import`
  const response = await fetch(address, init as RequestInit).catch((cause: unknown) => {
    throw new CommandError(exitCodes.unreachable, `no server answers at ${url}`, [
      String((cause as { cause?: { code?: string } }).cause?.code ?? ''),
    ])
  })
  if (!response.ok)
    throw refusalOf(response.status, (await response.json().catch(() => ({}))) as ProblemJson)
  return response.body as unknown as AsyncIterable<Uint8Array>
}

/**
 * Sends lines to `POST /import`, whose answers come in their order.
 * @returns how many lines had each status
 * @throws CommandError, ApiRefusal
 */
export const importLines = async (
  terminal: Terminal,
  lines: Readable,
  onAnswer: (answer: Answer) => void,
): Promise<Record<string, number>> => {
  const url = await operatorUrl(terminal)
  const token = await operatorToken(terminal)
  note(terminal, `Server: ${url}`)
  const counts: Record<string, number> = { created: 0, updated: 0, unchanged: 0, refused: 0 }
  try {
    for await (const answer of answersIn(await send(url, token, lines))) {
      counts[answer.status] = (counts[answer.status] ?? 0) + 1
      onAnswer(answer)
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CommandError(exitCodes.failed, 'the connection was lost; run the import again')
  }
  return counts
}

export const imports = singleAction('import', 'organizations, users and workspaces from a file', {
  summary: 'Create or change what a file describes, one line of JSON for each object.',
  positionals: ['file'],
  notes: [
    'A line is {"type":"organization","id":"acme","name":"Acme"}; other types are user, member, workspace,',
    'workspace_member, app, install, grant, consent, key_set and verification_key. The same file again changes nothing.',
    'Refused lines are printed with their numbers. --json prints the counts only.',
  ],
  run: async (input, terminal) => {
    serverUrl(terminal)
    const file = await openFile(input.argument('file'))
    const counts = await importLines(terminal, file, ({ line, status, detail }) => {
      if (status === 'refused' && !input.json) say(terminal, `line ${line}: ${detail}`)
    })
    const text = Object.entries(counts).map(([status, count]) => `${status} ${count}`)
    say(terminal, input.json ? JSON.stringify(counts) : text.join('  '))
    if (counts.refused) throw new CommandError(exitCodes.refused, 'some lines were refused')
  },
})
