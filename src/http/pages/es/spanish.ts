import type { Catalogues } from '../en/english.ts'
import { account } from './account.ts'
import { activity } from './activity.ts'
import { developer } from './developer.ts'
import { device } from './device.ts'
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
import { permissions } from './permissions.ts'
import { signIn } from './sign-in.ts'
import { steps } from './steps.ts'
import { summary } from './summary.ts'

/** The translations into Spanish. */
export const es: Catalogues = {
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
