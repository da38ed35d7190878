// A logo that was uploaded here: an app has it, or the address of a logo.
import type { Patch } from '../audit/changes.ts'
import { type Fault, faultIf } from '../language/faults.ts'
import type { AppSettings } from './app-settings.ts'

type Logos = Pick<AppSettings, 'logoUri' | 'uploadedLogo'>

export interface UploadRules {
  /** The image of this digest stays for an hour. @returns false: there is none */
  renewLogo(digest: string): Promise<boolean>
}

/** The one that a change names takes the place of the other. */
export const withOneLogo = <App extends Logos>(before: Logos, after: App): App => {
  const isNew = (name: keyof Logos) => after[name] !== null && after[name] !== before[name]
  if (isNew('logoUri') === isNew('uploadedLogo')) return after
  return isNew('logoUri') ? { ...after, uploadedLogo: null } : { ...after, logoUri: null }
}

export const twoLogosFaults = ({ logoUri, uploadedLogo }: Logos): Fault[] => {
  const detail = 'cannot be beside logo_uri: set one of the two to null'
  return faultIf(logoUri !== null && uploadedLogo !== null, '/uploaded_logo', 'logo_twice', detail)
}

export const uploadFaults = async ({ uploadedLogo = null }: Patch<Logos>, rules: UploadRules) => {
  const isMissing = uploadedLogo !== null && !(await rules.renewLogo(uploadedLogo))
  const detail = 'names no image of this server; upload it again'
  return faultIf(isMissing, '/uploaded_logo', 'logo_upload', detail)
}
