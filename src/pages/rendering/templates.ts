import type {
  AccountAppsPage,
  NotificationsPage,
  PasskeysPage,
  PasswordPage,
  SessionsPage,
  UnsubscribePage,
} from './view-models/account.ts'
import type { ActivityPage } from './view-models/activity.ts'
import type { BlocksPage } from './view-models/blocks.ts'
import type { DeveloperPages } from './view-models/developer.ts'
import type { ErrorPage, HomePage } from './view-models/frame.ts'
import type { OrganizationInspectPage } from './view-models/inspector.ts'
import type { OrganizationAppPages } from './view-models/organization-apps.ts'
import type { OrganizationPages } from './view-models/organizations.ts'
import type { PolicyPages } from './view-models/policies.ts'
import type {
  ConfirmPage,
  EndSessionPage,
  ForgottenPasswordPage,
  NewPasswordPage,
  PasswordLinkEndPage,
  SignedOutPage,
  SignInPage,
  SignOutPage,
} from './view-models/sign-in.ts'
import type {
  AskAdminPage,
  BlockedPage,
  ChooseOrganizationPage,
  ConsentPage,
  DevicePage,
  DonePage,
  InstalledPage,
  InstallPage,
  RequestSentPage,
} from './view-models/steps.ts'

/** All templates and their data: `views/pages/consent.eta` renders `Pages['consent']`. */
export type Pages = OrganizationPages &
  OrganizationAppPages &
  PolicyPages &
  DeveloperPages & {
    blocks: BlocksPage
    'organization-activity': ActivityPage
    'organization-inspect': OrganizationInspectPage
    'sign-in': SignInPage
    'choose-organization': ChooseOrganizationPage
    install: InstallPage
    installed: InstalledPage
    'ask-admin': AskAdminPage
    'request-sent': RequestSentPage
    blocked: BlockedPage
    consent: ConsentPage
    device: DevicePage
    done: DonePage
    'sign-out': SignOutPage
    'end-session': EndSessionPage
    'signed-out': SignedOutPage
    error: ErrorPage
    home: HomePage
    'account-apps': AccountAppsPage
    sessions: SessionsPage
    passkeys: PasskeysPage
    password: PasswordPage
    notifications: NotificationsPage
    unsubscribe: UnsubscribePage
    'forgotten-password': ForgottenPasswordPage
    'new-password': NewPasswordPage
    'password-link-end': PasswordLinkEndPage
    confirm: ConfirmPage
  }
