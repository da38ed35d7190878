import type { Names } from '../../core/audit/activity.ts'
import type { Simulation } from '../../core/inspection/simulation-rules.ts'
import type { Inspection } from '../../core/inspection/token-inspection.ts'
import type { TokenFacts } from '../../core/introspection/token-facts.ts'
import type { Text } from '../../words/text.ts'
import type { WorkspaceNames } from '../rendering/organization-page.ts'
import { describePermissions, permissionSentence } from '../rendering/permission-list.ts'
import { momentOf } from '../rendering/render.ts'
import type { AdminVisit } from './gate.ts'

const furthest = 8_640_000_000_000 // seconds: the largest value of a Date

/** @param seconds since 1970 @param now milliseconds since 1970 */
const tokenMoment = (text: Text, seconds: number | null, now: number) => {
  if (seconds === null || seconds > furthest) return null
  const date = new Date(seconds * 1000)
  return {
    ...momentOf(text, date, 'second'),
    relative: text.inspector.fromNow(seconds - now / 1000),
  }
}

const kindOf = ({ inspector: words }: Text, { kind, type }: TokenFacts) => {
  if (type !== 'access_token') return words.kinds[type]
  return kind === 'install' ? words.kinds.install : words.kinds.user
}

const placesOf = (facts: TokenFacts, names: Names): WorkspaceNames => {
  if (facts.interface === 'legacy') return null
  return facts.workspaceIds?.map((id) => names.workspaces.get(id) ?? id).sort() ?? 'all'
}

const factsItem = (
  visit: AdminVisit,
  { facts, refused, names }: Inspection & { kind: 'explained' },
  hint: string,
  now: number,
) => {
  const { text } = visit
  const words = text.inspector
  const { gone } = text.activity
  const { subject, clientId, kind } = facts
  return {
    kind: kindOf(text, facts),
    hint,
    interfaceName: words.interfaces[facts.interface],
    ownerLabel: kind === 'user' || kind === 'install' ? words.facts.app : words.facts.keySet,
    owner: names.clients.get(clientId) ?? gone.app(clientId),
    /** Names of the apps that act with the token, the current one first. */
    actors: facts.actors.map((id) => names.clients.get(id) ?? gone.app(id)),
    /** null when an app or program acts for itself. */
    person: kind === 'user' ? (names.people.get(subject) ?? gone.person(subject)) : null,
    organization: visit.organization.name,
    mayLabel: refused === null ? words.facts.may : words.facts.might,
    permissionGroups: describePermissions(visit, facts.interface, facts.permissions, {
      identity: { scopes: facts.openidScopes, reader: 'other' },
    }),
    workspaces: placesOf(facts, names),
    issued: tokenMoment(text, facts.issuedAt, now),
    expires: tokenMoment(text, facts.expiresAt, now),
    expiresOtherwise: words.facts.withoutEnd,
    /** Thumbprint of the key that the token is bound to; null for a bearer token. */
    key: facts.jkt,
  }
}

/**
 * The description of a token. The description of a foreign token does not depend on the token.
 * @param hint the last characters, which distinguish tokens
 * @param now milliseconds since 1970
 */
export const inspectedToken = (
  visit: AdminVisit,
  inspection: Inspection,
  hint: string,
  now: number,
) => {
  const words = visit.text.inspector
  switch (inspection.kind) {
    case 'unknown': {
      const { heading, why, move } = words.unknown
      return { tone: 'plain', heading, why: [why], move, facts: null }
    }
    case 'signed_otherwise': {
      const { heading, why, move } = words.signedOtherwise
      const name = inspection.names.clients.get(inspection.clientId) ?? inspection.clientId
      return { tone: 'bad', heading, why: why(name), move, facts: null }
    }
    case 'explained': {
      const { refused, facts } = inspection
      const accepted = refused === null
      return {
        tone: accepted ? 'good' : 'bad',
        heading: accepted ? words.verdict.accepted[facts.type] : words.verdict.refused,
        why: accepted ? [] : [words.reasons[refused].why],
        move: accepted ? null : words.reasons[refused].move,
        facts: factsItem(visit, inspection, hint, now),
      }
    }
  }
}

/**
 * The description of a token that an app would get.
 * @param person null: the app acts for itself
 */
export const simulatedToken = (
  visit: AdminVisit,
  { token, permissions, workspaces, wouldAskAgain, obstacles }: Simulation,
  app: string,
  person: string | null,
) => {
  const words = visit.text.inspector.simulation
  const lineOf = (name: string, because: keyof typeof words.causes) => {
    const isGiven = token !== null && because === 'granted'
    return { name, isGiven, given: isGiven ? words.yes : words.no, because: words.causes[because] }
  }
  return {
    tone: token ? 'good' : 'bad',
    heading: words.result(app, person),
    verdict: token ? words.granted : words.refused,
    why: [
      ...obstacles.map((one) => words.obstacles[one]),
      ...(wouldAskAgain ? [words.asksAgain] : []),
    ],
    permissions: permissions.map(({ permission, because }) =>
      lineOf(permissionSentence(visit, permission), because),
    ),
    /** `null` on the legacy interface, which has no workspaces. */
    workspaces: workspaces?.map(({ name, because }) => lineOf(name, because)) ?? null,
  }
}
