import type { AccessTokenSubject } from '../../src/core/tokens/access-token-claims.ts'
import { feedOf } from './revocations.ts'
import { type Expected, type ExpectedAccess, invalid, type Theme, type Vector } from './vector.ts'
import {
  accepted,
  alteredToken,
  currentInstall,
  currentUser,
  issuedAt,
  tokenOf,
  vector,
} from './world.ts'

const agent = {
  clientId: 'app_agent',
  installId: 'ins_agent_in_north',
  appEpoch: 2,
  subjectJti: 'jti_of_board',
}
const helper = {
  clientId: 'app_helper',
  installId: 'ins_helper_in_north',
  appEpoch: 0,
  subjectJti: 'jti_of_agent',
}
const notAfter = issuedAt + 1800

/** The same authorization, through these apps. */
const through = (subject: AccessTokenSubject, ...actors: (typeof agent)[]): AccessTokenSubject => ({
  ...subject,
  delegated: { actors, notAfter },
})

const byAgent = through(currentUser, agent)
const byBoth = through(currentUser, helper, agent)

const agentActor = { clientId: 'app_agent' }
const bothActors = { clientId: 'app_helper', actor: agentActor }

const allowed = (
  name: string,
  subject: AccessTokenSubject,
  actor: ExpectedAccess['actor'] & object,
): Vector => vector(name, { credential: tokenOf(subject), expect: accepted(subject, { actor }) })

/** The claims of a token through `agent`, with changes that no server makes. */
const act = { client_id: 'app_agent' }
const delegation = [{ install_id: 'ins_agent_in_north', app_epoch: 2, subject_jti: 'jti_of_board' }]
const refused = (name: string, claims: Record<string, unknown>): Vector =>
  vector(name, {
    credential: alteredToken({ act, delegation, ...claims }),
    expect: invalid('claims'),
  })

const chainOf = (length: number): object =>
  length === 1 ? act : { ...act, act: chainOf(length - 1) }
const entries = (length: number) => Array.from({ length }, () => delegation[0])

const forms = [
  refused('an act that is null', { act: null }),
  refused('an act that is a text', { act: 'app_agent' }),
  refused('an act that is a list', { act: [act] }),
  refused('an act that names no app', { act: {} }),
  refused('an act that names its app by a number', { act: { client_id: 1 } }),
  refused('an act with an empty name', { act: { client_id: '' } }),
  refused('an act that names a subject instead of an app', { act: { sub: 'app_agent' } }),
  refused('an act whose earlier actor is null', { act: { ...act, act: null } }),
  refused('an act whose earlier actor names no app', {
    act: { ...act, act: {} },
    delegation: entries(2),
  }),
  refused('a chain of four', { act: chainOf(4), delegation: entries(4) }),
  refused('a chain of a hundred', { act: chainOf(100), delegation: entries(3) }),
  refused('an act without what ends it', { delegation: undefined }),
  refused('what ends an act, without the act', { act: undefined }),
  refused('an empty list of what ends an act, without the act', {
    act: undefined,
    delegation: [],
  }),
  refused('an empty list of what ends an act', { delegation: [] }),
  refused('a chain of two with what ends one', { act: chainOf(2) }),
  refused('one actor with what ends two', { delegation: entries(2) }),
  refused('what ends an act as an object', { delegation: { 0: delegation[0] } }),
  refused('null as what ends an act', { delegation: [null] }),
  refused('an act without an install', { delegation: [{ ...delegation[0], install_id: '' }] }),
  refused('an act with a text as epoch', { delegation: [{ ...delegation[0], app_epoch: '2' }] }),
  refused('an act without an epoch', { delegation: [{ ...delegation[0], app_epoch: undefined }] }),
  refused('an act without the token that was exchanged', {
    delegation: [{ ...delegation[0], subject_jti: undefined }],
  }),
]

type Change = Record<string, unknown>

const after = (
  name: string,
  change: Change,
  expect: Expected,
  credential = tokenOf(byBoth),
): Vector => vector(name, { feed: feedOf(change), credential, expect })

const rest = (changes: Partial<ExpectedAccess> = {}) =>
  accepted(byBoth, { actor: bothActors, ...changes })
const agentApp = { type: 'app', id: 'app_agent', active: true, permissions: ['records:update'] }
const agentInstall = { type: 'install', id: 'ins_agent_in_north', active: true }

const outsideOf = (id: string) => ({ type: 'install_member', id, user_id: 'usr_ada' })

const revoked = [
  after(
    'a revoked token and a token that was exchanged for it',
    {
      type: 'token',
      id: 'jti_of_board',
    },
    invalid('token_revoked'),
  ),
  after(
    'a revoked grant and a token through two apps',
    { type: 'grant', id: 'grn_ada' },
    invalid('grant_revoked'),
  ),
  after(
    'an uninstalled app and a token through others',
    {
      type: 'install',
      id: 'ins_board_in_north',
    },
    invalid('install_inactive'),
  ),
  after(
    'an actor that was uninstalled',
    { type: 'install', id: 'ins_helper_in_north' },
    invalid('install_inactive'),
  ),
  after(
    'an earlier actor that was uninstalled',
    { type: 'install', id: 'ins_agent_in_north' },
    invalid('install_inactive'),
  ),
  after(
    'an actor that was disabled',
    { type: 'app', id: 'app_helper', epoch: 1 },
    invalid('app_inactive'),
  ),
  after('an actor whose tokens were revoked', { ...agentApp, epoch: 3 }, invalid('app_inactive')),
  after(
    'an actor and its earlier epoch',
    { ...agentApp, epoch: 2 },
    rest({ permissions: ['records:update'] }),
  ),
  after(
    'an actor whose install lost permissions and workspaces',
    {
      ...agentInstall,
      permissions: ['records:create', 'records:delete'],
      workspace_ids: ['wks_sales', 'wks_other'],
    },
    rest({ permissions: ['records:create'], workspaceIds: ['wks_sales'] }),
  ),
  after('an actor with another install', { type: 'install', id: 'ins_agent_in_south' }, rest()),
  after(
    'an uninstalled app that does not act',
    { type: 'install', id: 'ins_helper_in_north' },
    accepted(byAgent, { actor: agentActor }),
    tokenOf(byAgent),
  ),
  after(
    'a user outside the audience of the app and a token through others',
    outsideOf('ins_board_in_north'),
    invalid('not_in_audience'),
  ),
  after(
    'a user outside the audience of an actor',
    outsideOf('ins_helper_in_north'),
    invalid('not_in_audience'),
  ),
  after(
    'a user outside the audience of an earlier actor',
    outsideOf('ins_agent_in_north'),
    invalid('not_in_audience'),
  ),
  vector('a user who is inside the audience of an actor again', {
    feed: feedOf(outsideOf('ins_agent_in_north'), {
      ...outsideOf('ins_agent_in_north'),
      active: true,
    }),
    credential: tokenOf(byBoth),
    expect: rest(),
  }),
  after(
    'another user outside the audience of an actor',
    { ...outsideOf('ins_agent_in_north'), user_id: 'usr_eve' },
    rest(),
  ),
  after(
    'a user outside the audience of an app that does not act',
    outsideOf('ins_helper_in_north'),
    accepted(byAgent, { actor: agentActor }),
    tokenOf(byAgent),
  ),
  after(
    'a user outside the audience of an actor and an install token',
    outsideOf('ins_agent_in_north'),
    accepted(through(currentInstall, agent), { actor: agentActor }),
    tokenOf(through(currentInstall, agent)),
  ),
]

/** Tokens of an app that acts with the authorization of another one (RFC 8693). */
export const delegations = (): Theme => ({
  file: 'delegation',
  vectors: [
    allowed('a user token through another app', byAgent, agentActor),
    allowed('a user token through two other apps', byBoth, bothActors),
    allowed('an install token through another app', through(currentInstall, agent), agentActor),
    allowed('a user token through three apps', through(currentUser, agent, helper, agent), {
      clientId: 'app_agent',
      actor: bothActors,
    }),
    vector('an act with further members', {
      credential: alteredToken({ act: { ...act, sub: 'app_agent', note: 1 }, delegation }),
      expect: accepted(currentUser, { actor: agentActor }),
    }),
    ...forms,
    ...revoked,
  ],
})
