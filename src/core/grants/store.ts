// What lives here: what the stores tell of a client, its installs and its grants, and what is written down of a grant.

import type { Used } from '../audit/last-used.ts'
import type { App, SecretDigest } from '../clients/app.ts'
import type { Approved } from './approval.ts'
import type { Grant, GrantStanding } from './grant.ts'
import type { Unsettled } from './unsettled-rules.ts'

export interface LoadedGrant extends Approved {
  grant: Grant
  standing: GrantStanding
  /** It has become a grant of the app's current twin. */
  migrated: boolean
  /** Requests for its newest presented token that were answered 503 although they may have run; null: none. */
  unsettled: Unsettled | null
}

export interface LoadedInstall extends Approved {
  installId: string
  suspended: boolean
}

export interface LoadedClient {
  app: App
  secrets: SecretDigest[]
}

/** `grant` is null when it is unknown or another client's. */
export type WithGrant = LoadedClient & { grant: LoadedGrant | null }
/** `install` is null when the app is not installed in the organization. */
export type WithInstall = LoadedClient & { install: LoadedInstall | null }

/** What the store adds to a new grant. */
export interface InsertedGrant {
  connectionEpoch: number
  /** Grants beside it of the same user and install, dead ones among them. */
  others: number
}

/** A live grant among those of one user, app and organization. */
export interface SurplusGrant {
  id: string
  /** A token was issued for it, as far as that is written yet. */
  used: boolean
  /** Seconds. */
  age: number
}

/** Live grants of one user, app and organization, of which there are too many. */
export interface Surplus {
  /** How many too many, as far as they are counted. */
  excess: number
  /** How many of those counted are not known to be used. */
  unused: number
  /** The oldest ones, and the oldest ones that are not known to be used; the oldest first. */
  oldest: SurplusGrant[]
}

export interface GrantStore {
  /** One query: the client, its secrets, and the grant when it is this client's. */
  loadGrant(clientId: string, familyId: string | null): Promise<WithGrant | null>
  /** One query: the client, its secrets, and its live install in the organization. */
  loadInstall(clientId: string, organizationId: string): Promise<WithInstall | null>
  /**
   * @param countUpTo of the grants beside it so many are counted at most
   * @returns false when there is one with this id already; null when its organization, install or user is gone
   */
  insert(grant: Grant, countUpTo: number): Promise<InsertedGrant | false | null>
  /**
   * What to end so that at most so many grants of the same user, app and organization live beside a new one, which is
   * not among them. Those that expire and those that do not are counted apart.
   */
  surplus(grantId: string, most: number): Promise<Surplus>
  /** Takes back an insert of which nobody has heard yet. */
  discard(grantId: string): Promise<void>
  /** Binds a grant to a key. @returns false when it is bound to another */
  bind(grantId: string, jkt: string): Promise<boolean>
  /** @returns false when it had ended before, or never was */
  end(grantId: string, reason: string): Promise<boolean>
  /** Marks as used now. */
  touch(used: Used): Promise<void>
  /** Records unsettled requests by grant id. Repeating it changes nothing; those for older generations are dropped. */
  keepUnsettled(requests: ReadonlyMap<string, Unsettled>): Promise<void>
}
