// The page that explains one request: what was asked and answered, why, and what helps.
import type { NamedEvents } from '../../../core/audit/activity.ts'
import { type Refusal, refusalIn } from '../../../core/audit/refusal.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { Text } from '../../../words/text.ts'
import {
  code,
  type FactRow,
  facts,
  filterForm,
  links,
  phrased,
  timed,
  words,
} from '../forms/blocks.ts'
import type { PartOfPage } from '../forms/blocks-page.ts'
import type { Block } from '../view-models/blocks.ts'
import { trailDays } from './entries.ts'
import {
  addressOf,
  clientPhrase,
  helpWords,
  organizationPhrase,
  personPhrase,
  type ReadEvent,
  reasonWords,
  type TrailReader,
  wordIn,
} from './sentences.ts'

interface RefusalWords {
  why: string
  help: string | null
  asked: string
  answered: string
}

const tokenWords = (text: Text, { reason, error, grant }: Refusal): RefusalWords => {
  const { noGrant, grants, answers } = text.explained
  return {
    why: reasonWords(text, reason),
    help: helpWords(text, reason),
    asked: grant === null ? noGrant : (wordIn<string>(grants, grant) ?? grants.other),
    answered: wordIn<string>(answers, error ?? '') ?? answers.other,
  }
}

/** Of a refusal that a person met at a page. Another version of the server may have one without words. */
const pageWords = ({ explained }: Text, page: string, endpoint: string): RefusalWords => {
  const { pages, places, asked, answered } = explained.refusedPages
  const { why, help } = wordIn(pages, page) ?? pages.request
  return { why, help, asked: wordIn<string>(places, endpoint) ?? asked, answered }
}

/** Why a request was refused and what helps. @param about whom it concerns, as far as the reader may know */
export const refusalBlocks = (
  text: Text,
  refusal: ReturnType<typeof refusalIn> & { at: Date },
  about: readonly FactRow[],
): Block[] => {
  const { explained, activity } = text
  const { at, reason, error, status, endpoint, grant } = refusal
  const { why, help, asked, answered } = refusal.page
    ? pageWords(text, refusal.page, endpoint ?? '')
    : tokenWords(text, refusal)
  const coded = (label: string, value: string | number | null): FactRow =>
    value !== null && [label, code(String(value))]
  return [
    words(explained.why(why), 'bad'),
    ...(help === null ? [] : [words(explained.help(help), 'plain')]),
    facts(null, [
      ...about,
      endpoint !== null && [explained.facts.asked, asked],
      [explained.facts.answered, answered],
      [explained.facts.when, timed(text, at.toISOString())],
    ]),
    facts(
      activity.codes.heading,
      [
        coded(activity.codes.reason, reason),
        coded(explained.codes.error, error),
        coded(explained.codes.status, status),
        coded(explained.codes.endpoint, endpoint),
        coded(explained.codes.grant, grant),
      ],
      true,
    ),
  ]
}

const refusals = ['token.refused', 'page.refused']

const aboutOf = (reader: TrailReader, read: ReadEvent): FactRow[] => {
  const labels = reader.text.explained.facts
  const { clientId, userId, organizationId } = read.event
  const address = addressOf(reader, read.event)
  return [
    clientId !== null && [labels.app, phrased(clientPhrase(reader, read, clientId))],
    userId !== null && [labels.person, phrased(personPhrase(reader, read, userId))],
    reader.isOperator &&
      organizationId !== null && [
        labels.organization,
        phrased(organizationPhrase(reader, read, organizationId)),
      ],
    address !== null && [labels.from, address],
  ]
}

const activityLinks = ({ text, links: to, isOperator }: TrailReader, { event }: ReadEvent) => {
  const { activityOfApp, activityOfPerson, activityOfOrganization } = text.explained
  const { clientId, userId, organizationId } = event
  return links(
    clientId !== null && [activityOfApp, to.activity({ client_id: clientId })],
    userId !== null && [activityOfPerson, to.activity({ user_id: userId })],
    isOperator &&
      organizationId !== null && [
        activityOfOrganization,
        to.activity({ organization_id: organizationId }),
      ],
  )
}

/** The page of one request. @param id as in the address @param findUrl of the page that finds another one */
export const requestPart = (
  reader: TrailReader,
  { events, names }: NamedEvents,
  id: string,
  findUrl: string,
): PartOfPage => {
  const { text } = reader
  const isRefusal = ({ type }: { type: string }) => refusals.includes(type)
  const others = events.filter((event) => !isRefusal(event))
  const blocks = events
    .filter(isRefusal)
    .flatMap((event) => [
      ...refusalBlocks(
        text,
        { ...refusalIn(event.detail), at: event.at },
        aboutOf(reader, { event, names }),
      ),
      ...activityLinks(reader, { event, names }),
    ])
  return {
    ...{ heading: text.explained.heading, subject: id },
    blocks: [
      ...blocks,
      ...(others.length > 0
        ? [{ kind: 'events' as const, days: trailDays(reader, { events: others, names }) }]
        : []),
      ...(events.length === 0 ? [words(text.explained.none, 'plain')] : []),
    ],
    back: { label: text.explained.another, href: findUrl },
  }
}

/** The page that finds a request. @param sought what was typed */
export const findRequestPart = (text: Text, action: string, sought: string): PartOfPage => {
  const { findHeading, lead, label, hint, submit, fault } = text.explained
  const isFaulty = sought !== '' && !isIdShaped(sought)
  const field = {
    ...({ kind: 'text', name: 'request_id', label, hint, values: [sought] } as const),
    ...{ isCode: true, most: 200 },
  }
  return {
    ...{ heading: findHeading, lead },
    blocks: [filterForm(action, field, submit)],
    ...(isFaulty && { error: fault, field: '#request_id', status: 400 }),
  }
}
