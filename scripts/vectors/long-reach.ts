import { feedOf } from './revocations.ts'
import {
  type Expected,
  insufficient,
  invalid,
  type Theme,
  unavailable,
  type Vector,
} from './vector.ts'
import {
  accepted,
  alteredToken,
  currentUser,
  issuedAt,
  tokenOf,
  type UserSubject,
  vector,
} from './world.ts'

/** More workspaces than a token lists. */
const ids = Array.from({ length: 451 }, (_, at) => `wks_${String(at).padStart(3, '0')}`)
const subject: UserSubject = { ...currentUser, workspaceIds: ids, isOpen: true, reachId: 'rch_1' }
const token = tokenOf(subject)
const few = ['wks_plan', 'wks_sales']
const reaching = (workspaceIds: string[]) => accepted(currentUser, { workspaceIds })

const answer = {
  active: true,
  token_type: 'Bearer',
  kind: 'user',
  interface: 'current',
  sub: 'usr_ada',
  client_id: 'app_board',
  organization_id: 'org_north',
  scope: 'records:create records:update',
  permissions: ['records:create', 'records:update'],
  workspace_ids: few,
  iat: issuedAt,
  exp: issuedAt + 3600,
  jti: 'jti_1',
}

const requested = (
  name: string,
  introspection: unknown,
  expect: Expected,
  more: Partial<Vector> = {},
) => vector(name, { introspection, credential: token, expect, ...more })

/** Tokens with `workspaces: "introspect"`: the server lists what they reach. */
export const longReach = (): Theme => ({
  file: 'long-reach',
  vectors: [
    requested(
      'a token that reaches 451 workspaces',
      { ...answer, workspace_ids: ids },
      accepted(subject),
    ),
    vector('a token for all approved workspaces, which are many', {
      introspection: answer,
      credential: tokenOf({ ...subject, reachId: null }),
      expect: reaching(few),
    }),
    requested('a long reach without workspaces', { ...answer, workspace_ids: [] }, reaching([])),
    requested('a workspace of a long reach', answer, reaching(few), {
      request: {
        requires: { interface: 'current', organization: 'org_north', workspace: 'wks_plan' },
      },
    }),
    requested('a workspace outside a long reach', answer, insufficient('workspace'), {
      request: {
        requires: { interface: 'current', organization: 'org_north', workspace: 'wks_other' },
      },
    }),
    requested('a long reach and a deleted workspace', answer, reaching(['wks_sales']), {
      feed: feedOf({ type: 'workspace', id: 'wks_plan' }),
    }),
    requested('a long reach and a lost workspace', answer, reaching(['wks_sales']), {
      feed: feedOf({ type: 'workspace_member', id: 'wks_plan', user_id: 'usr_ada' }),
    }),
    vector('a long reach of a revoked grant, about which the server is not asked', {
      feed: feedOf({ type: 'grant', id: 'grn_ada' }),
      credential: token,
      expect: invalid('grant_revoked'),
    }),
    vector('a long reach of a user outside the audience, about which the server is not asked', {
      feed: feedOf({ type: 'install_member', id: 'ins_board_in_north', user_id: 'usr_ada' }),
      credential: token,
      expect: invalid('not_in_audience'),
    }),
    vector('a long reach that is bound to a key, about which the server is not asked', {
      credential: tokenOf(subject, { jkt: 'x'.repeat(43) }),
      expect: invalid('bound_to_key'),
    }),
    requested('a long reach that is inactive', { active: false }, invalid('inactive')),
    ...Object.entries({
      'an answer about another client': { ...answer, client_id: 'app_other' },
      'an answer about another organization': { ...answer, organization_id: 'org_south' },
      'an answer about another kind': { ...answer, kind: 'install' },
      'null as the workspaces of a long reach, which must not mean all': {
        ...answer,
        workspace_ids: null,
      },
      'a long reach whose answer lists nothing': { ...answer, workspace_ids: undefined },
      'text as the workspaces of a long reach': { ...answer, workspace_ids: 'wks_plan' },
      'a long reach with text as active': { ...answer, active: 'true' },
    }).map(([name, introspection]) => requested(name, introspection, unavailable('bad_answer'))),
    requested('a long reach and introspection with status 401', {}, unavailable('refused'), {
      status: { introspection: 401 },
    }),
    requested('a long reach and introspection with status 503', {}, unavailable('bad_answer'), {
      status: { introspection: 503 },
    }),
    vector('workspaces both listed and left to introspection', {
      credential: alteredToken({ workspaces: 'introspect' }),
      expect: invalid('claims'),
    }),
    vector('an unknown word for the workspaces', {
      credential: alteredToken({ workspace_ids: undefined, workspaces: 'all' }),
      expect: invalid('claims'),
    }),
  ],
})
