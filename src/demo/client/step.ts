import { createHash } from 'node:crypto'
import type { DemoApp, Seeded } from '../seed.ts'
import type { Exchange, Field, PlannedRequest } from './exchange.ts'
import type { Track, TrackName, Visit } from './visit.ts'

/** What a step can see. */
export interface Scene {
  issuer: string
  dataApi: string | null
  seeded: Seeded
  visit: Visit
  track: Track
}

/** Something to do now, or an explanation with a way on. */
export interface Hint {
  text: string
  link?: { label: string; href: string }
}

/** An address to which the browser is sent. */
export interface Departure {
  endpoint: string
  query: Field[]
  /** Other ways to go there: what the link says, and what it adds. */
  variants: { label: string; extra: Record<string, string> }[]
}

interface Common {
  /** The last part of its path. */
  id: string
  /** In the list of steps. */
  short: string
  title: string
  lead: string
  /** Why it cannot be done yet. */
  blocked?(scene: Scene): Hint | null
  /** What to try next. */
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
  /** What is sent next, with what the first answers said. */
  follow?(scene: Scene, exchanges: readonly Exchange[]): PlannedRequest[]
  /** What the answers show. */
  lesson(exchanges: readonly Exchange[]): string[]
  /** The browser goes on from here, once it was sent. */
  departure?(scene: Scene, exchanges: readonly Exchange[]): Departure | null
}

/** The browser has come back and the app traded the code at once. */
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

/** Who the app is, as confidential apps say it in the form. */
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
