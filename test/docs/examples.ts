/** The pages of documentation in parts: examples to copy, and shown responses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

export type Language = 'sh' | 'js' | 'python'

/** Adjacent fences are one example in several languages, followed by its response. */
export interface Example {
  /** Its headings, and a number for the second and later examples there. */
  name: string
  /** The line in the page, from 1. */
  line: number
  texts: Map<Language, string>
  /** The ```json fence. */
  answer: string | null
}

interface Fence {
  language: string
  text: string
  line: number
  /** The line after its end. */
  next: number
  heading: string
}

const root = join(import.meta.dirname, '../..')

const textsIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .map((name) => posix.join(folder, name.split(sep).join('/')))
    .filter((name) => name.endsWith('.md') && !/node_modules|\/decisions\/|CHANGELOG/.test(name))

/** Every text that shows commands to a reader: of operators, apps, data APIs and contributors. */
export const pages = ['.', 'docs', 'examples', 'packages', 'words', 'changes', 'test/faults']
  .flatMap(textsIn)
  .filter((name) => !/^changes\/(?!README)/.test(name))

const languages: readonly string[] = ['sh', 'js', 'python'] satisfies Language[]

const fencesOf = (text: string): Fence[] => {
  const lines = text.split('\n')
  const fences: Fence[] = []
  let headings: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const heading = /^(#{2,})\s+(.+)$/.exec(lines[at] as string)
    if (heading) {
      const [, marks = '', words = ''] = heading
      headings = [...headings.slice(0, marks.length - 2), words]
    }
    const opening = /^( *)```(\w*)$/.exec(lines[at] as string)
    if (!opening) continue
    const [, indent = '', language = ''] = opening
    const end = lines.indexOf(`${indent}\`\`\``, at + 1)
    if (end < 0) throw new Error(`the fence of line ${at + 1} has no end`)
    const inside = lines.slice(at + 1, end).map((line) => line.slice(indent.length))
    fences.push({
      language,
      text: inside.map((line) => `${line}\n`).join(''),
      line: at + 1,
      next: end + 2,
      heading: headings.join(' / ') || 'The beginning',
    })
    at = end
  }
  return fences
}

/** @param page such as docs/for-apps.md */
export const examplesOf = (page: string): Example[] => {
  const examples: Example[] = []
  const counted = new Map<string, number>()
  let next = 0
  for (const fence of fencesOf(readFileSync(join(root, page), 'utf8'))) {
    const isAnswer = fence.language === 'json'
    if (!isAnswer && !languages.includes(fence.language)) continue
    const language = fence.language as Language
    let example = examples.at(-1)
    const belongs = fence.line === next && !example?.answer && !example?.texts.has(language)
    if (!example || !belongs) {
      const number = (counted.get(fence.heading) ?? 0) + 1
      counted.set(fence.heading, number)
      const name = [fence.heading, ...(number > 1 ? [number] : [])].join(' ')
      example = { name, line: fence.line, texts: new Map(), answer: null }
      examples.push(example)
    }
    if (isAnswer) example.answer = fence.text
    else example.texts.set(language, fence.text)
    next = fence.next
  }
  return examples
}

/** The code inside sentences, without the fences. */
export const spansOf = (page: string): string[] => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll(/\s*\n\s*/g, ' '))
}

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, first, second]) => first ?? second ?? '')

/**
 * The variables of the environment that a Node or Python example needs. A shell finds the missing ones by itself
 * (`set -u`). Those with a default are not needed.
 */
export const variablesOf = (language: Language, text: string): string[] => {
  if (language === 'sh') return []
  if (language === 'python') return matches(text, /\benv\["(\w+)"\]|\benv\['(\w+)'\]/g)
  const taken = matches(text, /\{([^{}]*)\} = process\.env/g).flatMap((names) =>
    names.split(',').filter((name) => !name.includes('=')),
  )
  return [...taken.map((name) => name.trim()), ...matches(text, /process\.env\.(\w+)/g)]
}

/** The names of all nested members; of a list, those of its first element. */
export const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : []
  if (typeof value !== 'object' || value === null) return ''
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, one]) => [name, shapeOf(one)]))
}
