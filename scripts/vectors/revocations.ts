import { type Expected, invalid, type Theme, unavailable, type Vector } from './vector.ts'
import {
  accepted,
  type accessOf,
  currentInstall,
  currentUser,
  issuedAt,
  legacyUser,
  now,
  tokenOf,
  vector,
} from './world.ts'

type Change = Record<string, unknown>

const complete = (change: Change) => ({ active: false, until: now + 7200, ...change })

/** The first answer of the feed. */
export const feedOf = (...changes: Change[]) => ({
  cursor: '1',
  reset: true,
  more: false,
  changes: changes.map(complete),
})

const user = tokenOf({ ...currentUser, appEpoch: 2, userEpoch: 3, connectionEpoch: 1 })
const install = tokenOf(currentInstall)

const after = (name: string, change: Change, expect: Expected, credential: string = user): Vector =>
  vector(name, { feed: feedOf(change), credential, expect })

const untouched = accepted(currentUser)
const narrowed = (changes: Partial<ReturnType<typeof accessOf>>) => accepted(currentUser, changes)

const org = 'org_north'
const ada = { user_id: 'usr_ada' }
const app = {
  type: 'app',
  id: 'app_board',
  active: true,
  permissions: ['records:create', 'records:update'],
}
const installed = { type: 'install', id: 'ins_board_in_north', active: true }
const outside = { type: 'install_member', id: 'ins_board_in_north', ...ada }
const connection = { type: 'connection', id: org, ...ada, client_id: 'app_board', active: true }

const refusals = [
  after('a revoked token', { type: 'token', id: 'jti_1' }, invalid('token_revoked')),
  after('a revoked grant', { type: 'grant', id: 'grn_ada' }, invalid('grant_revoked')),
  after(
    'an uninstalled app',
    { type: 'install', id: 'ins_board_in_north' },
    invalid('install_inactive'),
  ),
  after(
    'an uninstalled app and an install token',
    { type: 'install', id: 'ins_board_in_north' },
    invalid('install_inactive'),
    install,
  ),
  after('a disabled app', { type: 'app', id: 'app_board', epoch: 2 }, invalid('app_inactive')),
  after(
    'a disabled app and an install token',
    { type: 'app', id: 'app_board', epoch: 0 },
    invalid('app_inactive'),
    install,
  ),
  after('a disabled user', { type: 'user', id: 'usr_ada', epoch: 3 }, invalid('user_inactive')),
  after(
    'a user who left the organization',
    { type: 'member', id: org, ...ada },
    invalid('not_a_member'),
  ),
  after('a user outside the audience of the install', outside, invalid('not_in_audience')),
  after(
    'a user outside the audience of the install and a legacy token',
    outside,
    invalid('not_in_audience'),
    tokenOf(legacyUser),
  ),
  after(
    'a deleted organization',
    { type: 'organization', id: org },
    invalid('organization_inactive'),
  ),
  after(
    'a deleted organization and a legacy token',
    { type: 'organization', id: org },
    invalid('organization_inactive'),
    tokenOf(legacyUser),
  ),
  after('an app epoch above that of the token', { ...app, epoch: 3 }, invalid('app_inactive')),
  after(
    'a user epoch above that of the token',
    { type: 'user', id: 'usr_ada', active: true, epoch: 4 },
    invalid('user_inactive'),
  ),
  after(
    'a connection epoch above that of the token',
    { ...connection, epoch: 2 },
    invalid('grant_revoked'),
  ),
  after(
    'a token of an earlier version and an app epoch',
    { ...app, epoch: 1 },
    invalid('app_inactive'),
    tokenOf(currentUser),
  ),
]

const others = [
  after('an app epoch equal to that of the token', { ...app, epoch: 2 }, untouched),
  after(
    'a user epoch equal to that of the token',
    { type: 'user', id: 'usr_ada', active: true, epoch: 3 },
    untouched,
  ),
  after('a connection epoch equal to that of the token', { ...connection, epoch: 1 }, untouched),
  after('another revoked token', { type: 'token', id: 'jti_2' }, untouched),
  after('a grant with the id of the token', { type: 'grant', id: 'jti_1' }, untouched),
  after('another grant', { type: 'grant', id: 'grn_eve' }, untouched),
  after('another install', { type: 'install', id: 'ins_board_in_south' }, untouched),
  after('another organization', { type: 'organization', id: 'org_south' }, untouched),
  after(
    'a member who left another organization',
    { type: 'member', id: 'org_south', ...ada },
    untouched,
  ),
  after('another member who left', { type: 'member', id: org, user_id: 'usr_eve' }, untouched),
  after(
    'a disconnected app of another organization',
    { ...connection, id: 'org_south', epoch: 9 },
    untouched,
  ),
  after('another disconnected app', { ...connection, client_id: 'app_other', epoch: 9 }, untouched),
  after(
    'a user who is active again',
    { type: 'user', id: 'usr_ada', active: true, epoch: 3 },
    untouched,
  ),
  after(
    'a revoked user and an install token',
    { type: 'user', id: 'usr_ada', epoch: 9 },
    accepted(currentInstall),
    install,
  ),
  after(
    'a user with the id of the app and an install token',
    { type: 'user', id: 'app_board', epoch: 9 },
    accepted(currentInstall),
    install,
  ),
  after('a user inside the audience of the install', { ...outside, active: true }, untouched),
  after(
    'another user outside the audience of the install',
    { ...outside, user_id: 'usr_eve' },
    untouched,
  ),
  after(
    'a user outside the audience of another install',
    { ...outside, id: 'ins_board_in_south' },
    untouched,
  ),
  after(
    'a user outside the audience of the install and an install token',
    outside,
    accepted(currentInstall),
    install,
  ),
  after(
    'a user with the id of the app outside the audience and an install token',
    { ...outside, user_id: 'app_board' },
    accepted(currentInstall),
    install,
  ),
  vector('a user who is inside the audience again', {
    feed: feedOf(outside, { ...outside, active: true }),
    credential: user,
    expect: untouched,
  }),
  after('a changed key set', { type: 'key_set', id: 'app_board' }, untouched),
  after('a type of a later version', { type: 'planet', id: org }, untouched),
  after('a member of a later version', { type: 'grant', id: 'grn_eve', note: 1 }, untouched),
]

const reductions = [
  after(
    'an install with fewer permissions',
    { ...installed, permissions: ['records:update'], workspace_ids: null },
    narrowed({ permissions: ['records:update'] }),
  ),
  after(
    'an install with more permissions, which the token does not get',
    {
      ...installed,
      permissions: ['records:delete', 'records:update', 'records:create'],
      workspace_ids: null,
    },
    untouched,
  ),
  after(
    'an install without permissions',
    { ...installed, permissions: [], workspace_ids: null },
    narrowed({ permissions: [] }),
  ),
  after(
    'an install with fewer workspaces',
    { ...installed, permissions: app.permissions, workspace_ids: ['wks_sales', 'wks_other'] },
    narrowed({ workspaceIds: ['wks_sales'] }),
  ),
  after(
    'an install without workspaces',
    { ...installed, permissions: app.permissions, workspace_ids: [] },
    narrowed({ workspaceIds: [] }),
  ),
  after(
    'an app with fewer permissions',
    { ...app, epoch: 2, permissions: ['records:create'] },
    narrowed({ permissions: ['records:create'] }),
  ),
  after(
    'a deleted workspace',
    { type: 'workspace', id: 'wks_plan' },
    narrowed({ workspaceIds: ['wks_sales'] }),
  ),
  after(
    'a workspace id that is used again since one second after iat',
    { type: 'workspace', id: 'wks_plan', active: true, since: issuedAt + 1 },
    narrowed({ workspaceIds: ['wks_sales'] }),
  ),
  after(
    'a workspace id that is used again since iat',
    { type: 'workspace', id: 'wks_plan', active: true, since: issuedAt },
    untouched,
  ),
  after(
    'an active workspace without a time',
    { type: 'workspace', id: 'wks_plan', active: true },
    untouched,
  ),
  after(
    'a user who lost a workspace',
    { type: 'workspace_member', id: 'wks_plan', ...ada },
    narrowed({ workspaceIds: ['wks_sales'] }),
  ),
  after(
    'another user who lost a workspace',
    { type: 'workspace_member', id: 'wks_plan', user_id: 'usr_eve' },
    untouched,
  ),
  after(
    'a user who lost a workspace and an install token',
    { type: 'workspace_member', id: 'wks_plan', ...ada },
    accepted(currentInstall),
    install,
  ),
  vector('an app and an install with fewer permissions', {
    feed: feedOf(
      { ...app, epoch: 2, permissions: ['records:create'] },
      { ...installed, permissions: ['records:update'], workspace_ids: null },
    ),
    credential: user,
    expect: narrowed({ permissions: [] }),
  }),
  vector('an install that is active again', {
    feed: feedOf(
      { type: 'install', id: 'ins_board_in_north' },
      { ...installed, permissions: app.permissions, workspace_ids: null },
    ),
    credential: user,
    expect: untouched,
  }),
]

const page = (more: boolean, ...changes: Change[]) => ({ ...feedOf(...changes), more })

const answers = [
  vector('a revocation on the second page of the feed', {
    feed: [
      page(true, { type: 'grant', id: 'grn_eve' }),
      { ...page(false, { type: 'grant', id: 'grn_ada' }), cursor: '2', reset: false },
    ],
    credential: user,
    expect: invalid('grant_revoked'),
  }),
  vector('a snapshot that starts again, without the earlier changes', {
    feed: [page(true, { type: 'grant', id: 'grn_ada' }), { ...page(false), cursor: '2' }],
    credential: user,
    expect: untouched,
  }),
  vector('a feed that does not say it starts', {
    feed: { ...feedOf({ type: 'grant', id: 'grn_ada' }), reset: false },
    credential: user,
    expect: invalid('grant_revoked'),
  }),
  vector('several reasons, of which the organization is the first', {
    feed: feedOf({ type: 'grant', id: 'grn_ada' }, { type: 'organization', id: org }),
    credential: user,
    expect: invalid('organization_inactive'),
  }),
  vector('a user who is inside the audience again on the second page of the feed', {
    feed: [
      page(true, outside),
      { ...page(false, { ...outside, active: true }), cursor: '2', reset: false },
    ],
    credential: user,
    expect: untouched,
  }),
  vector('a user who left the organization and its audience', {
    feed: feedOf(outside, { type: 'member', id: org, ...ada }),
    credential: user,
    expect: invalid('not_a_member'),
  }),
  vector('a user outside the audience whose connection has ended', {
    feed: feedOf({ ...connection, epoch: 2 }, outside),
    credential: user,
    expect: invalid('not_in_audience'),
  }),
  vector('a feed of this organization', {
    feed: { ...feedOf(), organization_ids: ['org_south', org] },
    credential: user,
    expect: untouched,
  }),
  vector('a feed of other organizations', {
    feed: { ...feedOf(), organization_ids: ['org_south'] },
    credential: user,
    expect: invalid('organization_not_served'),
  }),
  vector('a feed of no organization', {
    feed: { ...feedOf(), organization_ids: [] },
    credential: user,
    expect: invalid('organization_not_served'),
  }),
  ...Object.entries({
    'a feed that is not JSON': 'hello',
    'a feed without a cursor': { reset: true, more: false, changes: [] },
    'a feed without changes': { cursor: '1', reset: true, more: false },
    'a feed with text as more': { cursor: '1', reset: true, more: 'false', changes: [] },
    'a change without active': {
      ...feedOf(),
      changes: [{ type: 'grant', id: 'grn_eve', until: now }],
    },
    'a change without an id': feedOf({ type: 'grant' }),
    'a change with an until that is text': feedOf({ type: 'grant', id: 'grn_eve', until: 'later' }),
    'a person of an audience without a user': feedOf({ ...outside, user_id: undefined }),
    'an active install without permissions': feedOf({ ...installed, workspace_ids: null }),
    'a user without an epoch': feedOf({ type: 'user', id: 'usr_eve', active: true }),
    'organizations of the feed as text': { ...feedOf(), organization_ids: org },
  }).map(([name, feed]) =>
    vector(name, { feed, credential: user, expect: unavailable('starting') }),
  ),
  ...[401, 500, 503].map((feed) =>
    vector(`a feed with status ${feed}`, {
      status: { feed },
      feed: {},
      credential: user,
      expect: unavailable('starting'),
    }),
  ),
]

/** The revocation feed and its edges. */
export const revocations = (): Theme => ({
  file: 'revocations',
  vectors: [...refusals, ...others, ...reductions, ...answers],
})
