// Folders of `latchkey apply`: files of YAML or JSON, each with an object or a list of them.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseDocument, stringify } from 'yaml'
import {
  apiField,
  type Fields,
  folderField,
  kinds,
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

const isSecret = (value: unknown): value is FolderObject['secret'] =>
  /^\{"(?:file|env)":"[^"]+"\}$/.test(JSON.stringify(value))

/** The fields that an id consists of: the first of two ends at the first separator. */
const partsOf = (template: string, id: unknown) =>
  RegExp(`^${template.replace(/\{(\w+)\}(.?)/g, '(?<$1>[^$2]+)$2')}$`).exec(String(id))?.groups

const readObject = (value: unknown, file: string, place: string): FolderObject => {
  const { kind: name, id, secret, ...rest } = { ...(value as Fields) }
  const kind = Object.hasOwn(kinds, String(name)) && kinds[String(name)]
  if (!kind) throw fault(place, '/kind', 'form', `must be one of ${Object.keys(kinds).join(', ')}`)
  const parts = partsOf(kind.id, id)
  if (!parts) throw fault(place, '/id', 'form', `must be ${kind.id}`)
  const path: Fields = { ...parts }
  for (const field of placeOf(kind)) {
    if (!rest[field]) throw fault(place, `/${field}`, 'required', 'is required')
    path[field] = rest[field]
    delete rest[field]
  }
  if (secret !== undefined && !isSecret(secret))
    throw fault(place, '/secret', 'form', 'must be {"file": …} or {"env": …}, not a plain text')
  const fields = Object.fromEntries(Object.entries(rest).map(([own, one]) => [apiField(own), one]))
  return { kind: String(name), id: String(id), path, fields, secret, file, place }
}

/** In the order of the files. @throws CommandError that names the first fault of each file */
export const readFolder = async (folder: string): Promise<FolderObject[]> => {
  const all = await readdir(folder, { recursive: true }).catch((error) => {
    throw usageError(`the folder cannot be read (${error.code})`)
  })
  const files = all.filter((name) => /\.(?:json|ya?ml)$/.test(name) && !/(?:^|[/\\])\./.test(name))
  const objects = new Map<string, FolderObject>()
  const faults: string[] = []
  const add = (object: FolderObject) => {
    const key = `${object.kind} ${object.id}`
    const { place = null } = objects.get(key) ?? {}
    if (place !== null) throw fault(object.place, '/id', 'duplicate', `is in ${place} too`)
    objects.set(key, object)
  }
  for (const file of files.sort()) {
    try {
      const content = parse(await readFile(join(folder, file), 'utf8'))
      if (!Array.isArray(content)) add(readObject(content, file, `${file} `))
      else for (const [at, one] of content.entries()) add(readObject(one, file, `${file} /${at}`))
    } catch (error) {
      faults.push(
        ...(error instanceof CommandError ? error.hints : [`${file} ${messageOf(error)}`]),
      )
    }
  }
  if (faults.length > 0) throw refusal(faults)
  return [...objects.values()]
}

/** The secret of a new object: a file beside its own, or a variable. @throws CommandError */
export const readSecret = async (folder: string, object: FolderObject, env: NodeJS.ProcessEnv) => {
  const { secret, file, place } = object
  if (!secret) return undefined
  const path = resolve(folder, dirname(file), secret.file ?? '')
  const content = secret.file ? readFile(path, 'utf8').catch(() => '') : env[secret.env ?? '']
  const found = (await content)?.trim()
  if (!found) throw fault(place, '/secret', 'required', 'cannot be read')
  return found
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
