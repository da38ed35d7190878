import type { Action, Command, Option } from './command.ts'
import { exitMeanings } from './exit-codes.ts'
import { commonOptions } from './input.ts'
import { fields } from './output.ts'

const aligned = (rows: readonly (readonly [string, string])[]) =>
  fields(rows).replaceAll(/^/gm, '  ')

const optionWord = ([name, { short, value }]: [string, Option]) =>
  `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` <${value}>`}`

const argumentWord = (name: string) => (name.startsWith('[') ? name : `<${name}>`)

const wordsOf = ({ name, positionals = [] }: Action) => [name, ...positionals.map(argumentWord)]

const usageOf = (command: Command, action: Action) =>
  ['latchkey', command.name, ...wordsOf(action), action.options ? '[options]' : '']
    .filter(Boolean)
    .join(' ')

const variables = Object.entries({
  LATCHKEY_URL:
    'the running server (default: ISSUER, else http://localhost:PORT); https unless on this machine',
  LATCHKEY_OPERATOR_TOKEN: 'operator token (default: the one in LATCHKEY_DATA/secrets.json)',
  LATCHKEY_CLIENT_SECRET: "an app's secret, for `latchkey token`",
  'DATABASE_URL, LATCHKEY_DATA':
    'where serve, migrate, after-restore and operator-token find the database',
})

/** `latchkey --help` */
export const overview = (commands: readonly Command[]): string =>
  [
    'Usage: latchkey <command> [action] [options]',
    '',
    'Commands:',
    aligned(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Each command has --help, --json for scripts, and --env-file for settings. Secrets are never arguments: they are read from the',
    'environment, from the file that NAME_FILE names, or from stdin. New secrets are printed to stdout, once. Hints',
    'go to stderr.',
    '',
    'Environment:',
    aligned(variables),
    '',
    'All settings of the server: docs/configuration.md, or /docs/configuration on a running server.',
    '',
    'Exit codes:',
    aligned(exitMeanings.map(([code, words]) => [String(code), words])),
    '',
  ].join('\n')

/** `latchkey app --help`: the actions of a command that has several. */
const actionsHelp = (command: Command): string =>
  [
    `Usage: latchkey ${command.name} <action> [options]`,
    '',
    `${command.summary.replace(/^./, (letter) => letter.toUpperCase())}.`,
    '',
    'Actions:',
    aligned(command.actions.map((action) => [wordsOf(action).join(' '), action.summary])),
    '',
    `latchkey ${command.name} <action> --help describes an action.`,
    '',
  ].join('\n')

/** `latchkey app create --help` */
export const actionHelp = (command: Command, action: Action): string => {
  const options = Object.entries({ ...action.options, ...commonOptions })
  return [
    `Usage: ${usageOf(command, action)}`,
    '',
    action.summary,
    '',
    'Options:',
    aligned(options.map((option) => [optionWord(option), option[1].help])),
    ...(action.notes ? ['', ...action.notes] : []),
    '',
  ].join('\n')
}

/** The help of a command: that of its single action, or the list of its actions. */
export const commandHelp = (command: Command): string => {
  const [only] = command.actions
  return command.actions.length === 1 && only?.name === ''
    ? actionHelp(command, only)
    : actionsHelp(command)
}
