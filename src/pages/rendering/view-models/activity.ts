// Data of the activity of an organization, and of the token inspector.
import type { Phrase } from '../../../words/phrase.ts'
import type { TabbedPage, WorkspaceNames } from '../organization-page.ts'
import type { PermissionGroup } from '../permission-list.ts'
import type { Choice, Moment } from './frame.ts'

export type TrailEntry = {
  at: Moment
  who: Phrase
  what: Phrase
  /** The organization, for operators. */
  where: Phrase | null
  /** What helps against a refusal; null: it is none. */
  help: string | null
  details: string[]
  address: string | null
  reference: { id: string; href: string } | null
  /** For developers. */
  codes: { label: string; value: string }[]
}

/** The events of a day that concern one app; `app` is null for those that concern none. */
export type TrailGroup = { app: Phrase | null; entries: TrailEntry[] }

export type TrailDay = { heading: string; groups: TrailGroup[] }

export type FilterField = {
  id: string
  name: string
  label: string
  type: 'select' | 'text' | 'date'
  value: string
  /** Of `select`. */
  choices: Choice[]
  /** What is wrong with the value. */
  fault: string | null
  /** The page that shows what the text finds, with a query; null: it is not searched. */
  pick: string | null
  /** The name of the value. */
  note: string | null
}

export type FilterForm = {
  action: string
  bar: FilterField[]
  /** Folded away. */
  more: FilterField[]
  isOpen: boolean
  /** A field is set that the bar folds away. */
  isMoreOpen: boolean
  hint: string
}

/** The audit trail, filtered. */
export type Trail = {
  filter: FilterForm
  days: TrailDay[]
  /** The page that finds a request by its id. */
  requestsUrl: string
  olderUrl: string | null
  newerUrl: string | null
}

/** Percent of the plot's width and height, from its upper left corner. */
export type Box = { x: string; y: string; width: string; height: string }

export type BarSegment = Box & { series: number; title: string }

export type TokensChart = {
  summary: string
  segments: BarSegment[]
  /** From the top down. */
  scale: string[]
  /** First, middle and last. */
  days: string[]
  legend: { series: number; name: string }[]
  rows: { day: string; counts: string[] }[]
}

export type RefusalsChart = { rows: { reason: string; count: string; width: string }[] }

export type SecretRow = {
  name: string
  kind: string
  hint: string
  made: Moment
  used: Moment | null
  /** Time since the last use, in words. */
  ago: string
  /** Percent of the width; `null`: never used. */
  madeAt: string
  usedAt: string | null
  /** Set when the secret has signed tokens without expiry. */
  endless: string | null
}

export type SecretsChart = {
  summary: string
  drawn: SecretRow[]
  more: string | null
  axis: { x: string; label: string; anchor: 'start' | 'middle' | 'end' }[]
  rows: SecretRow[]
}

export type ActivityCharts = {
  tokens: TokensChart | null
  refusals: RefusalsChart | null
  secrets: SecretsChart | null
}

export type ActivityPage = TabbedPage & {
  /** `null` when the trail is filtered. */
  charts: ActivityCharts | null
  trail: Trail
}

/** A point in time and its distance from now. */
export type TokenMoment = Moment & { relative: string }

export type TokenFactsItem = {
  kind: string
  hint: string
  interfaceName: string
  ownerLabel: string
  owner: string
  /** Names of the apps that act with the token, the current one first. */
  actors: string[]
  /** The user; null when an app or program acts for itself. */
  person: string | null
  organization: string
  mayLabel: string
  permissionGroups: PermissionGroup[]
  workspaces: WorkspaceNames
  issued: TokenMoment | null
  expires: TokenMoment | null
  expiresOtherwise: string
  /** Thumbprint of the key that the token is bound to; null for a bearer token. */
  key: string | null
}

/** The result for the pasted token. */
export type InspectedToken = {
  tone: 'good' | 'bad' | 'plain'
  heading: string
  why: Phrase
  move: string | null
  facts: TokenFactsItem | null
}

export type SimulatedLine = { name: string; isGiven: boolean; given: string; because: string }

export type SimulatedToken = {
  tone: 'good' | 'bad'
  heading: Phrase
  verdict: string
  why: string[]
  permissions: SimulatedLine[]
  /** `null` on the legacy interface, which has no workspaces. */
  workspaces: SimulatedLine[] | null
}

export type OrganizationInspectPage = TabbedPage & {
  /** The target of both forms. */
  action: string
  error: string | null
  /** Selector of the faulty field, for the error summary. */
  field: string
  inspected: InspectedToken | null
  simulated: SimulatedToken | null
  apps: Choice[]
  people: Choice[]
}
