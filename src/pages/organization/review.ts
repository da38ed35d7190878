import type { Page } from '../../core/language/paging.ts'
import { type ReviewedAccess, reviewFindings } from '../../core/organizations/access-review.ts'
import type { Text } from '../../words/text.ts'
import { endOf, wholeDays } from '../rendering/access-end.ts'
import { createCsvAnswer, csvParts } from '../rendering/activity/csv-download.ts'
import { csvLine } from '../rendering/csv.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { addressOf, choiceOf, linksOf, listOf, placeIn, searchOf } from '../rendering/long-list.ts'
import { permissionSentence } from '../rendering/permission-list.ts'
import { useSentences } from '../rendering/permission-use.ts'
import { momentOf } from '../rendering/render.ts'
import { appUrl } from './apps/items.ts'
import { showPage } from './frame.ts'
import type { AdminVisit } from './gate.ts'
import type { AdminRoutes } from './routes.ts'

const shown = 8
const orders = ['name', 'created_at', 'last_used'] as const
const noPage: Page<ReviewedAccess> = { items: [], next: null }

const isShort = ({ items, next }: Page<ReviewedAccess>) => items.length < 2 && next === null

const rowOf = (visit: AdminVisit, one: ReviewedAccess) => {
  const { text, base } = visit
  const words = text.organization.review
  const sentences = one.surplus.map((name) => permissionSentence(visit, name))
  return {
    app: one.appName,
    appUrl: appUrl(base, one.clientId),
    person: one.person,
    findings: one.findings.map((finding) => words.findings[finding]),
    surplus: sentences.length > 0 ? words.surplus(words.permissions(sentences)) : null,
    use: one.idle ? useSentences(visit, one.idle) : [],
    narrowUrl: one.idle?.[30]?.length ? `${appUrl(base, one.clientId)}/change?unused=30` : null,
    lastUsed: one.lastUsedAt && momentOf(text, one.lastUsedAt),
    since: momentOf(text, one.since),
    end: endOf(text, one),
  }
}

const iso = (date: Date | null) => date?.toISOString() ?? ''

const lineOf = (text: Text, one: ReviewedAccess): string => {
  const { apps, connections, findings } = text.organization.review
  return csvLine([
    one.person ? connections : apps,
    one.appName,
    one.clientId,
    one.person?.name ?? '',
    one.person?.email ?? '',
    one.findings.map((finding) => findings[finding]).join('. '),
    one.surplus.join(' '),
    ...([30, 90] as const).map((days) => one.idle?.[days]?.join(' ') ?? ''),
    iso(one.since),
    iso(one.lastUsedAt),
    iso(one.expiresAt),
    one.idleSeconds === null ? '' : String(wholeDays(one.idleSeconds)),
  ])
}

/** The page with access that an organization seems not to need, or that ends soon. */
export const organizationReview = ({ get, deps }: AdminRoutes) => {
  const { accessReview } = deps
  const sendCsv = createCsvAnswer(deps)

  const show = async (visit: AdminVisit) => {
    const { request, text, organization, base } = visit
    const { title, finding, findings } = text.organization.review
    const address = `${base}/review`
    const choices = [choiceOf('finding', finding, findings, reviewFindings)]
    const parts = { label: text.search.placeholder, anchor: 'review', choices }
    const { part, filter, sorts, ...list } = listOf(visit, address, orders, parts)
    const people = { ...part, after: placeIn(request, 'people_after') }
    const isFirst = part.after === null && people.after === null
    // A later part of one list is shown without the other list.
    const [installs, consents] = await Promise.all([
      people.after ? noPage : accessReview.installs(organization.id, list.ask(shown)),
      part.after ? noPage : accessReview.consents(organization.id, searchOf(people, shown)),
    ])
    const rows = (all: readonly ReviewedAccess[]) => all.map((one) => rowOf(visit, one))
    const nextPeople = consents.next && { people_after: consents.next }
    return showPage(visit, 'review', 'organization-review', {
      title,
      notice: null,
      filter: isFirst && filter.isOpen && isShort(installs) && isShort(consents) ? null : filter,
      sorts,
      downloadUrl: `${address}?format=csv`,
      installs: rows(installs.items),
      consents: rows(consents.items),
      installList: list.links(installs),
      consentList: {
        ...linksOf(address, people, consents),
        nextUrl: nextPeople && addressOf(address, { ...part, after: null }, nextPeople),
      },
    })
  }

  const download = (visit: AdminVisit) => {
    const { text, organization } = visit
    const header = Object.values(text.organization.review.csv)
    const parts = csvParts(header, accessReview.export(organization.id), (batch) =>
      batch.map((one) => lineOf(text, one)),
    )
    const name = `review-${organization.id}`
    return sendCsv(visit, organization.id, name, parts, (rows) => ({ review: true, rows }))
  }

  get('/review', (visit) =>
    queried(visit.request, 'format') === 'csv' ? download(visit) : show(visit),
  )
}
