import type { FetchFailure } from '../outbound/fetch-document.ts'

/** What has a logo. */
export type LogoOwner = 'app' | 'organization'

/** A logo to fetch. */
export interface DueLogo {
  owner: LogoOwner
  /** Client id, or id of the organization. */
  id: string
  uri: string
  /** Of the stored image; null: there is none, or it had none. */
  etag: string | null
  /** How often it was tried since the last success, with this attempt. */
  attempts: number
}

export interface FetchedLogo {
  /** SHA-256 of the image, in hexadecimal digits. */
  digest: string
  image: Buffer
  etag: string | null
}

/** Why there is no logo: it was not fetched, it is an SVG, or it is no image that this server decodes. */
export type LogoFault = FetchFailure | 'svg' | 'image'

/** An attempt that ended without a logo. */
export interface FailedAttempt {
  fault: LogoFault
  /** Seconds; null: not again, until the owner names another logo. */
  retryAfter: number | null
}

export interface LogoState {
  /** Of the image that pages show; null: there is none. */
  digest: string | null
  /** Why the last attempt brought no logo; null: it did, or there was none. */
  fault: LogoFault | null
}

export interface LogoStore {
  /**
   * Claims due logos for a lease, those without an image first, of owners by turns, and counts the attempt. The
   * last one has no lease: an image that ends the process is not tried again.
   * @param lease seconds
   * @param attempts at most
   */
  claim(most: number, lease: number, attempts: number): Promise<DueLogo[]>
  /** Stores the image, unless the owner has another logo by now. */
  store(logo: DueLogo, image: FetchedLogo, freshSeconds: number): Promise<void>
  /** The image is still the stored one. */
  unchanged(logo: DueLogo, freshSeconds: number): Promise<void>
  /** A stored image stays, unless the logo is an SVG now. */
  failed(logo: DueLogo, attempt: FailedAttempt): Promise<void>
  /** The logo was not tried, so the claim does not count as an attempt. @param retryAfter seconds */
  postpone(logo: DueLogo, retryAfter: number): Promise<void>
  /** The image of a digest; null: there is none. */
  image(digest: string): Promise<Buffer | null>
  /** Stores an uploaded image, for an hour unless an app or a change that waits needs it. */
  keep(digest: string, image: Buffer): Promise<void>
  /** The image stays for an hour more. @returns false: there is none */
  renew(digest: string): Promise<boolean>
  /** The logo of an app. */
  stateOf(clientId: string): Promise<LogoState>
}
