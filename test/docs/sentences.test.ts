/**
 * Commands that stand inside sentences are pasted into each shell, where programs only say what they were given. The
 * command line then gets these arguments, without a server: it may not call them wrong use.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { latchkey } from '../cli/latchkey-command.ts'
import { unlessMissing } from '../support/installed.ts'
import { masterKey, operatorToken } from '../support/latchkey.ts'
import { unlessShellMissing } from './command-line.ts'
import { examplesOf, pages, spansOf } from './examples.ts'
import { createReader, isEquipped, shells } from './reader.ts'

const programs = 'npx npm node docker openssl pip python python3 go kubectl createuser createdb'
  .split(' ')
  .concat('pg_dump', 'pg_restore', 'psql', 'apt-get', 'curl', 'helm')
const starts = new RegExp(
  `^(?:[A-Z_]+=\\S+ )*(?:(?:${programs.join('|')}|export|set) |\\. (?=[\\w."]))\\S`,
)

/** What a reader replaces: `<user-id>`, `<file>`, `<url>`. An id such as `app…` stands for itself. */
const filled = (command: string) =>
  command
    .replaceAll('<file>', import.meta.filename)
    .replaceAll('<url>', 'https://client.example/app.json')
    .replaceAll(/<[a-z][a-z -]*>/g, 'name')

const commands = new Map<string, string>()
for (const page of pages)
  for (const span of spansOf(page))
    if (starts.test(span)) commands.set(filled(span), `${page}: ${span}`)

/** Starts a server, which no sentence needs to have started. */
const startsServer = ['serve', 'door', 'test-server']
const environment = {
  LATCHKEY_URL: 'http://127.0.0.1:1',
  LATCHKEY_OPERATOR_TOKEN: operatorToken,
  LATCHKEY_PASSWORD: 'correct horse battery',
  LATCHKEY_ACCESS_TOKEN: 'a',
  LATCHKEY_MASTER_KEY: masterKey,
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
}

for (const shell of shells)
  t.test(
    `commands in sentences can be pasted into ${shell}`,
    unlessShellMissing(shell),
    async (t) => {
      const { PATH = '' } = process.env
      const reader = await createReader(t, { LATCHKEY: '.' }, shell)
      const { directory } = reader
      const bin = join(directory, 'bin')
      await mkdir(bin)
      await mkdir(join(directory, 'data/demo'), { recursive: true })
      for (const path of ['data/demo/app.env', 'latchkey.env'])
        await writeFile(join(directory, path), 'READ=yes\n')
      for (const name of programs)
        await writeFile(join(bin, name), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
      reader.env.PATH = `${bin}:${PATH}`
      t.ok(commands.size > 60, `${commands.size} found`)
      for (const [command, place] of commands) {
        const said = await reader.run('sh', `${command}\n`).catch((error: Error) => error)
        if (said instanceof Error) {
          t.fail(`${place}: ${said.message}`)
          continue
        }
        const [no, program, ...words] = said.text.split('\n')
        const args = words.map((one) => (one === 'latchkey.env' ? join(directory, one) : one))
        if (no !== '--no' || program !== 'latchkey' || startsServer.includes(args[0] ?? ''))
          continue
        if (shell !== 'bash') continue
        const { code, stderr } = await latchkey(args, environment, 'correct horse battery\n')
        t.not(code, 2, `${place}: ${stderr}`)
      }
    },
  )

t.test('no comment stands among commands', unlessMissing(isEquipped.sh(), 'bash'), async (t) => {
  for (const page of pages)
    for (const { line, texts } of examplesOf(page))
      t.notMatch(texts.get('sh') ?? '', /(?:^|[ \t;])#/m, `${page}:${line}`)
})
