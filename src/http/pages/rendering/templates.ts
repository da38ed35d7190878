import type {
  AccountAppsPage,
  NotificationsPage,
  PasskeysPage,
  PasswordPage,
  SessionsPage,
  UnsubscribePage,
} from './account-view-models.ts'
import type { ActivityPage } from './activity-view-models.ts'
import type { BlocksPage } from './block-view-models.ts'
import type { DeveloperPages } from './developer-view-models.ts'
import type { OrganizationInspectPage } from './inspector-view-models.ts'
import type { OrganizationAppPages } from './organization-app-view-models.ts'
import type { OrganizationPages } from './organization-view-models.ts'
import type { PolicyPages } from './policy-view-models.ts'
import type {
  ConfirmPage,
  EndSessionPage,
  ForgottenPasswordPage,
  NewPasswordPage,
  PasswordLinkEndPage,
  SignedOutPage,
  SignInPage,
  SignOutPage,
} from './sign-in-view-models.ts'
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
} from './step-view-models.ts'
import type { ErrorPage, HomePage } from './view-models.ts'

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
