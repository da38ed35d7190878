import type { Test } from 'tap'
import { type Example, examplesOf, type Language, shapeOf, variablesOf } from './examples.ts'
import type { Reader, Said, Shell } from './reader.ts'

/** A reader at some point of a page. */
export interface Walk {
  t: Test
  reader: Reader
  /** Runs another example again: of the same page, or of the named one. */
  repeat(name: string, page?: string): Promise<Said>
}

/** Test steps around an example: the user in the browser, and checks afterwards. */
export interface Part {
  /** The languages of the example; default: all three. */
  languages?: readonly Language[]
  /** A reader of every language runs it in the shell: it sets variables. */
  setsVariables?: true
  /** Before it is run. */
  before?(walk: Walk): Promise<void> | void
  /** While it runs. */
  meanwhile?(walk: Walk): Promise<void>
  /** In place of running it alone. */
  instead?(walk: Walk, text: string): Promise<void>
  after?(walk: Walk, said: Said): unknown
  /** The value that must match the page's response; default: the output of the example. */
  answer?(walk: Walk): unknown
}

/** By the name of the example; a text says why an example is not run. */
export type Parts = Record<string, Part | string>

export const everyLanguage: readonly Language[] = ['sh', 'js', 'python']
/** The same, with the shell that the reader uses: those for a shell are pasted into each. */
export const everyPaste: readonly (readonly [Language, Shell])[] = [
  ['sh', 'bash'],
  ['sh', 'zsh'],
  ['js', 'bash'],
  ['python', 'bash'],
]
/** Shell commands, which have no other languages. */
export const commandLine: readonly Language[] = ['sh']

const partOf = (parts: Parts, { name }: Example): Part => {
  const part = parts[name]
  return typeof part === 'object' ? part : {}
}

/** Fails for an example that is neither run nor excused, and for an unknown example. */
export const checkParts = (t: Test, page: string, parts: Parts): void => {
  const examples = examplesOf(page)
  for (const example of examples) {
    const { name, line, texts } = example
    t.ok(parts[name], `${page}:${line}: the test knows what to do with “${name}”`)
    if (texts.size === 0 || typeof parts[name] === 'string') continue
    t.same([...texts.keys()], partOf(parts, example).languages ?? everyLanguage, `${page}:${line}`)
  }
  const names = new Set(examples.map(({ name }) => name))
  for (const name of Object.keys(parts)) t.ok(names.has(name), `${page} has “${name}”`)
}

/** Runs each example of a page in one language, in page order, like a reader. */
export const followPage = async (
  t: Test,
  page: string,
  parts: Parts,
  language: Language,
  reader: Reader,
): Promise<void> => {
  checkParts(t, page, parts)
  const examples = examplesOf(page)
  const repeat = (name: string, other = page) => {
    const found = examplesOf(other).find((one) => one.name === name)
    return reader.run(language, found?.texts.get(language) ?? '')
  }
  const walk = { t, reader, repeat }
  for (const example of examples) {
    if (typeof parts[example.name] === 'string') continue
    const part = partOf(parts, example)
    const spoken = part.setsVariables ? 'sh' : language
    const text = example.texts.get(spoken)
    const isForOthers = text === undefined && example.texts.size > 0
    if (isForOthers) continue
    await part.before?.(walk)
    let said: Said = { text: '', json: null }
    if (text !== undefined && part.instead) await part.instead(walk, text)
    else if (text !== undefined) {
      const where = `${page}:${example.line}, ${spoken}`
      const unknown = variablesOf(spoken, text).filter((name) => reader.env[name] === undefined)
      t.same(unknown, [], `${where}: every variable is defined`)
      const running = reader.run(spoken, text).catch((error) => {
        throw new Error(`${where}: ${error.message}`)
      })
      ;[said] = await Promise.all([running, part.meanwhile?.(walk)])
    }
    if (text !== undefined) await part.after?.(walk, said)
    if (example.answer === null) continue
    const real = part.answer ? await part.answer(walk) : said.json
    t.same(
      shapeOf(JSON.parse(example.answer)),
      shapeOf(real),
      `${page}:${example.line}: the answer`,
    )
  }
}

/** For the example that reads the variables of the demo. */
export const readsVariables: Part = {
  languages: commandLine,
  setsVariables: true,
  after: ({ t, reader: { env } }) => t.ok(env.CLIENT_ID, 'the variables are set'),
}
