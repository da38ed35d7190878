// Part of the wiring (app.ts): services → pages.
import type { Browser } from '../../http/browser/browser.ts'
import { createInProcessApi } from '../../http/operator/in-process.ts'
import type { AccountPagesDependencies } from '../../pages/account/dependencies.ts'
import type { AuthorizationPagesDependencies } from '../../pages/authorization/pages.ts'
import type { DeveloperPagesDependencies } from '../../pages/developer/pages.ts'
import type { OperatorPagesDependencies } from '../../pages/operator/pages.ts'
import type { OrganizationPagesDependencies } from '../../pages/organization/dependencies.ts'
import type { PagesDependencies } from '../../pages/pages.ts'
import type { Renderer } from '../../pages/rendering/render.ts'
import type { SignInPagesDependencies } from '../../pages/sign-in/pages.ts'
import type { Foundation } from '../foundation.ts'
import { operatorHealth } from '../operator-health.ts'
import type { Services } from '../services/services.ts'
import { operatorFrontArgument } from './operator.ts'

/** The renderer and browser of every page, and the origin of the pages. */
interface Shell {
  browser: Browser
  renderer: Renderer
  origin: string
}

const signInPages = (
  shell: Shell,
  { metrics }: Foundation,
  services: Services,
): SignInPagesDependencies => ({
  ...shell,
  requests: services.requests,
  consents: services.consents,
  ways: services.ways,
  passkeys: services.passkeys,
  administering: services.administering,
  passwordSignIn: services.passwordSignIn,
  passwordLinks: services.passwordLinks,
  passwordRequests: services.passwordRequests,
  providerSignIn: services.providerSignIn,
  endSession: services.endSession,
  audit: services.audit,
  signOutAsked: metrics.signOutAsked,
})

const accountPages = (
  shell: Shell,
  { stores }: Foundation,
  services: Services,
): AccountPagesDependencies => ({
  ...shell,
  catalogue: services.catalogue,
  connections: services.connections,
  installRequests: services.installRequests,
  appOwners: services.appOwners,
  ways: services.ways,
  sessions: services.sessions,
  passkeys: services.passkeys,
  ownPassword: services.ownPassword,
  mailChoices: services.mailChoices,
  users: services.users,
  administering: services.administering,
  recentSignIn: services.recentSignIn,
  now: stores.now,
})

const authorizationPages = (
  shell: Shell,
  { config, stores }: Foundation,
  services: Services,
): AuthorizationPagesDependencies => ({
  ...shell,
  mails: config.mail !== null,
  catalogue: services.catalogue,
  requests: services.requests,
  consents: services.consents,
  devices: services.devices,
  installCodes: services.installCodes,
  installRequests: services.installRequests,
  limits: services.limits,
  administering: services.administering,
  recentSignIn: services.recentSignIn,
  now: stores.now,
  install: (cause, { organizationId, clientId, ...approval }) =>
    services.installs.install(organizationId, clientId, approval, cause),
})

const organizationPages = (
  { browser, renderer }: Shell,
  { stores }: Foundation,
  services: Services,
): OrganizationPagesDependencies => ({
  browser,
  renderer,
  catalogue: services.catalogue,
  memberships: services.memberships,
  administering: services.administering,
  recentSignIn: services.recentSignIn,
  installs: services.installs,
  installRequests: services.installRequests,
  organizationApps: services.organizationApps,
  suspendAll: services.suspendAll,
  accessEnd: services.accessEnd,
  consentEnds: services.consentEnds,
  workspaces: services.workspaces,
  lastChange: services.lastChange,
  organizationPolicies: services.organizationPolicies,
  accessReview: services.accessReview,
  keySets: services.keySets,
  oneTimeSecrets: services.oneTimeSecrets,
  activity: services.activity,
  usageReport: services.usageReport,
  tokenInspection: services.tokenInspection,
  simulations: services.simulations,
  limits: services.limits,
  directory: services.directory,
  requests: services.requests,
  audit: services.audit,
  now: stores.now,
})

const developerPages = (
  { browser, renderer }: Shell,
  { stores }: Foundation,
  services: Services,
): DeveloperPagesDependencies => ({
  browser,
  renderer,
  logos: stores.logos,
  ways: services.ways,
  appOwners: services.appOwners,
  appSecrets: services.appSecrets,
  oneTimeSecrets: services.oneTimeAppSecrets,
  appChanges: services.appChanges,
  appWebhooks: services.appWebhooks,
  oneTimeWebhookSecrets: services.oneTimeWebhookSecrets,
  appRequests: services.appRequests,
  sandboxes: services.sandboxes,
  testPeople: services.testPeople,
  oneTimeTestPeople: services.oneTimeTestPeople,
  catalogue: services.catalogue,
  administering: services.administering,
  recentSignIn: services.recentSignIn,
})

const operatorPages = (
  { browser, renderer }: Shell,
  foundation: Foundation,
  services: Services,
): OperatorPagesDependencies => ({
  browser,
  renderer,
  logos: foundation.stores.logos,
  operators: services.operators,
  administering: services.administering,
  recentSignIn: services.recentSignIn,
  ways: services.ways,
  callApi: createInProcessApi(operatorFrontArgument(foundation, services), foundation.logger),
  oneTimeSecrets: services.oneTimeOperatorSecrets,
  catalogue: services.catalogue,
  health: operatorHealth(foundation),
})

export const pagesArgument = (
  foundation: Foundation,
  services: Services,
  { browser, renderer }: { browser: Browser; renderer: Renderer },
): PagesDependencies => {
  const { config, keyring } = foundation
  const { issuer, legacyOrigin, brand } = config
  const shell = { browser, renderer, origin: issuer }
  return {
    ...shell,
    brand,
    origins: [issuer, ...(legacyOrigin ? [legacyOrigin] : [])],
    csrfKey: keyring.csrfKey,
    limits: services.limits,
    memberships: services.memberships,
    directory: services.directory,
    logos: foundation.stores.logos,
    appOwners: services.appOwners,
    securityNotices: services.securityNotices,
    ways: services.ways,
    signIn: signInPages(shell, foundation, services),
    account: accountPages(shell, foundation, services),
    authorization: authorizationPages(shell, foundation, services),
    organization: organizationPages(shell, foundation, services),
    developer: developerPages(shell, foundation, services),
    operator: operatorPages(shell, foundation, services),
  }
}
