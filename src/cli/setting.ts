// Settings: options whose values are members of a body or query of the Operator API.
import type { Input } from './action.ts'
import { readJson } from './json-file.ts'
import type { Option } from './option.ts'
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

export const text = (name: string, value: string, help: string): Setting => ({
  name,
  option: { value, help },
  read: (input) => input.text(name),
})

/** The same text, which must be given. */
export const required = ({ name, option }: Setting): Setting => ({
  name,
  option,
  read: (input) => input.required(name),
})

/** A text; `none` stands for null. */
export const textOrNone = (name: string, value: string, help: string): Setting => ({
  ...text(name, `${value}|none`, help),
  read: (input) => {
    const given = input.text(name)
    return given === 'none' ? null : given
  },
})

export const number = (name: string, value: string, help: string): Setting => ({
  ...text(name, value, help),
  read: (input) => input.number(name),
})

export const choice = (name: string, words: readonly string[], help: string): Setting => ({
  ...text(name, words.join('|'), help),
  read: (input) => input.choice(name, words),
})

export const yesOrNo = (name: string, help: string): Setting => ({
  ...text(name, 'yes|no', help),
  read: (input) => {
    const answer = input.choice(name, ['yes', 'no'])
    return answer && answer === 'yes'
  },
})

export const flag = (name: string, help: string): Setting => ({
  name,
  option: { help },
  read: (input) => input.flag(name) || undefined,
})

export const repeated = (name: string, value: string, help: string): Setting => ({
  name,
  option: { value, multiple: true, help },
  read: (input) => input.values(name),
})

/** Repeated values, of which the empty one stands for none. */
export const repeatedOrNone = (name: string, value: string, help: string): Setting => ({
  ...repeated(name, value, help),
  read: (input) => input.values(name)?.filter(Boolean),
})

export const words = (name: string, value: string, help: string): Setting => ({
  ...repeated(name, value, help),
  read: (input) => input.words(name),
})

/** Words; `all` stands for null. */
export const wordsOrAll = (name: string, help: string): Setting => ({
  ...repeated(name, 'all|a,b', help),
  read: (input) => {
    const given = input.words(name)
    return given?.includes('all') ? null : given
  },
})

export const jsonFile = (name: string, help: string): Setting => ({
  ...text(name, 'path', help),
  read: (input) => {
    const path = input.text(name)
    return path === undefined ? undefined : readJson(name, path)
  },
})

const interfaces = ['current', 'legacy'] as const

/** The API generation. */
export const generation = (help: string) => choice('interface', interfaces, help)

export const generationIn = (input: Input): (typeof interfaces)[number] =>
  input.choice('interface', interfaces) ?? 'current'

export const workloads = jsonFile(
  'workloads-file',
  'jobs that need no secret: JSON, up to 5 of {issuer, subject?, claims?, jwks_uri?}',
)

export const optionsOf = (settings: Settings): Record<string, Option> =>
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
