/** Data of the token inspector's template. */

import type { Phrase } from '../../../words/phrase.ts'
import type { TabbedPage, WorkspaceNames } from '../organization-page.ts'
import type { PermissionGroup } from '../permission-list.ts'
import type { Choice } from './activity.ts'
import type { Moment } from './frame.ts'

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
