import { everything } from '../../core/credentials/operator-permissions.ts'
import { invalidRequest, OAuthError, StoreUnavailable } from '../../core/language/errors.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { InProcessAnswer, InProcessCall } from '../../http/operator/in-process.ts'
import type { PageJson } from '../../http/operator/paging.ts'
import type { RefusedFault } from '../rendering/fault-words.ts'

export interface ApiRefusal {
  status: number
  /** The problem type (RFC 9457), a URN for conflicts. */
  type: string
  detail: string
  /** Faults of fields: JSON pointers into the body. */
  errors: readonly RefusedFault[]
}

/** Parameters of a list; null leaves one out. */
type Query = Record<string, string | null>

/** The most items that the API answers with. */
const longestPage = '200'

const isGood = ({ status }: InProcessAnswer) => status >= 200 && status < 300

/** The guard of accounts needs all rights for the account of an operator (`account-guard.ts`). */
const needsAllRights = ({ status, body }: InProcessAnswer) =>
  status === 403 && (body as { permission?: string } | null)?.permission === everything

/** @throws StoreUnavailable, OAuthError for a failure of the server; NotFound for 404, and for 403 without the right */
const refuse = (answer: InProcessAnswer): ApiRefusal => {
  const { status, body } = answer
  if (status === 503) throw new StoreUnavailable('postgres')
  if (status === 404 || (status === 403 && !needsAllRights(answer))) throw new NotFound('page')
  if (status >= 500) throw new OAuthError('server_error', 'the Operator API failed')
  const problem = (body ?? {}) as Partial<ApiRefusal>
  return {
    status,
    type: problem.type ?? 'about:blank',
    detail: problem.detail ?? '',
    errors: problem.errors ?? [],
  }
}

const queryOf = (query: Query) => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** An answer that the page shows. @throws NotFound for another error than one of the server */
const shown = (answer: InProcessAnswer): InProcessAnswer => {
  if (isGood(answer)) return answer
  refuse(answer)
  // A malformed id, cursor or filter: such a page does not exist.
  throw new NotFound('page')
}

export type Api = ReturnType<typeof createApi>

export const createApi = (call: (call: InProcessCall) => Promise<InProcessAnswer>) => {
  const get = (path: string) => call({ method: 'GET', path })

  /** null: it is missing, or the operator may not read it. */
  const readOptional = async (path: string) => {
    const answer = await get(path)
    if (answer.status >= 500) refuse(answer)
    return isGood(answer) ? answer : null
  }

  const list = async <Item>(path: string, query: Query = {}) => {
    const answer = await get(`${path}${queryOf(query)}`)
    const { errors = [] } = answer.body as Partial<ApiRefusal>
    const fault = errors.find(({ pointer }) => pointer === '/sort')
    if (fault) throw invalidRequest(`sort ${fault.detail}`, 'list_order')
    return shown(answer).body as PageJson<Item>
  }

  const versionOf = <Item>(at: string, answer: InProcessAnswer) => {
    const { body, etag } = shown(answer)
    return { item: body as Item, etag: etag ?? '', at }
  }

  return {
    /** @throws NotFound */
    read: async <Item>(path: string) => shown(await get(path)).body as Item,

    /** Items by the ids at the end of their paths; missing ones are left out. */
    each: async <Item>(
      path: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Item>> => {
      const found = await Promise.all(
        [...new Set(ids)].map(async (id) => {
          const answer = await readOptional(`${path}/${encodeURIComponent(id)}`)
          return answer ? [[id, answer.body as Item] as const] : []
        }),
      )
      return new Map(found.flat())
    },

    /** Reads with the entity tag what may not exist; null without it. @throws NotFound without the right to read */
    find: async <Item>(path: string) => {
      const answer = await get(path)
      return answer.status === 404 ? null : versionOf<Item>(path, answer)
    },

    /** Reads with the entity tag and its path, for a form that changes it. @throws NotFound */
    readVersion: async <Item>(path: string) => versionOf<Item>(path, await get(path)),

    /** One page of a list. @throws NotFound for another error than one of the server */
    list,

    all: async <Item>(path: string): Promise<Item[]> => {
      const all: Item[] = []
      let cursor: string | null = null
      do {
        const part: PageJson<Item> = await list(path, { limit: longestPage, cursor })
        all.push(...part.items)
        cursor = part.next
      } while (cursor !== null)
      return all
    },

    /** The items that fit; none when the query is malformed. */
    search: async <Item>(path: string, query: Query): Promise<PageJson<Item>> => {
      const answer = await get(`${path}${queryOf(query)}`)
      if (isGood(answer)) return answer.body as PageJson<Item>
      refuse(answer)
      return { items: [], next: null }
    },

    /** @returns the answer, or why it was refused @throws NotFound */
    change: async <Answer>(
      requested: InProcessCall,
    ): Promise<{ answer: Answer } | { refusal: ApiRefusal }> => {
      const answer = await call(requested)
      return isGood(answer) ? { answer: answer.body as Answer } : { refusal: refuse(answer) }
    },
  }
}
