import type { FastifyRequest } from 'fastify'
import { everything, type Operator } from '../../core/credentials/operator-permissions.ts'
import { OAuthError, StoreUnavailable } from '../../core/language/errors.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { PageJson } from '../../http/operator/paging.ts'
import type { RefusedFault } from '../rendering/fault-words.ts'

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/admin/v1`. */
  path: string
  body?: object | undefined
  etag?: string | undefined
  /** Only if the resource does not exist yet. */
  creates?: boolean
}

export interface ApiAnswer {
  status: number
  etag: string | null
  body: unknown
}

/** Calls the Operator API in this process. */
export type CallApi = (
  origin: {
    operator: Operator
    address: string
    requestId: string
    releaseSlot: FastifyRequest['releaseSlot']
  },
  call: ApiCall,
) => Promise<ApiAnswer>

/** Why the API refused a call. */
export interface ApiRefusal {
  status: number
  /** The problem type (RFC 9457), a URN for conflicts. */
  type: string
  detail: string
  /** Faults of fields: JSON pointers into the body. */
  errors: readonly RefusedFault[]
}

export interface Api {
  /** @throws NotFound */
  read<Item>(path: string): Promise<Item>
  /** Items by the ids at the end of their paths; missing ones are left out. */
  each<Item>(path: string, ids: readonly string[]): Promise<ReadonlyMap<string, Item>>
  exists(path: string): Promise<boolean>
  /** Reads with the entity tag what may not exist; null without it. @throws NotFound without the right to read */
  find<Item>(path: string): Promise<{ item: Item; etag: string } | null>
  /** Reads with the entity tag, for a form that changes it. @throws NotFound */
  readVersion<Item>(path: string): Promise<{ item: Item; etag: string }>
  /** @throws NotFound for another error than one of the server */
  list<Item>(path: string, query?: Record<string, string | null>): Promise<PageJson<Item>>
  /** The item with this id, wherever it is in a list that has no addresses for single items. */
  findListed<Item extends { id: string }>(path: string, id: string): Promise<Item | null>
  /** The items that fit; none when the query is malformed. */
  search<Item>(path: string, query: Record<string, string>): Promise<PageJson<Item>>
  /** @returns the answer, or why it was refused @throws NotFound */
  change<Answer>(call: ApiCall): Promise<{ answer: Answer } | { refusal: ApiRefusal }>
}

/** The most items that the API answers with. */
const longestPage = '200'

const isGood = (status: number) => status >= 200 && status < 300

/** The guard of accounts needs all rights for the account of an operator (`account-guard.ts`). */
const needsAllRights = ({ status, body }: ApiAnswer) =>
  status === 403 && (body as { permission?: string } | null)?.permission === everything

/** @throws StoreUnavailable, OAuthError for a failure of the server; NotFound for 404, and for 403 without the right */
const refuse = (answer: ApiAnswer): ApiRefusal => {
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

const queryOf = (query: Record<string, string | null>) => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

export const createApi = (call: (call: ApiCall) => Promise<ApiAnswer>): Api => {
  const readAnswer = async (path: string): Promise<ApiAnswer> => {
    const answer = await call({ method: 'GET', path })
    if (isGood(answer.status)) return answer
    refuse(answer)
    // A malformed id, cursor or filter: such a page does not exist.
    throw new NotFound('page')
  }
  const list = async <Item>(path: string, query: Record<string, string | null> = {}) =>
    (await readAnswer(`${path}${queryOf(query)}`)).body as PageJson<Item>
  return {
    read: async <Item>(path: string) => (await readAnswer(path)).body as Item,
    each: async <Item>(path: string, ids: readonly string[]) => {
      const found = await Promise.all(
        [...new Set(ids)].map(async (id) => {
          const answer = await call({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` })
          if (answer.status >= 500) refuse(answer)
          return isGood(answer.status) ? [[id, answer.body as Item] as const] : []
        }),
      )
      return new Map(found.flat())
    },
    exists: async (path) => {
      const answer = await call({ method: 'GET', path })
      if (answer.status >= 500) refuse(answer)
      return isGood(answer.status)
    },
    find: async <Item>(path: string) => {
      const answer = await call({ method: 'GET', path })
      if (answer.status === 404) return null
      if (!isGood(answer.status)) {
        refuse(answer)
        throw new NotFound('page')
      }
      return { item: answer.body as Item, etag: answer.etag ?? '' }
    },
    readVersion: async <Item>(path: string) => {
      const { body, etag } = await readAnswer(path)
      return { item: body as Item, etag: etag ?? '' }
    },
    list,
    findListed: async <Item extends { id: string }>(path: string, id: string) => {
      let cursor: string | null = null
      do {
        const { items, next }: PageJson<Item> = await list(path, { limit: longestPage, cursor })
        const found = items.find((one) => one.id === id)
        if (found) return found
        cursor = next
      } while (cursor !== null)
      return null
    },
    search: async <Item>(path: string, query: Record<string, string>) => {
      const answer = await call({ method: 'GET', path: `${path}${queryOf(query)}` })
      if (isGood(answer.status)) return answer.body as PageJson<Item>
      refuse(answer)
      return { items: [], next: null }
    },
    change: async <Answer>(asked: ApiCall) => {
      const answer = await call(asked)
      return isGood(answer.status) ? { answer: answer.body as Answer } : { refusal: refuse(answer) }
    },
  }
}
