// Folders of `latchkey apply`: files of YAML or JSON, each with an object or a list of them.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseDocument, stringify } from 'yaml'
import {
  apiField,
  type Fields,
  folderField,
  kinds,
  namesIn,
  placeOf,
} from '../../http/operator/folder-kinds.ts'
import { CommandError, exitCodes, messageOf, usageError } from '../exit-codes.ts'

export interface FolderObject {
  kind: string
  id: string
  /** Of its path. */
  path: Fields
  /** The others, by their names in the Operator API. */
  fields: Fields
  secret: { file?: string; env?: string } | undefined
  file: string
  /** Its file, and its JSON pointer there. */
  place: string
}

/** The folder is refused: a line for each fault, with file, pointer, detail and rule. */
export const refusal = (faults: string[]) =>
  new CommandError(exitCodes.refused, 'refused, and nothing was applied', faults)
export const fault = (place: string, field: string, rule: string, detail: string) =>
  refusal([`${place}${field} ${detail} (${rule})`])

/** Neither tags nor aliases: they make another object, or a huge one, of what a reader sees. */
const parse = (content: string): unknown => {
  const document = parseDocument(content, { uniqueKeys: true, version: '1.2' })
  for (const wrong of [...document.errors, ...document.warnings]) throw wrong
  return document.toJS({ maxAliasCount: 0 })
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSecret = (value: unknown): value is FolderObject['secret'] =>
  isObject(value) &&
  /^(?:file|env)$/.test(`${Object.keys(value)}`) &&
  typeof Object.values(value)[0] === 'string'

/** The fields that an id consists of. */
const partsOf = (template: string, id: string): Fields => {
  const names = namesIn(template)
  const at = names.length > 1 ? id.indexOf(template.includes(':') ? ':' : '/') : id.length
  return at > 0
    ? Object.fromEntries(
        names.map((name, part) => [name, part ? id.slice(at + 1) : id.slice(0, at)]),
      )
    : {}
}

const readObject = (value: unknown, file: string, place: string): FolderObject => {
  if (!isObject(value)) throw fault(place, '', 'form', 'must be an object')
  const { kind: name, id, secret, ...rest } = value
  const kind = Object.hasOwn(kinds, String(name)) && kinds[String(name)]
  if (!kind) throw fault(place, '/kind', 'form', `must be one of ${Object.keys(kinds).join(', ')}`)
  const parts = partsOf(kind.id, String(id))
  if (
    typeof id !== 'string' ||
    !Object.values(parts).every(Boolean) ||
    !parts[namesIn(kind.id)[0] ?? '']
  )
    throw fault(place, '/id', 'form', `must be a text such as ${kind.id}`)
  for (const field of placeOf(kind))
    if (typeof rest[field] !== 'string') throw fault(place, `/${field}`, 'required', 'is required')
  if (secret !== undefined && !isSecret(secret))
    throw fault(place, '/secret', 'form', 'must be {"file": …} or {"env": …}, not a plain text')
  const own = Object.entries(rest).filter(([field]) => !placeOf(kind).includes(field))
  const fields = Object.fromEntries(own.map(([field, one]) => [apiField(field), one]))
  const path = {
    ...parts,
    ...Object.fromEntries(placeOf(kind).map((field) => [field, rest[field]])),
  }
  return { kind: String(name), id, path, fields, secret, file, place }
}

const readFileOf = async (folder: string, file: string) => {
  const content = parse(await readFile(join(folder, file), 'utf8'))
  const list = Array.isArray(content) ? content : [content]
  return list.map((value, at) => [value, `${file} ${content === list ? `/${at}` : ''}`] as const)
}

/** In the order of the files. @throws CommandError */
export const readFolder = async (folder: string): Promise<FolderObject[]> => {
  const all = await readdir(folder, { recursive: true }).catch((error) => {
    throw usageError(`the folder cannot be read (${error.code})`)
  })
  const files = all.filter((name) => /\.(?:json|ya?ml)$/.test(name) && !/(?:^|[/\\])\./.test(name))
  const objects = new Map<string, FolderObject>()
  const faults: string[] = []
  const collect = (error: unknown, place: string) =>
    faults.push(...(error instanceof CommandError ? error.hints : [`${place} ${messageOf(error)}`]))
  for (const file of files.sort()) {
    const values = await readFileOf(folder, file).catch((error) => void collect(error, file))
    for (const [value, place] of values ?? []) {
      try {
        const object = readObject(value, file, place)
        const key = `${object.kind} ${object.id}`
        const other = objects.get(key)
        if (other) throw fault(place, '/id', 'duplicate', `is in ${other.place} too`)
        objects.set(key, object)
      } catch (error) {
        collect(error, place)
      }
    }
  }
  if (faults.length > 0) throw refusal(faults)
  return [...objects.values()]
}

/** The secret of a new object: a file beside its own, or a variable. @throws CommandError */
export const readSecret = async (
  folder: string,
  { secret, file, place }: FolderObject,
  env: NodeJS.ProcessEnv,
) => {
  if (!secret) return undefined
  const path = resolve(folder, dirname(file), secret.file ?? '')
  const found =
    secret.env === undefined ? await readFile(path, 'utf8').catch(() => '') : env[secret.env]
  if (!found?.trim()) throw fault(place, '/secret', 'required', 'cannot be read')
  return found.trim()
}

/** Writes a file for each kind, and removes that of a kind without objects. */
export const writeFolder = async (folder: string, objects: Record<string, Fields[]>) => {
  await mkdir(folder, { recursive: true })
  for (const [kind, items] of Object.entries(objects)) {
    const path = join(folder, `${kind}.yaml`)
    const all = items.map((item) => {
      const fields = Object.entries(item).map(([name, value]) => [folderField(name), value])
      return { kind, ...Object.fromEntries(fields) }
    })
    if (all.length === 0) await rm(path, { force: true })
    else await writeFile(path, stringify(all, { aliasDuplicateObjects: false }))
  }
}
