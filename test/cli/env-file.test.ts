// Runs alone: it changes the folder of its process.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import t from 'tap'
import type { Command } from '../../src/cli/command.ts'
import { run } from '../../src/cli/run.ts'
import { say } from '../../src/cli/terminal.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import type { Environment } from './latchkey-command.ts'

const folder = await temporaryDirectory('env-file')
process.chdir(folder)
t.teardown(() => {
  process.chdir('/')
  return rm(folder, { recursive: true, force: true })
})

/** Prints the settings that it gets. */
const show = (name: string): Command => ({
  name,
  summary: 'show the settings',
  actions: [
    {
      name: '',
      summary: 'Show the settings.',
      run: async (_input, terminal) => say(terminal, JSON.stringify(terminal.env)),
    },
  ],
})
const commands = [show('show'), show('serve'), show('door'), show('demo')]

const shown = async (args: string[], env: Environment = {}, installed?: string) => {
  const said = { stdout: '', stderr: '' }
  const into = (name: keyof typeof said) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        said[name] += String(chunk)
        done()
      },
    })
  const [stdout, stderr] = [into('stdout'), into('stderr')]
  const terminal = {
    env,
    stdin: Readable.from([]),
    stdout,
    stderr,
    ...(installed && { installed }),
  }
  const code = await run(args, terminal, commands)
  return { code, ...said, env: code === 0 ? JSON.parse(said.stdout) : null }
}

const file = async (name: string, text: string) => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

t.test('a file gives settings, and the option may stand anywhere', async (t) => {
  const path = await file('one.env', 'ISSUER=https://auth.example.com\n')
  for (const args of [
    ['--env-file', path, 'show'],
    [`--env-file=${path}`, 'show'],
    ['show', '--env-file', path],
    ['show', `--env-file=${path}`],
    ['serve', '--env-file', path],
  ])
    t.same((await shown(args)).env, { ISSUER: 'https://auth.example.com' }, args.join(' '))
})

t.test('lines are read as systemd and Docker read them', async (t) => {
  const path = await file(
    'lines.env',
    [
      '# a comment',
      '; another',
      '',
      'PLAIN=a#b $HOME `id`',
      '  SPACED = value ',
      'export EXPORTED=yes',
      `QUOTED="with 'one' quote"`,
      "SINGLE='x=y'",
      'EMPTY=',
      `LONE="`,
      'no pair',
      '=nothing',
      'CRLF=line\r',
    ].join('\n'),
  )
  t.same((await shown(['show', '--env-file', path])).env, {
    PLAIN: 'a#b $HOME `id`',
    SPACED: 'value',
    EXPORTED: 'yes',
    QUOTED: "with 'one' quote",
    SINGLE: 'x=y',
    EMPTY: '',
    LONE: '"',
    CRLF: 'line',
  })
})

t.test('the environment wins, and a secret and its file are one setting', async (t) => {
  const first = await file('first.env', 'ISSUER=https://a.example\nDATABASE_URL_FILE=/a\nA=first')
  const second = await file('second.env', 'REDIS_URL=redis://a\nA=second\nB=second')
  const env = { ISSUER: 'https://b.example', DATABASE_URL: 'postgres://b', REDIS_URL_FILE: '/b' }
  t.same((await shown(['show', '--env-file', first, '--env-file', second], env)).env, {
    ...env,
    A: 'first',
    B: 'second',
  })
})

t.test('a missing file exits with 2, and names it', async (t) => {
  for (const args of [
    ['show', '--env-file', join(folder, 'none')],
    ['--env-file', folder, 'show'],
  ]) {
    const { code, stderr } = await shown(args)
    t.equal(code, 2)
    t.match(stderr, /the settings in .* cannot be read \((ENOENT|EISDIR)\)/)
  }
  t.equal((await shown(['show', '--env-file'])).code, 2)
})

t.test('the settings of an installed server', async (t) => {
  const installed = join(folder, 'installed')
  await mkdir(join(installed, 'secrets'), { recursive: true })
  await writeFile(join(installed, 'door.env'), 'ISSUER=https://door.example\nDOOR_PORT=3081\n')
  await writeFile(join(installed, 'latchkey.env'), 'ISSUER=https://auth.example.com\n')
  await writeFile(join(installed, 'notes.txt'), 'ISSUER=https://notes.example\n')
  for (const name of ['database_url', 'master_key', 'resource_server_secret'])
    await writeFile(join(installed, 'secrets', name), 'secret')
  const secret = (name: string) => join(installed, 'secrets', name)

  const found = await shown(['show'], { LOG_LEVEL: 'silent' }, installed)
  t.same(found.env, {
    LOG_LEVEL: 'silent',
    ISSUER: 'https://auth.example.com',
    DOOR_PORT: '3081',
    DATABASE_URL_FILE: secret('database_url'),
    LATCHKEY_MASTER_KEY_FILE: secret('master_key'),
    RESOURCE_SERVER_SECRET_FILE: secret('resource_server_secret'),
  })
  t.match(
    found.stderr,
    `Settings: ${join(installed, 'latchkey.env')}, ${join(installed, 'door.env')}`,
  )

  t.test('are not for a command that has a server, nor for a service', async (t) => {
    for (const name of ['ISSUER', 'LATCHKEY_URL', 'LATCHKEY_DATA', 'DATABASE_URL'])
      t.same((await shown(['show'], { [name]: 'own' }, installed)).env, { [name]: 'own' }, name)
    for (const name of ['serve', 'door', 'demo'])
      t.same((await shown([name], {}, installed)).env, {}, name)
    t.same((await shown(['show'], {}, join(folder, 'nowhere'))).env, {})
    await mkdir(join(folder, 'data'))
    t.same((await shown(['show'], {}, installed)).env, {}, 'this folder is that of a server')
    t.same((await shown(['show'])).env, {})
  })
})
