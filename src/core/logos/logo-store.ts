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

export interface LogoStore {
  /**
   * Claims due logos for a lease, those without an image first.
   * @param lease seconds
   */
  claim(most: number, lease: number): Promise<DueLogo[]>
  /** Stores the image, unless the owner has another logo by now. */
  store(logo: DueLogo, image: FetchedLogo, freshSeconds: number): Promise<void>
  /** The image is still the stored one. */
  unchanged(logo: DueLogo, freshSeconds: number): Promise<void>
  /** A stored image stays. @param retryAfter seconds */
  failed(logo: DueLogo, retryAfter: number): Promise<void>
  /** The image of a digest; null: there is none. */
  image(digest: string): Promise<Buffer | null>
}
