// The data of a client, its installs and its grants in the stores, and what is recorded about a grant.
import type { UsedIds } from '../audit/last-used.ts'
import type { App, SecretDigest } from '../clients/app.ts'
import type { KeptOut } from '../organizations/audience.ts'
import type { InstallPause } from '../organizations/install.ts'
import type { Approved } from './approval.ts'
import type { Grant, GrantStanding } from './grant.ts'
import type { Expiring } from './refresh-token.ts'
import type { Unsettled } from './unsettled-rules.ts'

export interface LoadedGrant extends Approved, Expiring {
  grant: Grant
  standing: GrantStanding
  /** It has migrated to the successor of its legacy app. */
  migrated: boolean
  /** The source of a grant that an import has taken over; null: it was made here. */
  takenOverFrom: string | null
  /** Requests for its newest presented token that were answered with 503 although they may have run; null: none. */
  unsettled: Unsettled | null
}

export interface LoadedInstall extends Approved {
  installId: string
  /** Members have made it for themselves. */
  self: boolean
  /** Why it gives nothing at present; null: it does. */
  paused: InstallPause | null
  /** Why the user for whom the app acts may not use it there; null: they may, or there is none. */
  keptOut: KeptOut | null
}

export interface LoadedClient {
  app: App
  secrets: SecretDigest[]
}

/** `grant` is null when it is unknown or belongs to another client. */
export type WithGrant = LoadedClient & { grant: LoadedGrant | null }
/** `install` is null when the app is not installed in the organization. */
export type WithInstall = LoadedClient & { install: LoadedInstall | null }

/** The data that the store adds to a new grant. */
export interface InsertedGrant {
  connectionEpoch: number
  /** Number of other grants of the same user and install, including dead ones. */
  others: number
}

/** A live grant among those of one user, app and organization. */
export interface SurplusGrant {
  id: string
  /** A token was issued for it, according to the recorded uses. */
  used: boolean
  /** Seconds. */
  age: number
}

/** Live grants of one user, app and organization that exceed the bound. */
export interface Surplus {
  /** How many exceed the bound, as far as counted. */
  excess: number
  /** How many of the counted grants have no recorded use. */
  unused: number
  /** The oldest grants, and the oldest without a recorded use; oldest first. */
  oldest: SurplusGrant[]
}

export interface GrantStore {
  /** One query: the client, its secrets, and the grant if it belongs to this client. */
  loadGrant(clientId: string, familyId: string | null): Promise<WithGrant | null>
  /**
   * One query: the client, its secrets, and its live install in the organization.
   * @param userId for whom the app acts; null: for itself
   */
  loadInstall(
    clientId: string,
    organizationId: string,
    userId: string | null,
  ): Promise<WithInstall | null>
  /**
   * @param countUpTo maximum count of other grants
   * @returns false when a grant with this id exists; null when its organization, install or user no longer exists
   */
  insert(grant: Grant, countUpTo: number): Promise<InsertedGrant | false | null>
  /**
   * The grants to end so that at most `most` of the same user, app and organization live beside a new one, which is
   * not included. Expiring grants and others are counted separately.
   */
  surplus(grantId: string, most: number): Promise<Surplus>
  /** Undoes an insert whose result no client has seen. */
  discard(grantId: string): Promise<void>
  /** Binds a grant to a key. @returns false when it is bound to another key */
  bind(grantId: string, jkt: string): Promise<boolean>
  /** @returns false when it had ended before, or never existed */
  end(grantId: string, reason: string): Promise<boolean>
  /** Records the present time as the last use. */
  touch(used: UsedIds): Promise<void>
  /** Records unsettled requests by grant id. Repeating it changes nothing; those for older generations are dropped. */
  keepUnsettled(requests: ReadonlyMap<string, Unsettled>): Promise<void>
}

export interface GrantEvents {
  /** The client replayed a consumed code or refresh token, and the family has ended. */
  reuseDetected(grant: Grant, generation: number): void
  /** A family ended because its user, app or install was changed or removed. */
  ended(grant: Grant, reason: string): void
  /** The app has exchanged the refresh token of its earlier server. */
  takenOver(grant: Grant, source: string): void
  /** The app got a token of this grant. */
  used(grant: Grant): void
  /** The app got a token of this install, without a grant or with one that expires together with the token. */
  installUsed(installId: string): void
}
