// Settings: options whose values are members of a body or query of the Operator API.
import { readFile } from 'node:fs/promises'
import type { Input, Option } from './command.ts'
import { usageError } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

export interface Setting {
  /** The name of the option. */
  name: string
  option: Option
  /** The value for the Operator API; undefined: the option is not given. */
  read(input: Input, terminal: Terminal): unknown
}

/** Settings by their names in the Operator API, in the order of the help. */
export type Settings = Readonly<Record<string, Setting>>

/** Makes settings of one kind, by how their value is read, from words such as `name <value>`. */
const kind =
  (read: (input: Input, name: string) => unknown, multiple?: true) =>
  (words: `${string} <${string}>`, help: string): Setting => {
    const [name = '', value = ''] = words.slice(0, -1).split(' <')
    const option = { value, help, ...(multiple && { multiple }) }
    return { name, option, read: (input) => read(input, name) }
  }

export const text = kind((input, name) => input.text(name))

export const number = kind((input, name) => input.number(name))

export const repeated = kind((input, name) => input.values(name), true)

export const words = kind((input, name) => input.words(name), true)

/** `none` stands for null. */
export const textOrNone = kind((input, name) => {
  const given = input.text(name)
  return given === 'none' ? null : given
})

/** The empty value stands for none. */
export const repeatedOrNone = kind((input, name) => input.values(name)?.filter(Boolean), true)

/** `all` stands for null. */
export const wordsOrAll = kind((input, name) => {
  const given = input.words(name)
  return given?.includes('all') ? null : given
}, true)

/** @throws CommandError for a file that is not JSON */
const readJson = async (option: string, path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    throw usageError(`--${option} ${path} is not a readable JSON file`)
  }
}

export const jsonFile = kind((input, name) => {
  const path = input.text(name)
  return path === undefined ? undefined : readJson(name, path)
})

const answer = kind((input, name) => {
  const given = input.choice(name, ['yes', 'no'])
  return given && given === 'yes'
})

export const yesOrNo = (name: string, help: string) => answer(`${name} <yes|no>`, help)

export const choice = (name: string, options: readonly string[], help: string) =>
  kind((input) => input.choice(name, options))(`${name} <${options.join('|')}>`, help)

export const flag = (name: string, help: string): Setting => ({
  name,
  option: { help },
  read: (input) => input.flag(name) || undefined,
})

/** The same, which must be given. @param hint what is said when it is missing */
export const required = (setting: Setting, hint = ''): Setting => ({
  ...setting,
  read: (input, terminal) => {
    const given = setting.read(input, terminal)
    if (given === undefined) throw usageError(`--${setting.name} is missing${hint}`)
    return given
  },
})

const interfaces = ['current', 'legacy'] as const

export const generation = (help: string) => choice('interface', interfaces, help)

export const generationIn = (input: Input): (typeof interfaces)[number] =>
  input.choice('interface', interfaces) ?? 'current'

export const workloads = jsonFile(
  'workloads-file <path>',
  'jobs that need no secret: JSON, up to 5 of {issuer, subject?, claims?, jwks_uri?}',
)

/** What a call that replaces a secret may set. */
export const retireOthers: Settings = {
  retire_others_after_seconds: {
    ...number('retire-others-after <seconds>', 'time until older secrets expire (default: 0)'),
    read: (input) => input.number('retire-others-after') ?? 0,
  },
}

export const optionsOf = (settings: Settings | readonly Setting[]): Record<string, Option> =>
  Object.fromEntries(Object.values(settings).map(({ name, option }) => [name, option]))

/** The given settings, by their names in the Operator API. */
export const readSettings = async (settings: Settings, input: Input, terminal: Terminal) => {
  const given: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const value = await setting.read(input, terminal)
    if (value !== undefined) given[name] = value
  }
  return given
}
