// What the pages call, once for all audiences. Each page takes the part that it uses.

import type { FastifyReply } from 'fastify'
import type { Activity } from '../../core/audit/activity.ts'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { LastChange } from '../../core/audit/last-change.ts'
import type { UsageReport } from '../../core/audit/usage-report.ts'
import type { AuditStreams } from '../../core/audit-streams/audit-streams.ts'
import type { ConsentEnds } from '../../core/authorization/consent-ends.ts'
import type { Consents } from '../../core/authorization/consents.ts'
import type { DeviceFlow } from '../../core/authorization/device-flow.ts'
import type { EndSession } from '../../core/authorization/end-session.ts'
import type { AuthorizationRequests } from '../../core/authorization/requests.ts'
import type { AppReviews } from '../../core/client-documents/app-reviews.ts'
import type { DocumentRequests } from '../../core/client-documents/document-requests.ts'
import type { AppChanges } from '../../core/clients/app-changes.ts'
import type { AppOwners } from '../../core/clients/app-owners.ts'
import type { AppRequests } from '../../core/clients/app-requests.ts'
import type { AppSecrets, CreatedAppSecret } from '../../core/clients/app-secrets.ts'
import type { OperatorGrants } from '../../core/credentials/operator-grants.ts'
import type { AccessEnd, AllAccessEnd } from '../../core/grants/access-end.ts'
import type { AudiencePeople } from '../../core/grants/audience-people.ts'
import type { Connections } from '../../core/grants/connections.ts'
import type { InstallCodes } from '../../core/grants/install-codes.ts'
import type { Undo } from '../../core/grants/undo.ts'
import type { Simulations } from '../../core/inspection/simulation.ts'
import type { TokenInspection } from '../../core/inspection/token-inspection.ts'
import type { Stops } from '../../core/introspection/stops.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { LogoStore } from '../../core/logos/logo-store.ts'
import type { LogoUploads } from '../../core/logos/logo-uploads.ts'
import type { MailChoices } from '../../core/notifications/mail-choices.ts'
import type { PasswordRequests } from '../../core/notifications/password-requests.ts'
import type { AccessReview } from '../../core/organizations/access-review.ts'
import type { Directory } from '../../core/organizations/directory.ts'
import type { InstallPreviews } from '../../core/organizations/install-preview.ts'
import type { InstallRequests } from '../../core/organizations/install-requests.ts'
import type { Installs } from '../../core/organizations/installs.ts'
import type { CreatedKeySetSecret } from '../../core/organizations/key-set-secrets.ts'
import type { KeySets } from '../../core/organizations/key-sets.ts'
import type { Memberships } from '../../core/organizations/memberships.ts'
import type { OneTimeSecrets } from '../../core/organizations/one-time-secrets.ts'
import type { OrganizationApps } from '../../core/organizations/organization-apps.ts'
import type { OrganizationPolicies } from '../../core/organizations/organization-policies.ts'
import type { PermissionUse } from '../../core/organizations/permission-use.ts'
import type { Sandboxes } from '../../core/organizations/sandboxes.ts'
import type { Search } from '../../core/organizations/search.ts'
import type { SuspendAll } from '../../core/organizations/suspend-all.ts'
import type { NewTestPerson, TestPeople } from '../../core/organizations/test-people.ts'
import type { Workspaces } from '../../core/organizations/workspaces.ts'
import type { OwnPassword } from '../../core/people/own-password.ts'
import type { Passkeys } from '../../core/people/passkeys.ts'
import type { PasswordLinks } from '../../core/people/password-links.ts'
import type { PasswordSignIn } from '../../core/people/password-sign-in.ts'
import type { ProviderSignIn } from '../../core/people/provider-sign-in.ts'
import type { SecurityNotices } from '../../core/people/security-notices.ts'
import type { Session } from '../../core/people/session.ts'
import type { Sessions } from '../../core/people/sessions.ts'
import type { Users } from '../../core/people/users.ts'
import type { AppWebhooks, ShownWebhookSecret } from '../../core/webhooks/app-webhooks.ts'
import type { Browser } from '../../http/browser/browser.ts'
import type { Renderer } from '../rendering/render.ts'

export interface SignInWays {
  password: boolean
  passkey: boolean
  /** The host where passkeys do not work: the host of the legacy endpoints when it differs from the issuer's. */
  hostWithoutPasskeys: string | null
  provider: { label: string | null } | null
  /** Users get mails. */
  mails: boolean
  /** A mail can bring a link to set a password. */
  passwordByMail: boolean
}

/** Guards every page on which an admin administers an organization. */
export interface Administering {
  /** false when the session has only a password, but the user is an operator or the configuration requires more. */
  mayAdminister(session: Session): boolean
  /** Redirects to a page that asks for a passkey or adds one, and then back. */
  askForPasskey(reply: FastifyReply, returnTo: string): FastifyReply
}

/** Guards changes that give access: passkeys, key sets, apps with sensitive permissions. */
export interface RecentSignIn {
  isRecent(session: Session): boolean
  /** Redirects to sign in again, and then back. */
  askAgain(reply: FastifyReply, returnTo: string): FastifyReply
}

export interface PageServices {
  browser: Browser
  renderer: Renderer
  administering: Administering
  recentSignIn: RecentSignIn
  ways: SignInWays
  /** The address of the server, without a final slash. */
  origin: string
  /** The issuer of our answers (RFC 9207). */
  issuer: string
  /** Milliseconds since 1970. */
  now(): number
  catalogue: PermissionCatalogue
  limits: Limits
  audit: AuditTrail
  undo: Undo
  stops: Stops

  sessions: Sessions
  users: Users
  passwordSignIn: PasswordSignIn
  ownPassword: OwnPassword
  passwordRequests: PasswordRequests
  passwordLinks: PasswordLinks
  /** null when passkeys cannot work or are switched off. */
  passkeys: Passkeys | null
  /** null when the operator has configured no provider. */
  providerSignIn: ProviderSignIn | null
  endSession: EndSession
  /** Counts the outcome of a sign-out that an app requested. */
  signOutRequested(outcome: 'ended' | 'confirming' | 'nobody'): void
  securityNotices: SecurityNotices
  mailChoices: MailChoices
  connections: Connections

  requests: AuthorizationRequests
  consents: Consents
  devices: DeviceFlow
  documentRequests: DocumentRequests
  installCodes: InstallCodes

  memberships: Memberships
  installs: Installs
  installRequests: InstallRequests
  installPreviews: InstallPreviews
  permissionUse: PermissionUse
  audiencePeople: AudiencePeople
  organizationApps: OrganizationApps
  directory: Directory
  search: Search
  suspendAll: SuspendAll
  accessEnd: AccessEnd
  allAccessEnd: AllAccessEnd
  consentEnds: ConsentEnds
  workspaces: Workspaces
  lastChange: LastChange
  organizationPolicies: OrganizationPolicies
  accessReview: AccessReview
  keySets: KeySets
  oneTimeSecrets: OneTimeSecrets<CreatedKeySetSecret>
  activity: Activity
  auditStreams: AuditStreams
  usageReport: UsageReport
  tokenInspection: TokenInspection
  simulations: Simulations

  appOwners: AppOwners
  appChanges: AppChanges
  appReviews: AppReviews
  appRequests: AppRequests
  appSecrets: AppSecrets
  oneTimeAppSecrets: OneTimeSecrets<CreatedAppSecret>
  appWebhooks: AppWebhooks
  oneTimeWebhookSecrets: OneTimeSecrets<ShownWebhookSecret>
  logos: LogoStore
  logoUploads: LogoUploads
  sandboxes: Sandboxes
  testPeople: TestPeople
  oneTimeTestPeople: OneTimeSecrets<NewTestPerson>
  operators: OperatorGrants
}
