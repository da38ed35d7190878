import type { FastifyInstance, FastifyReply } from 'fastify'
import { mostSecrets } from '../../../core/clients/app.ts'
import type {
  AppSecrets,
  CreatedAppSecret,
  RotationByOwner,
  SecretRotation,
} from '../../../core/clients/app-secrets.ts'
import { Conflict, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import type { OneTimeSecrets } from '../../../core/organizations/one-time-secrets.ts'
import { type AccountTabsDependencies, accountTabs } from '../account/account-tabs.ts'
import { tamperedForm } from '../rendering/approval-form.ts'
import type {
  DeveloperReplacePage,
  DeveloperSecretPage,
} from '../rendering/developer-view-models.ts'
import { field, queried } from '../rendering/forms.ts'
import { textOf } from '../rendering/reader-text.ts'
import { secretFile } from '../rendering/secret-file.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import { counted, obstacleTo } from './developer-apps.ts'
import {
  createDeveloperGate,
  type DeveloperGateDependencies,
  type OwnerVisit,
} from './developer-gate.ts'
import { overlapOptions, overlapSeconds } from './developer-overlaps.ts'

export interface DeveloperSecretDependencies
  extends AccountTabsDependencies,
    Omit<DeveloperGateDependencies, 'appOwners'> {
  appOwners: DeveloperGateDependencies['appOwners'] & AccountTabsDependencies['appOwners']
  appSecrets: Pick<AppSecrets, 'create'>
  oneTimeSecrets: OneTimeSecrets<CreatedAppSecret>
  recentSignIn: RecentSignIn
}

/** Shown again after a fault. */
interface Fault {
  error: string
  status: number
}

/** The choice in the form; null when none was made. A page without a secret has no choice. */
const rotationIn = ({ request, owned }: OwnerVisit): SecretRotation | null => {
  if (owned.secrets.length === 0) return { retireOthersAfter: 0, endTokens: false }
  switch (field(request, 'in_use')) {
    case 'keep': {
      const after = Number(field(request, 'retire_others_after_seconds'))
      if (!overlapSeconds.includes(after)) throw tamperedForm()
      return { retireOthersAfter: after, endTokens: false }
    }
    case 'leaked':
      return { retireOthersAfter: 0, endTokens: true }
    default:
      return null
  }
}

const choiceOf = ({ request, owned }: OwnerVisit): DeveloperReplacePage['choice'] => {
  const { secrets, installs } = owned
  const text = textOf(request)
  const words = text.developer.replace
  if (secrets.length === 0) return null
  const chosen = Number(field(request, 'retire_others_after_seconds'))
  const ends = secrets.map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
  const first = Math.min(...ends)
  const inUse = field(request, 'in_use')
  const hasRoom = secrets.length < mostSecrets
  return {
    overlaps: hasRoom ? overlapOptions(text, chosen) : null,
    full: words.full(Number.isFinite(first) ? text.organization.moment(new Date(first)) : null),
    isKept: hasRoom && inUse === 'keep',
    isLeaked: inUse === 'leaked',
    leakedHint: words.leakedHint(...counted(installs.live)),
  }
}

/** Nothing was written, so a secret that was kept for the next page is none. */
const isRefusal = (error: unknown) =>
  error instanceof Conflict || error instanceof NotFound || error instanceof Invalid

/** The pages on which an owner replaces the secret of an app. */
export const developerSecret = (scope: FastifyInstance, deps: DeveloperSecretDependencies) => {
  const { browser, renderer, appSecrets, appOwners, oneTimeSecrets, recentSignIn } = deps
  const asOwner = createDeveloperGate(deps)

  const form = async (visit: OwnerVisit, fault?: Fault): Promise<FastifyReply> => {
    const { request, reply, session, owned, base } = visit
    const text = textOf(request)
    const words = text.developer.replace
    const { name } = owned.app
    const hasSecret = owned.secrets.length > 0
    return renderer.page(
      request,
      reply,
      'developer-replace',
      { session, title: words.title, ...(fault && { status: fault.status }) },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        action: `${base}/replace`,
        backUrl: base,
        heading: hasSecret ? words.heading(name) : words.createHeading(name),
        obstacle: obstacleTo(text, owned),
        newest: owned.secrets.at(-1)?.id ?? '',
        handover: oneTimeSecrets.newName(),
        choice: choiceOf(visit),
        error: fault?.error ?? null,
      },
    )
  }

  const withRecentSignIn =
    (work: (visit: OwnerVisit) => Promise<FastifyReply>) => async (visit: OwnerVisit) =>
      recentSignIn.isRecent(visit.session)
        ? work(visit)
        : recentSignIn.askAgain(visit.reply, `${visit.base}/replace`)

  /** @returns where the new secret is shown */
  const create = async (visit: OwnerVisit, rotation: SecretRotation): Promise<string> => {
    const { request, session, owned, base, cause } = visit
    const [handover, mark] = [field(request, 'handover'), browser.sessionMark(request)]
    const shownAt = `${base}/secret?${new URLSearchParams({ handover })}`
    let isKept = false
    const owner: RotationByOwner = {
      userId: session.user.id,
      newestShown: field(request, 'newest') || null,
      deliver: async (made) => {
        isKept = await oneTimeSecrets.offer(handover, made, mark)
        return isKept
      },
    }
    try {
      await appSecrets.create(owned.app.clientId, rotation, cause, owner)
      return shownAt
    } catch (error) {
      if (isKept && isRefusal(error)) await oneTimeSecrets.withdraw(handover, mark)
      if (!(error instanceof Conflict) || error.reason !== 'changed_meanwhile') throw error
      // The second click of a double click leads to the secret that the first one made.
      return (await oneTimeSecrets.isOffered(handover, mark)) ? shownAt : `${base}?done=outdated`
    }
  }

  const replace = async (visit: OwnerVisit): Promise<FastifyReply> => {
    const text = textOf(visit.request)
    const words = text.developer.replace
    if (obstacleTo(text, visit.owned)) return form(visit)
    const rotation = rotationIn(visit)
    if (!rotation) return form(visit, { error: words.chooseFault, status: 400 })
    try {
      const next = await create(visit, rotation)
      return visit.reply.header('cache-control', 'no-store').redirect(next, 303)
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      const owned = await appOwners.read(visit.session.user.id, visit.owned.app.clientId)
      // An app that has just become public has no form, and says why.
      const isFull = error.reason === 'too_many_secrets'
      return form({ ...visit, owned }, isFull ? { error: words.tooMany, status: 409 } : undefined)
    }
  }

  const shownOf = (
    { request, owned }: OwnerVisit,
    secret: string,
  ): DeveloperSecretPage['shown'] => {
    const text = textOf(request)
    const { app } = owned
    const { labels, usage } = text.developer.secret
    return {
      idLabel: text.developer.apps.ids[app.interface],
      clientId: app.clientId,
      secretLabel: labels[app.interface],
      secret,
      usage: usage[app.interface],
      ...secretFile(app, secret),
    }
  }

  /** Shows the new secret once, and answers 410 to every later request. */
  const show = async (visit: OwnerVisit): Promise<FastifyReply> => {
    const { request, reply, session, owned, base } = visit
    const text = textOf(request)
    const tabs = await accountTabs(text, 'developer', session, deps)
    // The last step, because the secret can be shown only once.
    const made = await oneTimeSecrets.take(
      queried(request, 'handover'),
      browser.sessionMark(request),
    )
    const isInForce = owned.secrets.some(({ id }) => id === made?.secretId)
    const shown = made && isInForce ? shownOf(visit, made.secret) : null
    const { title, ends } = text.developer.secret
    return renderer.page(
      request,
      reply,
      'developer-secret',
      { session, title, ...(shown ? { withScript: true } : { status: 410 }) },
      {
        tabs,
        name: owned.app.name,
        shown,
        others: owned.secrets.flatMap(({ hint, expiresAt }) =>
          expiresAt ? [ends(hint, text.organization.moment(expiresAt))] : [],
        ),
        backUrl: base,
      },
    )
  }

  const path = '/developer/apps/:client_id'
  scope.get(`${path}/replace`, asOwner(withRecentSignIn((visit) => form(visit))))
  scope.post(`${path}/replace`, asOwner(withRecentSignIn(replace)))
  scope.get(`${path}/secret`, asOwner(show))
}
