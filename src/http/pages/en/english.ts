import { account } from './account.ts'
import { activity } from './activity.ts'
import { developer } from './developer.ts'
import { device } from './device.ts'
import { documentation } from './documentation.ts'
import { errors } from './errors.ts'
import { inspector } from './inspector.ts'
import { layout } from './layout.ts'
import { mails } from './mails.ts'
import { notices } from './notices.ts'
import { notifications } from './notifications.ts'
import { operator } from './operator.ts'
import { organization } from './organization.ts'
import { organizationApps } from './organization-apps.ts'
import { organizationDirectory } from './organization-directory.ts'
import { organizationKeys } from './organization-keys.ts'
import { organizationMembers } from './organization-members.ts'
import { organizationPolicy } from './organization-policy.ts'
import { passwordLinks } from './password-links.ts'
import { builtInPermissions, permissions } from './permissions.ts'
import { signIn } from './sign-in.ts'
import { steps } from './steps.ts'
import { summary } from './summary.ts'
import type { Catalogue } from './translation.ts'

/** The texts by area. Each language has a catalogue for each area. */
export const areas = {
  layout,
  permissions,
  signIn,
  steps,
  summary,
  account,
  notices,
  developer,
  device,
  errors,
  organization,
  organizationApps,
  organizationDirectory,
  organizationKeys,
  organizationMembers,
  organizationPolicy,
  activity,
  inspector,
  operator,
  mails,
  notifications,
  passwordLinks,
}

/** The translations of a language by area. */
export type Catalogues = { readonly [Area in keyof typeof areas]?: Catalogue<(typeof areas)[Area]> }

/** All texts of the pages, from those of each area. The documentation is in English. */
export const textOfAreas = (of: typeof areas) => ({
  ...of.layout,
  permissions: builtInPermissions,
  ...of.permissions,
  ...of.signIn,
  ...of.steps,
  ...of.summary,
  ...of.account,
  ...of.notices,
  developer: of.developer,
  ...of.device,
  ...documentation,
  ...of.errors,
  organization: {
    ...of.organization,
    ...of.organizationApps,
    ...of.organizationDirectory,
    ...of.organizationKeys,
    ...of.organizationMembers,
    ...of.organizationPolicy,
  },
  activity: of.activity,
  inspector: of.inspector,
  operator: of.operator,
  mails: of.mails,
  notifications: of.notifications,
  ...of.passwordLinks,
})

/** All texts of the pages in English. */
export const english = textOfAreas(areas)
