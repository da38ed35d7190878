import t from 'tap'
import { commands } from '../../src/cli/commands.ts'
import { latchkey } from './latchkey-command.ts'

t.test('the overview lists every command and the meaning of each exit code', async (t) => {
  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    const { code, stdout, stderr } = await latchkey(args)
    t.equal(code, 0)
    t.equal(stderr, '')
    for (const { name, summary } of commands) t.match(stdout, `${name} `, summary)
    for (const exit of [0, 1, 2, 3, 4, 5]) t.match(stdout, `\n  ${exit}  `)
  }
})

t.test('every command and every action has help', async (t) => {
  for (const command of commands) {
    const { code, stdout } = await latchkey([command.name, '--help'])
    t.equal(code, 0, command.name)
    t.match(stdout, `Usage: latchkey ${command.name}`)
    for (const action of command.actions) {
      const words = [command.name, action.name].filter(Boolean)
      const help = await latchkey([...words, '--help'])
      t.equal(help.code, 0, words.join(' '))
      t.match(help.stdout, `Usage: latchkey ${words.join(' ')}`)
      t.match(help.stdout, '--json')
      for (const option of Object.keys(action.options ?? {})) t.match(help.stdout, `--${option}`)
    }
  }
})

t.test('wrong use exits with 2 and names the fault', async (t) => {
  const cases: [args: string[], said: string | RegExp][] = [
    [['nope'], 'unknown command nope'],
    [['app', 'nope'], 'latchkey app has no action nope'],
    [['app', 'show'], '<client-id> is missing'],
    [['app', 'show', 'one', 'two'], 'too many arguments: two'],
    [['app', 'list', '--nope'], /unknown option '--nope'/],
    [['serve', '--port', '1'], /unknown option '--port'/],
    [['token', 'refresh'], '--client-id is missing'],
    [['audit', '--limit', 'many'], '--limit must be a whole number'],
    [['org', 'add-member', 'a', 'b', '--role', 'king'], '--role must be admin or member'],
    [['token', 'authorize', '--redirect-uri', 'https://a.example/'], /--redirect-uri must be http/],
  ]
  const env = { LATCHKEY_OPERATOR_TOKEN: 'x', LATCHKEY_URL: 'http://127.0.0.1:9' }
  for (const [args, said] of cases) {
    const { code, stdout, stderr } = await latchkey(args, env)
    t.equal(code, 2, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, said)
  }
})

t.test(
  'no option takes a secret, because other users of the machine can read arguments',
  async (t) => {
    const options = commands.flatMap(({ actions }) =>
      actions.flatMap(({ options = {} }) => Object.entries(options)),
    )
    const secret = options.filter(
      ([name, { value }]) =>
        value !== undefined && value !== 'dir' && /secret|password|token(?!-seconds$)/.test(name),
    )
    t.same(secret, [])
  },
)

t.test('the version is the package’s version', async (t) => {
  const { code, stdout } = await latchkey(['--version'])
  t.equal(code, 0)
  t.match(stdout, /^\d+\.\d+\.\d+\n$/)
})
