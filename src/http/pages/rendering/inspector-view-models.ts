/** What the template of the token inspector is given. */

import type { Phrase } from '../en/phrase.ts'
import type { Choice } from './activity-view-models.ts'
import type { OrganizationTabs, WorkspaceNames } from './organization-view-models.ts'
import type { PermissionGroup } from './permission-list.ts'
import type { Moment, Page, SignedInUser } from './view-models.ts'

/** A time, and how far away it is. */
export type TokenMoment = Moment & { relative: string }

export type TokenFactsItem = {
  kind: string
  hint: string
  interfaceName: string
  ownerLabel: string
  owner: string
  /** null: nobody; an app or a program for itself. */
  person: string | null
  organization: string
  mayLabel: string
  permissionGroups: PermissionGroup[]
  workspaces: WorkspaceNames
  issued: TokenMoment | null
  expires: TokenMoment | null
  expiresOtherwise: string
  /** Thumbprint of the key without which it is no good; null: whoever has it may use it. */
  key: string | null
}

/** What was found out about the token that was pasted. */
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
  /** `null` on the legacy interface, which knows no workspaces. */
  workspaces: SimulatedLine[] | null
}

export type OrganizationInspectPage = Page &
  OrganizationTabs & {
    user: SignedInUser
    /** Where both forms are sent. */
    action: string
    error: string | null
    /** The field of the fault, for the summary on top. */
    field: string
    inspected: InspectedToken | null
    simulated: SimulatedToken | null
    apps: Choice[]
    people: Choice[]
  }
