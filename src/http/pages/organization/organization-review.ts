import type { FastifyInstance } from 'fastify'
import { type AuditTrail, auditEvent } from '../../../core/audit/audit.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import type { Limits } from '../../../core/limits/limits.ts'
import type { AccessReview, ReviewedAccess } from '../../../core/organizations/access-review.ts'
import { endOf } from '../rendering/access-end.ts'
import { csvLine } from '../rendering/csv.ts'
import { queried } from '../rendering/forms.ts'
import { permissionSentence } from '../rendering/permission-list.ts'
import type { ReviewRow } from '../rendering/policy-view-models.ts'
import { momentOf } from '../rendering/render.ts'
import { type Text, textOf } from '../rendering/text.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
} from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

export interface OrganizationReviewDependencies extends OrganizationGateDependencies {
  accessReview: AccessReview
  catalogue: PermissionCatalogue
  limits: Pick<Limits, 'exportBegun'>
  audit: AuditTrail
}

const path = '/organizations/:id/review'
const mostShown = 100
const mostExported = 10_000

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

const csvOf = (text: Text, all: readonly ReviewedAccess[]): string => {
  const { csv, apps, connections } = text.organization.review
  const lines = all.map((one) =>
    csvLine([
      one.person ? connections : apps,
      one.appName,
      one.clientId,
      one.person?.name ?? '',
      one.person?.email ?? '',
      one.findings.map((finding) => text.organization.review.findings[finding]).join('. '),
      one.surplus.join(' '),
      iso(one.since),
      iso(one.lastUsedAt),
      iso(one.expiresAt),
      one.idleSeconds === null ? '' : String(daysOf(one.idleSeconds)),
    ]),
  )
  return csvLine(Object.values(csv)) + lines.join('')
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
    const found = await accessReview.find(organization.id, mostShown + 1)
    const lists = [found.installs, found.consents]
    const rows = (list: readonly ReviewedAccess[]) =>
      list.slice(0, mostShown).map((one) => rowOf(text, catalogue, base, one))
    return renderer.page(
      request,
      reply,
      'organization-review',
      { session, title: words.title },
      {
        ...organizationTabs(text, organization, 'review'),
        notice: null,
        downloadUrl: `${base}/review?format=csv`,
        installs: rows(found.installs),
        consents: rows(found.consents),
        hasSurplus: found.installs.some(({ surplus }) => surplus.length > 0),
        more: lists.some((list) => list.length > mostShown) ? words.more(mostShown) : null,
      },
    )
  }

  const download = async ({ request, reply, session, organization, cause }: AdminVisit) => {
    const release = await limits.exportBegun(session.user.id)
    try {
      const { installs, consents } = await accessReview.find(organization.id, mostExported)
      const all = [...installs, ...consents]
      audit.record(
        auditEvent(cause, 'activity.exported', {
          organizationId: organization.id,
          detail: { review: true, rows: all.length },
        }),
      )
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="review-${organization.id}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(csvOf(textOf(request), all))
    } finally {
      await release().catch((err) => request.log.warn({ err }, 'export not released'))
    }
  }

  scope.get(
    path,
    createOrganizationGate(deps)(async (visit) =>
      queried(visit.request, 'format') === 'csv' ? download(visit) : show(visit),
    ),
  )
}
