import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent } from '../../core/audit/audit.ts'
import { type ListPosition, type Page, placeShape } from '../../core/language/paging.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { AccessReview, ReviewedAccess } from '../../core/organizations/access-review.ts'
import type { Text } from '../../words/text.ts'
import { endOf } from '../rendering/access-end.ts'
import { csvLine } from '../rendering/csv.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { permissionSentence } from '../rendering/permission-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf } from '../rendering/render.ts'
import type { ReviewRow } from '../rendering/view-models/policies.ts'
import { type CsvPart, downloadCsv, downloadLimits } from './activity/csv-download.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
} from './gate.ts'
import { organizationTabs } from './tabs.ts'

export interface OrganizationReviewDependencies extends OrganizationGateDependencies {
  accessReview: AccessReview
  catalogue: PermissionCatalogue
  limits: Pick<Limits, 'exportBegun'>
  audit: AuditTrail
}

const path = '/organizations/:id/review'
const shown = 25
const noPage: Page<ReviewedAccess> = { items: [], next: null }

const readPlace = (request: FastifyRequest, name: string): ListPosition | null => {
  const place = queried(request, name)
  return placeShape.test(place) ? place : null
}

const daysOf = (seconds: number) => Math.ceil(seconds / 86_400)

const rowOf = (
  text: Text,
  catalogue: PermissionCatalogue,
  base: string,
  one: ReviewedAccess,
): ReviewRow => {
  const words = text.organization.review
  const sentences = one.surplus.map((name) => permissionSentence(text, catalogue, name))
  return {
    app: one.appName,
    appUrl: `${base}/apps/${encodeURIComponent(one.clientId)}`,
    person: one.person,
    findings: one.findings.map((finding) => words.findings[finding]),
    surplus: sentences.length > 0 ? words.surplus(words.permissions(sentences)) : null,
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
    iso(one.since),
    iso(one.lastUsedAt),
    iso(one.expiresAt),
    one.idleSeconds === null ? '' : String(daysOf(one.idleSeconds)),
  ])
}

async function* reviewCsv(
  text: Text,
  batches: AsyncIterable<ReviewedAccess[]>,
): AsyncGenerator<CsvPart, void, undefined> {
  yield { text: csvLine(Object.values(text.organization.review.csv)), rows: 0 }
  for await (const batch of batches)
    yield { text: batch.map((one) => lineOf(text, one)).join(''), rows: batch.length }
}

/** The page with access that an organization seems not to need, or that ends soon. */
export const organizationReview = (
  scope: FastifyInstance,
  deps: OrganizationReviewDependencies,
) => {
  const { renderer, accessReview, catalogue, limits, audit } = deps

  const show = async ({ request, reply, session, organization, base }: AdminVisit) => {
    const text = textOf(request)
    const words = text.organization.review
    const address = `${base}/review`
    const people = readPlace(request, 'people_after')
    const installed = readPlace(request, 'after')
    // A later part of one list is shown without the other list.
    const [installs, consents] = await Promise.all([
      people ? noPage : accessReview.installs(organization.id, { limit: shown, after: installed }),
      installed ? noPage : accessReview.consents(organization.id, { limit: shown, after: people }),
    ])
    const rows = (list: readonly ReviewedAccess[]) =>
      list.map((one) => rowOf(text, catalogue, base, one))
    const linksOf = (name: string, from: ListPosition | null, { next }: Page<ReviewedAccess>) => ({
      startUrl: from && address,
      nextUrl: next && `${address}?${new URLSearchParams({ [name]: next })}`,
    })
    return renderer.page(
      request,
      reply,
      'organization-review',
      { session, title: words.title },
      {
        ...organizationTabs(text, organization, 'review'),
        notice: null,
        downloadUrl: `${address}?format=csv`,
        installs: rows(installs.items),
        consents: rows(consents.items),
        hasSurplus: installs.items.some(({ surplus }) => surplus.length > 0),
        installList: linksOf('after', installed, installs),
        consentList: linksOf('people_after', people, consents),
      },
    )
  }

  const download = async ({ request, reply, session, organization, cause }: AdminVisit) => {
    const release = await limits.exportBegun(session.user.id, organization.id)
    const stream = await downloadCsv(
      reviewCsv(textOf(request), accessReview.export(organization.id)),
      downloadLimits,
      async ({ rows, complete }) => {
        audit.record(
          auditEvent(cause, 'activity.exported', {
            organizationId: organization.id,
            detail: { review: true, rows, complete },
          }),
        )
        await release().catch((err) => request.log.warn({ err }, 'export not released'))
      },
    )
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="review-${organization.id}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(stream)
  }

  scope.get(
    path,
    createOrganizationGate(deps)(async (visit) =>
      queried(visit.request, 'format') === 'csv' ? download(visit) : show(visit),
    ),
  )
}
