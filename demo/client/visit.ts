import { randomBytes } from 'node:crypto'
import type { Exchange } from './exchange.ts'
import type { Subscription } from './subscription.ts'

/** The answer of a token endpoint. */
export interface Tokens {
  access_token: string
  refresh_token?: string
  expires_in: number
  scope: string
  organization_id: string
  workspace_ids?: string[]
}

/** A prepared authorization request. Its answer must have the same state. */
export interface Prepared {
  step: string
  state: string
  verifier: string
}

/** The parameters of the redirect. */
export interface Returned {
  url: string
  parameters: [name: string, value: string][]
}

/** The progress of a visitor with one app. */
export interface Track {
  returned: Returned | null
  tokens: Tokens | null
  /** The user's grant, from the first answer. Later answers may be narrower. */
  granted: { permissions: string[]; workspaceIds: string[] } | null
  /** Consumed refresh tokens, oldest first. */
  spent: string[]
  /** True when the family was revoked by a replay, a disconnect or an uninstall. */
  ended: boolean
}

/** A visitor's browser. Kept in memory, because the demo's data has no value. */
export interface Visit {
  id: string
  tracks: { current: Track; legacy: Track }
  prepared: Prepared[]
  /** The requests and answers of each step, by the step's path. */
  shown: Map<string, Exchange[]>
  /** The newest subscription. */
  subscription: Subscription | null
}

export type TrackName = keyof Visit['tracks']

const mostVisits = 200
const mostPrepared = 20

const newTrack = (): Track => ({
  returned: null,
  tokens: null,
  granted: null,
  spent: [],
  ended: false,
})

const random = (bytes: number) => randomBytes(bytes).toString('base64url')

/** Visits by the value of their cookie. The oldest are dropped when there are too many. */
export const createVisits = () => {
  const visits = new Map<string, Visit>()
  return {
    find: (id: string | undefined): Visit | null => visits.get(id ?? '') ?? null,
    open: (): Visit => {
      const [oldest] = visits.keys()
      if (visits.size >= mostVisits && oldest !== undefined) {
        visits.get(oldest)?.subscription?.close()
        visits.delete(oldest)
      }
      const tracks = { current: newTrack(), legacy: newTrack() }
      const visit: Visit = {
        id: random(18),
        tracks,
        prepared: [],
        shown: new Map(),
        subscription: null,
      }
      visits.set(visit.id, visit)
      return visit
    },
  }
}

/** State and verifier for a step's request. They stay the same until they are used. */
export const prepare = (visit: Visit, step: string): Prepared => {
  const known = visit.prepared.find((one) => one.step === step)
  if (known) return known
  const fresh = { step, state: random(16), verifier: random(32) }
  visit.prepared = [...visit.prepared, fresh].slice(-mostPrepared)
  return fresh
}

/** Takes the request of this answer. Each is answered once. */
export const takePrepared = (visit: Visit, state: string | undefined): Prepared | null => {
  const found = visit.prepared.find((one) => one.state === state) ?? null
  visit.prepared = visit.prepared.filter((one) => one !== found)
  return found
}

/** Stores what an app would store after an answer of a token endpoint. */
export const learn = (track: Track, exchange: Exchange) => {
  const form = new Map(exchange.form.map(({ name, value }) => [name, value]))
  const used = form.get('refresh_token')
  if (exchange.status === 200) {
    const tokens = exchange.json as unknown as Tokens
    if (used !== undefined) track.spent.push(used)
    else {
      track.granted = {
        permissions: tokens.scope.split(' ').filter(Boolean),
        workspaceIds: tokens.workspace_ids ?? [],
      }
      track.spent = []
    }
    track.tokens = tokens
    track.ended = false
  } else if (exchange.json.error === 'invalid_grant' && used === track.tokens?.refresh_token) {
    track.tokens = null
    track.ended = true
  }
}
