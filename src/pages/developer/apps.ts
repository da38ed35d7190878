import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RefusedDocument } from '../../core/client-documents/app-reviews.ts'
import {
  mostCountedInstalls,
  type OwnedApp,
  type OwnedAppEntry,
  type SecretChange,
} from '../../core/clients/app-owners.ts'
import { isFapi } from '../../core/clients/security-profile.ts'
import { workloadName } from '../../core/clients/workloads.ts'
import type { Secret } from '../../core/credentials/secrets.ts'
import { mostWebhooksOfApp } from '../../core/webhooks/app-webhooks.ts'
import type { Text } from '../../words/text.ts'
import { createTabbedPages } from '../account/tabs.ts'
import { monogramOf } from '../rendering/app-card.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { logoFaultIn, logoPath } from '../rendering/logos.ts'
import { firstPart, linksOf, readPart, searchOf } from '../rendering/long-list.ts'
import { useSentences } from '../rendering/permission-use.ts'
import { momentOf } from '../rendering/render.ts'
import type { Notice } from '../rendering/view-models/frame.ts'
import { createUserGate, type UserVisit } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import { appChangeItem } from './change.ts'
import { type OwnerVisit, ownerGate } from './gate.ts'
import { webhookItem } from './webhooks.ts'

const path = '/developer'

/** The number to show, and whether there are more. */
export const counted = (installs: number): [number, boolean] => [
  Math.min(installs, mostCountedInstalls),
  installs > mostCountedInstalls,
]

const itemOf = ({ developer: words }: Text, app: OwnedAppEntry) => ({
  name: app.name,
  clientId: app.clientId,
  idLabel: words.apps.ids[app.interface],
  href: `${path}/apps/${encodeURIComponent(app.clientId)}`,
  facts: [
    words.apps.interfaces[app.interface],
    words.apps.clientTypes[app.clientType],
    words.apps.installed(...counted(app.installs)),
  ],
  isDisabled: app.disabled,
})

const secretItem = (
  text: Text,
  { id, hint, createdAt, lastUsedAt, expiresAt }: Secret,
  base: string,
) => ({
  deleteUrl: `${base}/secrets/${id}/delete`,
  hint,
  created: momentOf(text, createdAt),
  lastUsed: lastUsedAt && momentOf(text, lastUsedAt),
  until: expiresAt && momentOf(text, expiresAt, 'moment'),
})

const actorOf = (text: Text, { kind, id, name }: SecretChange['actor'], userId: string): string => {
  const { you, operator, formerUser, other } = text.developer.app.actors
  if (kind === 'user') return id === userId ? you : (name ?? formerUser)
  return kind === 'operator' ? operator : other
}

const changeItem = (text: Text, { at, kind, actor }: SecretChange, userId: string) => ({
  words: text.developer.app.change[kind](actorOf(text, actor, userId)),
  at: momentOf(text, at),
})

const noticeIn = (request: FastifyRequest, { developer: words }: Text): Notice | null => {
  const said = {
    ...words.changes.done,
    webhook_deleted: words.webhooks.done.deleted,
    full: words.webhooks.full(mostWebhooksOfApp),
    outdated: words.app.outdated,
    deleted: words.app.deleted,
  }
  const unchanged = ['unchanged', 'decided', 'full', 'outdated']
  return doneNotice(request, said, unchanged)
}

const sandboxNotice = (request: FastifyRequest, { developer }: Text): Notice | null => {
  const { created, deleted, exists } = developer.sandbox.done
  const said = { sandbox_created: created, sandbox_deleted: deleted, sandbox_exists: exists }
  return doneNotice(request, said, ['sandbox_exists'])
}

/** Why an app can have no secret that works; null when it can. */
export const obstacleTo = (text: Text, { app, secrets }: OwnedApp): string | null => {
  const { developer: words } = text
  if (app.clientType === 'public') return words.obstacles.public
  const hasKeys = app.jwks !== null || app.jwksUri !== null || app.workloads.length > 0
  const hasOnlyKeys = hasKeys && secrets.length === 0
  return isFapi(app) || hasOnlyKeys ? words.obstacles.keys : null
}

const refusalItem = (text: Text, { note, decidedAt }: RefusedDocument) => ({
  at: momentOf(text, decidedAt),
  note: note === null ? null : text.developer.changes.note(note),
})

export const developerApps = (scope: FastifyInstance, deps: PageServices) => {
  const { appOwners, appChanges, appReviews, appWebhooks, sandboxes, logos } = deps
  const showPage = createTabbedPages(deps)

  const list = async (visit: UserVisit) => {
    const { request, text, session } = visit
    const part = { ...firstPart, after: readPart(request).after }
    const [page, sandbox] = await Promise.all([
      appOwners.list(session.user.id, searchOf(part)),
      sandboxes.ofOwner(session.user.id),
    ])
    return showPage(visit, 'developer', 'developer', {
      title: text.developer.apps.title,
      notice: sandboxNotice(request, text),
      apps: page.items.map((one) => itemOf(text, one)),
      list: linksOf(path, part, page),
      /** null: the user may have none. */
      sandbox:
        sandbox || page.items.length > 0
          ? { openUrl: sandbox && `/organizations/${sandbox.organizationId}/apps` }
          : null,
    })
  }

  const show = async (visit: OwnerVisit) => {
    const { request, text, session, owned, base } = visit
    const { developer: words } = text
    const { app, installs, secrets } = owned
    const [changes, requests, webhooks, logo, refusedDocument, unused] = await Promise.all([
      appOwners.secretChanges(app.clientId),
      appChanges.latest(app.clientId),
      appWebhooks.list(app.clientId),
      logos.stateOf(app.clientId),
      appReviews.refused(app.clientId),
      deps.permissionUse.unused(app.clientId, null),
    ])
    const names = await appOwners.userNames(requests.map(({ requestedBy }) => requestedBy))
    const requested = requests.map((one) => appChangeItem(visit, one, names, session.user.id))
    return showPage(visit, 'developer', 'developer-app', {
      withScript: true,
      title: words.app.title(app.name),
      notice: noticeIn(request, text),
      app: { name: app.name, monogram: monogramOf(app.name), logo: logoPath(logo.digest) },
      idLabel: words.apps.ids[app.interface],
      clientId: app.clientId,
      isDisabled: app.disabled,
      refusedDocument: refusedDocument && refusalItem(text, refusedDocument),
      /** Why pages show no logo; null: they do, or there is none. */
      logoFault: logoFaultIn(text, logo.fault),
      interfaceName: words.apps.interfaces[app.interface],
      clientType: words.app.clientTypes[app.clientType],
      redirectUris: app.redirectUris,
      permissions: app.permissions,
      use: useSentences(visit, unused),
      saysNeeds: app.permissions.length === 0 || app.optionalPermissions !== null,
      publisher: app.publisher,
      /** Where it publishes its public keys, or how many it has. */
      keys: app.jwksUri ?? (app.jwks && String(app.jwks.keys.length)),
      workloads: app.workloads.map(workloadName),
      installs: [
        words.apps.installed(...counted(installs.live)),
        ...(installs.suspended > 0 ? [words.app.suspended(...counted(installs.suspended))] : []),
      ].join(' · '),
      secrets: secrets.map((one) => secretItem(text, one, base)),
      changes: changes.map((one) => changeItem(text, one, session.user.id)),
      waiting: requested.find(({ decision }) => decision === null) ?? null,
      decided: requested.filter(({ decision }) => decision !== null),
      changeUrl: `${base}/change`,
      withdrawUrl: `${base}/change/withdraw`,
      webhooks: webhooks.map((one) => webhookItem(text, one, base)),
      newWebhook:
        webhooks.length < mostWebhooksOfApp
          ? { url: `${base}/webhooks/new` }
          : { full: words.webhooks.full(mostWebhooksOfApp) },
      requestsUrl: `${base}/requests`,
      obstacle: obstacleTo(text, owned),
      replace: {
        label: secrets.length === 0 ? words.app.create : words.app.replace,
        href: `${base}/replace`,
      },
      backUrl: path,
    })
  }

  scope.get(
    path,
    createUserGate(deps)(list, () => path),
  )

  scope.get(`${path}/apps/:client_id`, ownerGate(deps)(show))
}
