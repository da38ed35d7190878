import { badInput } from './faults.ts'

/** A file that was stored for an attachment. */
export interface Attached {
  /** The hosted path. */
  val: string
  /** Bytes. */
  size: number
  /** MIME type. */
  type: string
}

/** Stores the files of attachments. */
export interface Attachments {
  /**
   * @param given the URL of a file, a hosted path, or the Base64 content of an image @param place
   * of the value in the input @throws Fault if there is no such file
   */
  store(organizationId: string, given: string, place: string): Promise<Attached>
  /** After a write that failed. */
  discard(organizationId: string, stored: Attached): Promise<void>
}

/** For programs beside the data API, which have no address for files. */
export const noAttachments: Attachments = {
  store: async (_organizationId, _given, place) => {
    throw badInput('files are stored by the data API only', place)
  },
  discard: async () => {},
}
