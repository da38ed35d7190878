import type { AccountPages } from './view-models/account.ts'
import type { ActivityPage, OrganizationInspectPage } from './view-models/activity.ts'
import type { BlocksPage } from './view-models/blocks.ts'
import type { DeveloperPages } from './view-models/developer.ts'
import type { ErrorPage, HomePage } from './view-models/frame.ts'
import type { OrganizationAppPages } from './view-models/organization-apps.ts'
import type { OrganizationPages } from './view-models/organizations.ts'
import type { SignInPages } from './view-models/sign-in.ts'
import type { StepPages } from './view-models/steps.ts'

/** All templates and their data: `views/pages/consent.eta` renders `Pages['consent']`. */
export type Pages = SignInPages &
  StepPages &
  AccountPages &
  DeveloperPages &
  OrganizationPages &
  OrganizationAppPages & {
    blocks: BlocksPage
    home: HomePage
    error: ErrorPage
    'organization-activity': ActivityPage
    'organization-inspect': OrganizationInspectPage
  }
