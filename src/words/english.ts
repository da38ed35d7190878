import { account } from './en/account.ts'
import { activity } from './en/activity.ts'
import { developer } from './en/developer.ts'
import { device } from './en/device.ts'
import { documentation } from './en/documentation.ts'
import { errors } from './en/errors.ts'
import { faults } from './en/faults.ts'
import { form } from './en/form.ts'
import { inspector } from './en/inspector.ts'
import { layout } from './en/layout.ts'
import { mails } from './en/mails.ts'
import { notices } from './en/notices.ts'
import { notifications } from './en/notifications.ts'
import { operator } from './en/operator.ts'
import { organization } from './en/organization.ts'
import { organizationApps } from './en/organization-apps.ts'
import { organizationAudience } from './en/organization-audience.ts'
import { organizationDirectory } from './en/organization-directory.ts'
import { organizationKeys } from './en/organization-keys.ts'
import { organizationMembers } from './en/organization-members.ts'
import { organizationPolicy } from './en/organization-policy.ts'
import { passwordLinks } from './en/password-links.ts'
import { builtInPermissions, permissions } from './en/permissions.ts'
import { preview } from './en/preview.ts'
import { search } from './en/search.ts'
import { signIn } from './en/sign-in.ts'
import { steps } from './en/steps.ts'
import { summary } from './en/summary.ts'

/** The words of pages and mails by area. */
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
  faults,
  form,
  organization,
  organizationApps,
  organizationAudience,
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
  preview,
  search,
}

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
  faults: of.faults,
  form: of.form,
  organization: {
    ...of.organization,
    ...of.organizationApps,
    ...of.organizationAudience,
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
  preview: of.preview,
  search: of.search,
})

/** All texts of the pages in English. */
export const english = textOfAreas(areas)
