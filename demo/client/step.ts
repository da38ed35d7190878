import { createHash } from 'node:crypto'
import type { DemoApp, Seeded } from '../seed.ts'
import type { Exchange, Field, Operation, PlannedRequest } from './exchange.ts'
import type { Track, TrackName, Visit } from './visit.ts'

/** The context of a step. */
export interface Scene {
  issuer: string
  dataApi: string | null
  seeded: Seeded
  visit: Visit
  track: Track
}

/** A suggestion or an explanation, with a link. */
export interface Hint {
  text: string
  link?: { label: string; href: string }
}

/** The address to which the browser is sent. */
export interface Departure {
  endpoint: string
  query: Field[]
  /** Alternative links: their label and additional parameters. */
  variants: { label: string; extra: Record<string, string> }[]
}

interface Common {
  /** The last segment of its path. */
  id: string
  /** Its label in the list of steps. */
  short: string
  title: string
  lead: string
  /** The reason why the step cannot run yet. */
  blocked?(scene: Scene): Hint | null
  /** Suggestions to try next. */
  tries?(scene: Scene): Hint[]
}

/** The browser goes to Latchkey. */
export interface GoStep extends Common {
  kind: 'go'
  departure(scene: Scene): Departure
}

/** The app sends requests. */
export interface SendStep extends Common {
  kind: 'send'
  button: string
  plan(scene: Scene): PlannedRequest[]
  /** Requests that follow, based on the first answers. */
  follow?(scene: Scene, exchanges: readonly Exchange[]): PlannedRequest[]
  /** A subscription that stays open, based on the answers. */
  subscription?(scene: Scene, exchanges: readonly Exchange[]): Operation | null
  /** Explains the answers. */
  lesson(exchanges: readonly Exchange[]): string[]
  /** The next address of the browser after the requests. */
  departure?(scene: Scene, exchanges: readonly Exchange[]): Departure | null
}

/** The browser has returned and the app has exchanged the code. */
export interface ReturnStep extends Common {
  kind: 'return'
  lesson(exchanges: readonly Exchange[]): string[]
}

export type Step = GoStep | SendStep | ReturnStep

/** The steps of one app, in order. */
export interface Chapter {
  name: TrackName
  title: string
  steps: readonly Step[]
}

export const challengeOf = (verifier: string) =>
  createHash('sha256').update(verifier).digest('base64url')

/** The credentials of the app as form fields. */
export const credentials = ({ clientId, clientSecret }: DemoApp): Field[] => [
  { name: 'client_id', value: clientId },
  ...(clientSecret === null
    ? []
    : [{ name: 'client_secret', value: clientSecret, note: 'proves that it is the app' }]),
]

export const addressOf = ({ endpoint, query }: Departure, extra: Record<string, string> = {}) => {
  const pairs = query.map(({ name, value }): [string, string] => [name, value])
  return `${endpoint}?${new URLSearchParams([...pairs, ...Object.entries(extra)])}`
}

export const succeeded = (exchanges: readonly Exchange[], at = 0) => exchanges[at]?.status === 200
