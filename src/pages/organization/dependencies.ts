import type { Activity } from '../../core/audit/activity.ts'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { LastChange } from '../../core/audit/last-change.ts'
import type { UsageReport } from '../../core/audit/usage-report.ts'
import type { AuditStreams } from '../../core/audit-streams/audit-streams.ts'
import type { ConsentEnds } from '../../core/authorization/consent-ends.ts'
import type { AuthorizationRequests } from '../../core/authorization/requests.ts'
import type { AccessEnd, AllAccessEnd } from '../../core/grants/access-end.ts'
import type { AudiencePeople } from '../../core/grants/audience-people.ts'
import type { Undo } from '../../core/grants/undo.ts'
import type { Simulations } from '../../core/inspection/simulation.ts'
import type { TokenInspection } from '../../core/inspection/token-inspection.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import type { Limits } from '../../core/limits/limits.ts'
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
import type { Search } from '../../core/organizations/search.ts'
import type { SuspendAll } from '../../core/organizations/suspend-all.ts'
import type { Workspaces } from '../../core/organizations/workspaces.ts'
import type { UserPagesDependencies } from '../sign-in/guards.ts'

/** What the pages of an organization need. Each page names its own part. */
export interface OrganizationPagesDependencies extends UserPagesDependencies {
  catalogue: PermissionCatalogue
  memberships: Memberships
  installs: Installs
  installRequests: InstallRequests
  installPreviews: InstallPreviews
  audiencePeople: AudiencePeople
  organizationApps: OrganizationApps
  search: Search
  suspendAll: SuspendAll
  undo: Undo
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
  limits: Limits
  directory: Directory
  requests: AuthorizationRequests
  audit: AuditTrail
  /** Milliseconds since 1970. */
  now(): number
}
