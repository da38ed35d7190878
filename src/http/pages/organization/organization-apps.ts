import type { FastifyInstance } from 'fastify'
import { isClientIdShaped } from '../../../core/crypto/identifiers.ts'
import { versionOf } from '../../../core/language/edit-conflict.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import { queried } from '../rendering/forms.ts'
import { addressOf, linksOf, readPart, searchOf } from '../rendering/long-list.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { cardOf } from '../rendering/render.ts'
import { type Text, textOf } from '../rendering/text.ts'
import type { Notice } from '../rendering/view-models.ts'
import { hasFoldedChoice } from '../rendering/workspace-choice.ts'
import { createEditConflict, type EditConflictDependencies } from './edit-conflict.ts'
import {
  type AppDecisionDependencies,
  type AppPages,
  createAppDecisions,
} from './organization-app-decisions.ts'
import { choiceOf, installedItem, requestItem } from './organization-app-items.ts'
import {
  createOrganizationGate,
  type OrganizationGateDependencies,
  parameter,
} from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

export type OrganizationAppsDependencies = AppDecisionDependencies &
  OrganizationGateDependencies &
  EditConflictDependencies

const path = '/organizations/:id/apps'
const fewApps = 8
const mostRequests = 25

const noticeOf = (text: Text, done: string): Notice | null => {
  if (done === 'outdated') return { words: text.organization.outdated, tone: 'plain' }
  const words: Record<string, string> = text.organization.apps.done
  return Object.hasOwn(words, done) ? { words: words[done] as string, tone: 'good' } : null
}

/** The page of installed and requested apps, with all decisions of an admin about them. */
export const organizationApps = (scope: FastifyInstance, deps: OrganizationAppsDependencies) => {
  const { renderer, installRequests, workspaces, catalogue } = deps
  const asAdmin = createOrganizationGate(deps)
  const editConflict = createEditConflict(deps)

  const pages: AppPages = {
    list: async ({ request, reply, session, organization, base }, fault) => {
      const text = textOf(request)
      const url = `${base}/apps`
      const part = readPart(request)
      const [asked, page, names] = await Promise.all([
        // Requests stand before the list, so only on its first page.
        part.after ? [] : installRequests.list(organization.id, part.name || null),
        deps.organizationApps.list(organization.id, { ...searchOf(part), state: null }),
        workspaces.names(organization.id),
      ])
      const list = linksOf(url, part, page)
      const requests = asked
        .slice(0, mostRequests)
        .map((one) => requestItem(text, catalogue, one, names, fault))
      const isLong = page.items.length + asked.length > fewApps || list.nextUrl || list.startUrl
      return renderer.page(
        request,
        reply,
        'organization-apps',
        {
          session,
          title: text.organization.apps.title,
          withScript: hasFoldedChoice(requests.map((one) => one.workspaces)),
          ...(fault && { status: 400 }),
        },
        {
          ...organizationTabs(text, organization, 'apps'),
          action: addressOf(url, part),
          notice: fault ? null : noticeOf(text, queried(request, 'done')),
          field: `#${fault?.clientId ?? ''}-workspaces`,
          error: fault?.error ?? null,
          find: isLong || part.name ? { action: url, name: part.name } : null,
          requests,
          requested: asked.length,
          installed: page.items.map((one) =>
            installedItem(text, catalogue, one, organization.name, base, names),
          ),
          list,
        },
      )
    },

    change: async (visit, { app, install }, { fault, shown, choice }) => {
      const { request, reply, session, organization, base } = visit
      const text = textOf(request)
      const { clientId, interface: api, permissions } = app
      const names = await workspaces.names(organization.id)
      const ticked = fault?.permissions ?? choice?.permissions ?? install.permissions
      const limit = (fault ?? choice ?? install).workspaceIds
      const choices = choiceOf(text, api, limit, names)
      const status = fault ? 400 : 409
      return renderer.page(
        request,
        reply,
        'organization-app',
        {
          session,
          title: text.organization.app.title,
          withScript: hasFoldedChoice([choices]),
          ...((fault || choice) && { status }),
        },
        {
          ...organizationTabs(text, organization, 'apps'),
          action: `${base}/apps`,
          backUrl: `${base}/apps`,
          notice: null,
          prefix: '',
          clientId,
          app: cardOf(app, app.redirectUris[0] as string),
          version: shown || versionOf(install),
          saved: choice ? await editConflict(visit, clientId, api, install, names) : null,
          mayUntick: permissions.length > 0,
          permissionGroups: describePermissions(
            text,
            catalogue,
            api,
            permissions,
            undefined,
            ticked,
          ),
          workspaces: choices,
          error: fault?.error ?? null,
        },
      )
    },
  }
  const decide = createAppDecisions(deps, pages)

  scope.get(
    path,
    asAdmin((visit) => pages.list(visit, null)),
  )

  scope.get(
    `${path}/:client_id`,
    asAdmin(async (visit) => {
      const clientId = parameter(visit.request, 'client_id')
      if (!isClientIdShaped(clientId)) throw new NotFound('app')
      const one = found(await deps.organizationApps.find(visit.organization.id, clientId), 'app')
      return pages.change(visit, one, {})
    }),
  )

  scope.post(
    path,
    asAdmin(async (visit) => {
      const done = await decide(visit)
      if (typeof done === 'function') return done()
      const part = readPart(visit.request)
      const location = addressOf(`${visit.base}/apps`, part, done === null ? {} : { done })
      return visit.reply.header('cache-control', 'no-store').redirect(location, 303)
    }),
  )
}
