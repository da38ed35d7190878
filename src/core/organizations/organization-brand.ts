// The look of an organization on its own pages. The operator sets it.
import { logoFaults } from '../clients/link.ts'
import { type Fault, faultAt } from '../language/faults.ts'

/** What an organization's own pages show. */
export interface OrganizationBrand {
  /** Where its logo is fetched from; null: none. */
  logoUri: string | null
  /** `#rrggbb`; null: the accent of the server. The pages adjust its lightness, so that words stay readable. */
  accent: string | null
}

export const noBrand: OrganizationBrand = { logoUri: null, accent: null }

export const accentPattern = '^#[0-9a-fA-F]{6}$'
const accentShape = new RegExp(accentPattern)

/** What is wrong with a brand, by the names in JSON. */
export const brandFaults = ({ logoUri, accent }: OrganizationBrand): Fault[] => [
  ...logoFaults('/logo_uri', logoUri),
  ...(accent === null || accentShape.test(accent)
    ? []
    : [faultAt('/accent', 'accent', 'must be a colour such as #3355cc, or null')]),
]

export interface ShownBrandStore {
  /** As pages need it; null: the organization has no brand of its own, or does not exist. */
  brandOf(organizationId: string): Promise<Record<'accent' | 'logoDigest', string | null> | null>
}
