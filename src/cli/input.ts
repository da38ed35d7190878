import { parseArgs } from 'node:util'
import type { Action, Input, Option } from './command.ts'
import { usageError } from './exit-codes.ts'

export const commonOptions: Readonly<Record<string, Option>> = {
  json: { help: 'print JSON, for scripts' },
  'env-file': { value: 'file', multiple: true, help: 'settings, one NAME=value a line' },
  help: { help: 'show this help' },
}

const wordOf = (error: unknown) =>
  (error as Error).message
    .replace(/\. To specify a positional.*$/s, '')
    .replace(/^./, (letter) => letter.toLowerCase())

const parse = (action: Action, args: string[]) => {
  const options = Object.entries({ ...action.options, ...commonOptions }).map(([name, option]) => {
    const type: 'string' | 'boolean' = option.value === undefined ? 'boolean' : 'string'
    return [name, { ...option, type }] as const
  })
  try {
    return parseArgs({ args, options: Object.fromEntries(options), allowPositionals: true })
  } catch (error) {
    throw usageError(wordOf(error))
  }
}

/** The last argument takes the words after it, too, if its name ends with an ellipsis. */
const joined = (last: number, names: readonly string[], given: readonly string[]) =>
  /…\]?$/.test(names[last] ?? '') && given.length > last
    ? [...given.slice(0, last), given.slice(last).join(' ')]
    : given

const argumentsOf = (action: Action, all: readonly string[]) => {
  const names = action.positionals ?? []
  const given = joined(names.length - 1, names, all)
  const missing = names[given.length]
  if (missing !== undefined && !missing.startsWith('[')) throw usageError(`<${missing}> is missing`)
  if (given.length > names.length) throw usageError(`too many arguments: ${given[names.length]}`)
  return new Map(names.map((name, at) => [name, given[at] ?? '']))
}

/** True when the arguments ask for help, even if others are wrong. */
export const asksForHelp = (args: readonly string[]) => {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  return own.includes('--help') || own.includes('-h')
}

/** @throws CommandError for arguments that the action does not have */
export const readInput = (action: Action, args: string[]): Input => {
  const { values, positionals } = parse(action, args)
  const named = argumentsOf(action, positionals)

  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const list = (name: string) => {
    const value = values[name]
    return Array.isArray(value) ? value.map(String) : undefined
  }
  return {
    json: values.json === true,
    argument: (name) => named.get(name) as string,
    text,
    required: (name) => {
      const value = text(name)
      if (value === undefined) throw usageError(`--${name} is missing`)
      return value
    },
    flag: (name) => values[name] === true,
    number: (name) => {
      const value = text(name)
      if (value === undefined) return undefined
      if (!/^\d{1,9}$/.test(value)) throw usageError(`--${name} must be a whole number`)
      return Number(value)
    },
    values: list,
    words: (name) => list(name)?.flatMap((value) => value.split(/[\s,]+/).filter(Boolean)),
    choice: <Word extends string>(name: string, words: readonly Word[]) => {
      const value = text(name)
      const word = words.find((one) => one === value)
      if (value !== undefined && word === undefined)
        throw usageError(`--${name} must be ${words.join(' or ')}`)
      return word
    },
  }
}
