import type { FastifyReply } from 'fastify'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { versionOf } from '../../../core/language/edit-conflict.ts'
import { covers } from '../../../core/language/permissions.ts'
import { Conflict, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import type {
  CreatedKeySetSecret,
  DeliverSecret,
} from '../../../core/organizations/key-set-secrets.ts'
import type { KeySets, NewKeySet } from '../../../core/organizations/key-sets.ts'
import type { OneTimeSecrets } from '../../../core/organizations/one-time-secrets.ts'
import type { Workspaces } from '../../../core/organizations/workspaces.ts'
import type { Browser } from '../../browser/browser.ts'
import { tamperedForm } from '../rendering/approval-form.ts'
import { field } from '../rendering/forms.ts'
import { addressOf, readPart } from '../rendering/long-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import { signInUrl } from '../sign-in/sign-in-page.ts'
import type { AdminVisit } from './organization-gate.ts'
import {
  type AboutForm,
  type createKeySetForm,
  faultsOf,
  formUrl,
  type KeySetFields,
  readFields,
} from './organization-key-form.ts'
import { overlaps } from './organization-key-items.ts'

export interface KeyDecisionDependencies {
  keySets: KeySets
  oneTimeSecrets: OneTimeSecrets<CreatedKeySetSecret>
  workspaces: Pick<Workspaces, 'names'>
  browser: Browser
  recentSignIn: RecentSignIn
}

/** The next address, or another page. */
type Outcome = string | (() => Promise<FastifyReply>)
type Decide = (visit: AdminVisit) => Promise<Outcome>

const isChanged = (error: unknown) =>
  error instanceof Conflict && error.reason === 'changed_meanwhile'

const listUrl = ({ base, request }: AdminVisit, done: string) =>
  addressOf(`${base}/keys`, { ...readPart(request), name: '' }, { done })

/** The decisions of an admin about key sets, by the form's `decision`. */
export const createKeyDecisions = (
  deps: KeyDecisionDependencies,
  form: ReturnType<typeof createKeySetForm>,
) => {
  const { keySets, oneTimeSecrets, workspaces, browser, recentSignIn } = deps

  /**
   * Stores the new secret for one view in this browser. @returns the store function and the address of the view
   * @returns also where it is to be seen, once it is in force
   */
  const handOverTo = (visit: AdminVisit) => {
    let url = ''
    const handOver: DeliverSecret = async (made) => {
      const name = await oneTimeSecrets.store(made, browser.sessionMark(visit.request))
      url = `${visit.base}/keys/${made.keySetId}/secret?handover=${name}`
    }
    return { handOver, seenAt: () => url }
  }

  /** Does the work, or shows the form again with its faults. */
  const checked = async (
    visit: AdminVisit,
    about: AboutForm,
    work: (given: KeySetFields) => Promise<string>,
  ): Promise<Outcome> => {
    const given = readFields(visit.request, about.interface)
    const limit = given.workspaceIds
    if (limit?.length === 0 && (await workspaces.names(visit.organization.id)).length > 0)
      return () =>
        form(visit, about, given, { workspaces: textOf(visit.request).workspaces.chooseOne })
    try {
      return await work(given)
    } catch (error) {
      if (isChanged(error) && about.keySetId) {
        const saved = await keySets.read(visit.organization.id, about.keySetId)
        return () => form(visit, { ...about, version: versionOf(saved), saved }, given)
      }
      if (!(error instanceof Invalid)) throw error
      const faults = faultsOf(textOf(visit.request), error.faults)
      return () => form(visit, about, given, faults)
    }
  }

  const keySetId = ({ request }: AdminVisit) => {
    const id = field(request, 'key_set_id')
    if (!isIdShaped(id)) throw new NotFound('key set')
    return id
  }

  const create: Decide = async (visit) => {
    const api = field(visit.request, 'interface')
    if (api !== 'legacy' && api !== 'current') throw tamperedForm()
    return checked(visit, { interface: api, keySetId: null }, async (given) => {
      if (!recentSignIn.isRecent(visit.session))
        return signInUrl(formUrl(visit.base, api, given), 'confirm')
      const { handOver, seenAt } = handOverTo(visit)
      const draft: NewKeySet = { ...given, interface: api, description: given.description || null }
      await keySets.create(visit.organization.id, draft, visit.cause, handOver)
      return seenAt()
    })
  }

  const change: Decide = async (visit) => {
    const id = keySetId(visit)
    const current = await keySets.read(visit.organization.id, id)
    const shown = field(visit.request, 'version')
    const about = {
      interface: current.interface,
      keySetId: id,
      version: shown || versionOf(current),
    }
    return checked(visit, about, async (given) => {
      const isWider = !covers(current.permissions, given.permissions)
      if (isWider && !recentSignIn.isRecent(visit.session))
        return signInUrl(`${visit.base}/keys/${id}`, 'confirm')
      const patch = { ...given, description: given.description || null }
      await keySets.change(visit.organization.id, id, patch, visit.cause, { shown })
      return listUrl(visit, 'changed')
    })
  }

  const rotate: Decide = async (visit) => {
    const after = Number(field(visit.request, 'retire_others_after_seconds') || 0)
    if (!Object.values<number>(overlaps).includes(after)) throw tamperedForm()
    const id = keySetId(visit)
    await keySets.read(visit.organization.id, id)
    if (!recentSignIn.isRecent(visit.session))
      return signInUrl(`${visit.base}/keys/${id}/rotate`, 'confirm')
    const { handOver, seenAt } = handOverTo(visit)
    try {
      await keySets.rotate(visit.organization.id, id, after, visit.cause, handOver)
      return seenAt()
    } catch (error) {
      if (error instanceof Conflict) return listUrl(visit, 'too_many')
      throw error
    }
  }

  const retire: Decide = async (visit) => {
    const id = keySetId(visit)
    const secretId = field(visit.request, 'secret_id')
    await keySets.read(visit.organization.id, id)
    try {
      if (!isIdShaped(secretId)) throw new NotFound('secret')
      await keySets.retire(visit.organization.id, id, secretId, visit.cause)
      return listUrl(visit, 'retired')
    } catch (error) {
      // The key set exists, but the secret has expired or another admin has retired it.
      if (error instanceof NotFound) return listUrl(visit, 'outdated')
      throw error
    }
  }

  const remove: Decide = async (visit) => {
    await keySets.remove(visit.organization.id, keySetId(visit), visit.cause)
    return listUrl(visit, 'deleted')
  }

  const decisions: Record<string, Decide> = { create, change, rotate, retire, delete: remove }

  /** @throws NotFound, OAuthError */
  return async (visit: AdminVisit): Promise<Outcome> => {
    const decision = field(visit.request, 'decision')
    const named = field(visit.request, 'organization_id')
    if (named !== '' && named !== visit.organization.id) throw new NotFound('organization')
    const decide = Object.hasOwn(decisions, decision) ? decisions[decision] : undefined
    return decide ? decide(visit) : `${visit.base}/keys`
  }
}
