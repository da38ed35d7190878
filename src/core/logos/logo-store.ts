/** What has a logo. */
export type LogoOwner = 'app' | 'organization'

/** A logo to fetch. */
export interface DueLogo {
  owner: LogoOwner
  /** Client id, or id of the organization. */
  id: string
  uri: string
  /** How often it was tried, with this attempt. */
  attempts: number
}

export interface LogoStore {
  /**
   * Claims due logos for a lease.
   * @param lease seconds
   */
  claim(most: number, lease: number): Promise<DueLogo[]>
  /** Stores the image, unless the owner has another logo by now. */
  store(logo: DueLogo, digest: string, image: Buffer): Promise<void>
  /** @param retryAfter seconds; null: it is not tried again */
  failed(logo: DueLogo, retryAfter: number | null): Promise<void>
  /** The image of a digest; null: there is none. */
  image(digest: string): Promise<Buffer | null>
}
