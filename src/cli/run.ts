import { versionOf } from '../app/version.ts'
import { ConfigError } from '../config/config-error.ts'
import { StoreUnavailable } from '../core/language/errors.ts'
import { Conflict, Invalid, NotFound } from '../core/language/service-errors.ts'
import type { Command } from './command.ts'
import { commands as allCommands } from './commands.ts'
import { withSettings } from './env-file.ts'
import { CommandError, exitCodes, messageOf, usageError } from './exit-codes.ts'
import { actionHelp, commandHelp, overview } from './help.ts'
import { asksForHelp, readInput } from './input.ts'
import { checkNode } from './run/node-version.ts'
import { note, say, type Terminal } from './terminal.ts'

/** What starts these gives them their settings. */
const services = ['serve', 'door', 'demo', 'test-server']

const findCommand = (commands: readonly Command[], name: string): Command => {
  const command = commands.find((one) => one.name === name)
  if (!command) throw usageError(`unknown command ${name}`, ['latchkey --help lists all commands'])
  return command
}

/** Finds the action that the arguments name, and the remaining arguments. */
const findAction = (command: Command, args: string[]) => {
  const [only] = command.actions
  if (only?.name === '') return { action: only, rest: args }
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h') return null
  const action = command.actions.find((one) => one.name === name)
  if (action) return { action, rest }
  const help = `latchkey ${command.name} --help lists its actions`
  throw usageError(`latchkey ${command.name} has no action ${name}`, [help])
}

const perform = async (commands: readonly Command[], args: string[], terminal: Terminal) => {
  // `--env-file` may stand before the command.
  const before = /^--env-file(=)?/.exec(args[0] ?? '')
  const first = before ? (before[1] ? 1 : 2) : 0
  const [name, ...others] = args.slice(first)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return say(terminal, overview(commands))
  if (name === '--version') return say(terminal, versionOf())
  const command = findCommand(commands, name)
  const found = findAction(command, others)
  if (!found) return say(terminal, commandHelp(command))
  if (asksForHelp(found.rest)) return say(terminal, actionHelp(command, found.action))
  checkNode(process.versions.node)
  const input = readInput(found.action, [...args.slice(0, first), ...found.rest])
  const files = input.values('env-file') ?? []
  await found.action.run(input, withSettings(terminal, files, services.includes(name)))
}

const asCommandError = (error: unknown): CommandError => {
  if (error instanceof CommandError) return error
  if (error instanceof ConfigError)
    return new CommandError(exitCodes.usage, 'the configuration is wrong', error.faults)
  if (error instanceof NotFound) return new CommandError(exitCodes.notFound, error.message)
  if (error instanceof Conflict) return new CommandError(exitCodes.refused, error.message)
  if (error instanceof Invalid) {
    const faults = error.faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`)
    return new CommandError(exitCodes.refused, error.message, faults)
  }
  if (error instanceof StoreUnavailable && error.cause)
    return new CommandError(exitCodes.failed, error.message, [messageOf(error.cause)])
  return new CommandError(exitCodes.failed, messageOf(error))
}

/**
 * Runs one command line.
 * @param args without the node path and the program name
 * @param commands the demo brings its own
 * @returns the exit code; `serve` and the demo return once they listen
 */
export const run = async (args: string[], terminal: Terminal, commands = allCommands) => {
  try {
    await perform(commands, args, terminal)
    return exitCodes.ok
  } catch (error) {
    const { message, hints, exitCode } = asCommandError(error)
    note(terminal, [`latchkey: ${message}`, ...hints.map((hint) => `  ${hint}`)].join('\n'))
    if (terminal.env.LOG_LEVEL === 'debug') note(terminal, String((error as Error).stack))
    return exitCode
  }
}
