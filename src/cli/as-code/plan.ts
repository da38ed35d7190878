// What makes the server as a folder says. The server decides what changes: a plan is a batch that it rolls back.
import { isDeepStrictEqual } from 'node:util'
import {
  type ApiDocument,
  type Fields,
  folderField,
  isNullable,
  type Kind,
  kinds,
  type Operation,
  operationsOf,
  placeOf,
} from '../../http/operator/folder-kinds.ts'
import type { ProblemJson } from '../../http/operator/schemas.ts'
import { ApiRefusal, type OperatorApi, refusalOf } from '../operator-api.ts'
import { type FolderObject, fault, refusal } from './folder.ts'

export interface Change {
  kind: string
  id: string
  action: 'create' | 'change' | 'delete'
  calls: { method: string; path: string; body?: Fields }[]
  /** null: there is none. */
  before: Fields | null
  /** undefined: the folder lacks it. */
  object: FolderObject | undefined
  cost?: string
  /** The answer of its first call. */
  answer?: Fields | null
}

const filled = (template: string, fields: Fields, write = encodeURIComponent) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => write(String(fields[name])))
const idIn = ({ id }: Kind, item: Fields) => filled(id, item, String)

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

/** Made by members and by documents, not by operators. */
const isForeign = (kind: string, { sandbox, self, client_id: client }: Fields) =>
  sandbox === true || self === true || (kind === 'app' && String(client).startsWith('https://'))

const endsAccess = /^(?:organization|workspace|app|install|resource_server|operator)$/
export const isEnd = ({ kind, action }: Change) => action === 'delete' && endsAccess.test(kind)

const noneIfMissing = (error: unknown): Fields[] => {
  if (error instanceof ApiRefusal && error.status === 404) return []
  throw error
}

/** An approval without permissions, for no user. The server previews it to count the connections that a deletion ends. */
const nobody = { permissions: [], audience: { users: [] } }

interface Result {
  status: number
  body: Fields | null
}

const refusalFor = ({ object, kind, id }: Change, { status, body }: Result) => {
  const problem = body as ProblemJson
  const refused = refusalOf(status, problem)
  refused.message = `${kind} ${id}: ${refused.message}`
  if (!object || ![400, 404, 409].includes(status)) return refused
  const { errors = [{ pointer: '', detail: problem.detail ?? '', reason: String(status) }] } =
    problem
  return refusal(
    errors.map(({ pointer, detail, reason }) => {
      const [, field = '', ...rest] = pointer.split('/')
      const own = [folderField(field), ...rest].join('/')
      return fault(object.place, own && `/${own}`, reason, detail).hints[0] ?? ''
    }),
  )
}

export const openServer = async (api: OperatorApi) => {
  const document = await api.call<ApiDocument>('GET', '/openapi.json')
  const operations = new Map(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { ...kind, ...operationsOf(document, kind) },
    ]),
  )
  const of = (kind: string) => operations.get(kind) as Kind & ReturnType<typeof operationsOf>

  /** What operators have made. @param among these organizations; absent: all */
  const read = async (name: string, among?: Iterable<unknown>): Promise<Fields[]> => {
    const { list, one } = of(name)
    const isWithin = list.includes('{')
    const within = isWithin ? (among ?? (await read('organization')).map(({ id }) => id)) : ['']
    const items: Fields[] = []
    for (const organization_id of within) {
      const path = filled(list, { organization_id })
      // 404: the folder creates the organization.
      const found = list === one ? api.call<Fields>('GET', path) : api.list<Fields>(path)
      items.push(...[await found.catch(noneIfMissing)].flat())
    }
    return items.filter((item) => !isForeign(name, item))
  }

  /** null where the API has no null: the value of a new one. */
  const settled = ({ kind, fields }: FolderObject): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const schema = of(kind).fields[name]
        const isReset = value === null && schema && !isNullable(schema)
        return [name, isReset ? (schema.default ?? null) : value]
      }),
    )

  const callOf = ({ method, path }: Operation, place: Fields, body: Fields) => ({
    ...{ method, path: filled(path, place), body },
  })

  const changeOf = (object: FolderObject, before: Fields | null): Change => {
    const { kind, id, path } = object
    const { create, change } = of(kind)
    const fields = settled(object)
    const isPatch = change.method === 'PATCH'
    const common = { kind, id, before, object }
    if (before) {
      const entries = Object.entries(fields)
      const differing = entries.filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
      const whole = { ...pick(before, Object.keys(change.fields)), ...fields }
      const body = isPatch ? Object.fromEntries(differing) : whole
      const calls = differing.length > 0 ? [callOf(change, before, body)] : []
      return { ...common, action: 'change', calls }
    }
    const first = isPatch ? pick(fields, Object.keys(create.fields)) : fields
    const later = Object.entries(fields).filter(([name]) => !(name in first))
    const calls = [
      callOf(create, path, { ...pick(path, Object.keys(create.fields)), ...first }),
      ...(later.length > 0 ? [callOf(change, path, Object.fromEntries(later))] : []),
    ]
    return { ...common, action: 'create', calls }
  }

  /** What the folder asks for, before the server has seen it. */
  const compare = async (objects: readonly FolderObject[], prunes: boolean) => {
    const changes: Change[] = []
    const deletions: Change[] = []
    for (const [kind, { remove }] of operations) {
      const own = objects.filter((object) => object.kind === kind)
      if (own.length === 0) continue
      const among = new Set(own.map(({ path }) => path.organization_id))
      const items = await read(kind, prunes ? undefined : among)
      const present = new Map(items.map((item) => [idIn(of(kind), item), item]))
      changes.push(...own.map((object) => changeOf(object, present.get(object.id) ?? null)))
      for (const { id } of own) present.delete(id)
      // The last operator stays, even where the folder ends the others.
      const isLast = kind === 'operator' && own.every(({ fields }) => !`${fields.permissions}`)
      if (!prunes || !remove || isLast) continue
      for (const [id, before] of present) {
        const calls = [{ method: 'DELETE', path: filled(remove.path, before) }]
        if (!before.built_in)
          deletions.unshift({ kind, id, before, object: undefined, action: 'delete', calls })
      }
    }
    return [...changes, ...deletions].filter(({ calls }) => calls.length > 0)
  }

  /**
   * Sends the changes as one batch.
   * @returns those that change something: the server orders lists and writes times in its own way
   * @throws CommandError; nothing was applied
   */
  const send = async (changes: readonly Change[], dryRun: boolean): Promise<Change[]> => {
    const calls = changes.flatMap((change) => change.calls)
    if (calls.length === 0) return []
    const body = { calls, dry_run: dryRun }
    const { results } = await api.call<{ results: Result[] }>('POST', '/batch', body)
    return changes.flatMap((change) => {
      const own = results.splice(0, change.calls.length)
      const refused = own.find(({ status }) => status >= 400)
      if (refused) throw refusalFor(change, refused)
      const { before } = change
      const after = own.at(-1)?.body
      const names = Object.keys(of(change.kind).fields)
      const isSame = before && after && isDeepStrictEqual(pick(before, names), pick(after, names))
      return isSame ? [] : [{ ...change, answer: own[0]?.body ?? null }]
    })
  }

  /** What it ends, as far as previews of installs say it. */
  const costOf = async ({ kind, action, before, calls: [first] }: Change) => {
    const isEnd = action === 'delete' || first?.body?.disabled === true
    if (!before || (!isEnd && kind !== 'install')) return {}
    const after = { ...before, ...first?.body }
    const approval = isEnd ? nobody : pick(after, ['permissions', 'workspace_ids', 'audience'])
    let installs: Fields[] = kind === 'install' ? [before] : []
    if (kind === 'organization') installs = await read('install', [before.id])
    if (kind === 'app') installs = await api.list(`${filled(of('app').one, before)}/usage`)
    let ended = 0
    for (const item of installs) {
      const path = `${filled(of('install').one, { ...item, ...before })}/preview`
      ended += (await api.call<{ families: number }>('POST', path, approval)).families
    }
    return ended === 0 ? {} : { cost: `ends ${ended} connection${ended === 1 ? '' : 's'}` }
  }

  /** An item as a folder has it. */
  const described = (name: string, item: Fields): Fields => ({
    id: idIn(of(name), item),
    ...pick(item, placeOf(of(name))),
    ...pick(item, Object.keys(of(name).fields)),
  })

  return { read, secretOf: (kind: string) => of(kind).secret, compare, send, costOf, described }
}
