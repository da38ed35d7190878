// A model of the authorization rules, written independently of src, and a test that drives servers
// and model through the same random days and compares them.

/** An install of an organization and its permissions; a reinstall is a new one. */
export interface ModelInstall {
  permissions: string[]
  workspaceIds: string[] | null
  suspended: boolean
}

export interface ModelApp {
  interface: 'legacy' | 'current'
  isPublic: boolean
  /** Seconds during which the direct predecessor gets the same successor. */
  retryWindow: number
  permissions: string[]
  disabled: boolean
  /** How often it was disabled: tokens from before are invalid. */
  epoch: number
  install: ModelInstall | null
}

export interface ModelUser {
  disabled: boolean
  member: boolean
  workspaceIds: string[]
}

/** One authorization: its code is generation 0, its refresh tokens follow. */
export interface ModelFamily {
  app: ModelApp
  user: ModelUser
  install: ModelInstall
  permissions: string[]
  workspaceIds: string[] | null
  /** The newest generation, the only valid one. */
  live: number
  ended: boolean
  /** The start of the live generation, in milliseconds. */
  since: number
}

/** For a family, or for the app itself. */
export interface ModelAccessToken {
  family: ModelFamily | null
  app: ModelApp
  install: ModelInstall
  epoch: number
  permissions: string[]
  workspaceIds: string[]
  revoked: boolean
}

export interface Reach {
  permissions: string[]
  workspaceIds: string[]
}

/** A part of the approved permissions, or something beyond them. */
export interface Ask {
  permissions: string[] | null
  workspaceIds: string[] | null
}

export type Outcome =
  | { kind: 'refused'; status: number; error: string }
  | { kind: 'tokens'; reach: Reach; generation: number }

const both = (first: string[], second: string[] | null) =>
  first.filter((one) => second === null || second.includes(one))
const isWithin = (part: string[] | null, whole: string[]) =>
  part === null || part.every((one) => whole.includes(one))

/** App ∩ install ∩ consent ∩ membership; for the app itself, app ∩ install. */
export const approvedNow = (
  app: ModelApp,
  install: ModelInstall,
  family: ModelFamily | null,
  allWorkspaces: string[],
): Reach => {
  if (app.interface === 'legacy') allWorkspaces = []
  const own = family ? both(allWorkspaces, family.user.workspaceIds) : allWorkspaces
  return {
    permissions: both(both(app.permissions, install.permissions), family?.permissions ?? null),
    workspaceIds: both(both(own, install.workspaceIds), family?.workspaceIds ?? null),
  }
}

/**
 * Uninstalled, or its user is removed: invalid as long as that lasts, and for good once it was
 * presented.
 */
export const isDead = (family: ModelFamily) =>
  family.ended ||
  family.app.install !== family.install ||
  family.user.disabled ||
  !family.user.member

const refused = (error: string): Outcome => ({
  kind: 'refused',
  status: error === 'invalid_client' ? 401 : 400,
  error,
})

const given = (approved: Reach, ask: Ask, generation: number): Outcome => ({
  kind: 'tokens',
  generation,
  reach: {
    permissions: both(approved.permissions, ask.permissions),
    workspaceIds: both(approved.workspaceIds, ask.workspaceIds),
  },
})

const excess = (app: ModelApp, approved: Reach, ask: Ask) =>
  !isWithin(ask.permissions, approved.permissions) ||
  (app.interface === 'current' && !isWithin(ask.workspaceIds, approved.workspaceIds))

export interface Presentation {
  generation: number
  /** The presenter: its own client, or another app. */
  by: ModelApp
  /** The client's secret is right, or none is needed and none sent. */
  authentic: boolean
  /** Verifier and redirect URI match the authorization. */
  proven: boolean
  ask: Ask
  /** Milliseconds. */
  now: number
}

/** The expected result for a code or refresh token, and the state after it. */
export const present = (
  family: ModelFamily,
  { generation, by, authentic, proven, ask, now }: Presentation,
  allWorkspaces: string[],
): Outcome => {
  const { app, install } = family
  if (!authentic || by.disabled) return refused('invalid_client')
  if (by !== app) return refused('invalid_grant')
  if (isDead(family)) {
    family.ended = true
    return refused('invalid_grant')
  }
  const isPredecessor = generation > 0 && generation === family.live - 1
  const isRepeated = isPredecessor && now < family.since + app.retryWindow * 1000
  if (generation < family.live && !isRepeated) {
    family.ended = true
    return refused('invalid_grant')
  }
  if (!proven || install.suspended) return refused('invalid_grant')
  const approved = approvedNow(app, install, family, allWorkspaces)
  if (excess(app, approved, ask)) return refused('invalid_scope')
  if (!isRepeated) {
    family.live += 1
    family.since = now
  }
  return given(approved, ask, family.live)
}

/** The expected client_credentials response. */
export const machine = (
  app: ModelApp,
  authentic: boolean,
  ask: Ask,
  allWorkspaces: string[],
): Outcome => {
  if (!authentic || app.disabled) return refused('invalid_client')
  if (app.isPublic) return refused('unauthorized_client')
  if (!app.install || app.install.suspended) return refused('invalid_grant')
  const approved = approvedNow(app, app.install, null, allWorkspaces)
  return excess(app, approved, ask) ? refused('invalid_scope') : given(approved, ask, 0)
}

/** The expected introspection of an access token; null: inactive. */
export const meaning = (token: ModelAccessToken, allWorkspaces: string[]): Reach | null => {
  const { app, install, family } = token
  if (token.revoked || app.disabled || token.epoch !== app.epoch) return null
  if (app.install !== install || install.suspended || (family && isDead(family))) return null
  const approved = approvedNow(app, install, family, allWorkspaces)
  return {
    permissions: both(token.permissions, approved.permissions),
    workspaceIds: both(token.workspaceIds, approved.workspaceIds),
  }
}

/** Whether introspection reports this generation as the active refresh token. */
export const isLive = (family: ModelFamily, generation: number) =>
  generation > 0 &&
  generation === family.live &&
  !isDead(family) &&
  !family.app.disabled &&
  !family.install.suspended
