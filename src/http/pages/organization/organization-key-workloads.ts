import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mostWorkloads, type Workload, workloadName } from '../../../core/clients/workloads.ts'
import {
  Conflict,
  editConflict,
  found,
  Invalid,
  NotFound,
} from '../../../core/language/service-errors.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { Text } from '../../../words/text.ts'
import { field, queried } from '../rendering/forms.ts'
import type { KeySetWorkloadsPage } from '../rendering/organization-view-models.ts'
import { textOf } from '../rendering/reader-text.ts'
import {
  claimLines,
  type GivenWorkload,
  readClaims,
  shapeFaults,
  type WorkloadFaults,
  workloadFaultWords,
  workloadFields,
  workloadMark,
  workloadOf,
} from '../rendering/workload-fields.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import { showConfirmation } from './confirmation.ts'
import { type AdminVisit, createOrganizationGate, parameter } from './organization-gate.ts'
import { keySetUrl } from './organization-key-items.ts'
import { type KeySetPageDependencies, keySetOfVisit } from './organization-key-stops.ts'
import { organizationTabs } from './organization-tabs.ts'

export type KeyWorkloadsDependencies = KeySetPageDependencies & { recentSignIn: RecentSignIn }

const path = '/organizations/:id/keys/:key_set_id/workloads'
const longestField = 8000
const nothing: GivenWorkload = { issuer: '', subject: '', claims: '', jwks_uri: '' }

const readGiven = (request: FastifyRequest): GivenWorkload => {
  const values = workloadFields.map((name) => [
    name,
    field(request, name).trim().slice(0, longestField),
  ])
  return Object.fromEntries(values) as GivenWorkload
}

const itemOf = (workload: Workload, url: string): KeySetWorkloadsPage['workloads'][number] => ({
  issuer: workload.issuer,
  subject: workload.subject ?? null,
  claims: claimLines(workload),
  jwksUri: workload.jwks_uri ?? null,
  removeUrl: `${url}/${workloadMark(workload)}/remove`,
})

/** The page on which admins choose the workloads that a key set of the current interface trusts. */
export const organizationKeyWorkloads = (
  scope: FastifyInstance,
  deps: KeyWorkloadsDependencies,
) => {
  const { renderer, keySets, recentSignIn } = deps
  const asAdmin = createOrganizationGate(deps)

  const ofVisit = async (visit: AdminVisit): Promise<StoredKeySet> => {
    const keySet = await keySetOfVisit(keySets, visit)
    if (keySet.interface === 'legacy') throw new NotFound('key set')
    return keySet
  }

  const noticeOf = (text: Text, done: string): KeySetWorkloadsPage['notice'] => {
    if (done === 'outdated') return { words: text.organization.outdated, tone: 'plain' }
    const words: Record<string, string> = text.organization.keyWorkloads.done
    return Object.hasOwn(words, done) ? { words: words[done] as string, tone: 'good' } : null
  }

  const show = async (
    visit: AdminVisit,
    keySet: StoredKeySet,
    given: GivenWorkload = nothing,
    faults: WorkloadFaults = {},
  ): Promise<FastifyReply> => {
    const { request, reply, session, organization, base } = visit
    const text = textOf(request)
    const words = text.organization.keyWorkloads
    const url = `${keySetUrl(base, keySet.id)}/workloads`
    const first = workloadFields.find((name) => faults[name] !== undefined)
    return renderer.page(
      request,
      reply,
      'key-set-workloads',
      { session, title: words.title, ...(first && { status: 400 }) },
      {
        ...organizationTabs(text, organization, 'keys'),
        action: url,
        backUrl: `${base}/keys`,
        notice: first ? null : noticeOf(text, queried(request, 'done')),
        keySetId: keySet.id,
        name: keySet.name,
        workloads: keySet.workloads.map((one) => itemOf(one, url)),
        full: keySet.workloads.length >= mostWorkloads ? words.full(mostWorkloads) : null,
        given,
        faults,
        error: (first && faults[first]) ?? null,
        field: `#${first ?? 'issuer'}`,
      },
    )
  }

  /** Stores the workloads, unless another admin has changed them since they were read. */
  const store = async (
    { organization, cause, base, reply }: AdminVisit,
    keySet: StoredKeySet,
    workloads: Workload[],
    done: string,
  ): Promise<FastifyReply> => {
    const precondition = (current: StoredKeySet | null) => {
      if (!isDeepStrictEqual(current?.workloads, keySet.workloads)) throw editConflict()
    }
    const outcome = await keySets
      .change(organization.id, keySet.id, { workloads }, cause, { precondition })
      .then(() => done)
      .catch((error: unknown) => {
        if (error instanceof Conflict) return 'outdated'
        throw error
      })
    const location = `${keySetUrl(base, keySet.id)}/workloads?done=${outcome}`
    return reply.header('cache-control', 'no-store').redirect(location, 303)
  }

  const trust = async (visit: AdminVisit, keySet: StoredKeySet): Promise<FastifyReply> => {
    const words = textOf(visit.request).organization.keyWorkloads.faults
    const given = readGiven(visit.request)
    const faults = shapeFaults(words, given)
    const claims = readClaims(given.claims)
    if (claims === null || Object.keys(faults).length > 0) return show(visit, keySet, given, faults)
    if (!recentSignIn.isRecent(visit.session))
      return recentSignIn.askAgain(visit.reply, `${keySetUrl(visit.base, keySet.id)}/workloads`)
    try {
      const workloads = [...keySet.workloads, workloadOf(given, claims)]
      return await store(visit, keySet, workloads, 'trusted')
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      return show(visit, keySet, given, workloadFaultWords(words, error.faults))
    }
  }

  const untrust = async (visit: AdminVisit, keySet: StoredKeySet): Promise<FastifyReply> => {
    const mark = field(visit.request, 'workload')
    const rest = keySet.workloads.filter((one) => workloadMark(one) !== mark)
    const isGone = rest.length === keySet.workloads.length
    return isGone
      ? visit.reply.redirect(`${keySetUrl(visit.base, keySet.id)}/workloads?done=outdated`, 303)
      : store(visit, keySet, rest, 'untrusted')
  }

  scope.get(
    path,
    asAdmin(async (visit) => show(visit, await ofVisit(visit))),
  )

  scope.get(
    `${path}/:workload/remove`,
    asAdmin(async (visit) => {
      const keySet = await ofVisit(visit)
      const mark = parameter(visit.request, 'workload')
      const one = found(
        keySet.workloads.find((each) => workloadMark(each) === mark) ?? null,
        'workload',
      )
      const words = textOf(visit.request).organization.keyStop.untrust
      const url = `${keySetUrl(visit.base, keySet.id)}/workloads`
      return showConfirmation(renderer, visit, {
        tab: 'keys',
        title: words.title,
        heading: words.heading(workloadName(one)),
        points: [[words.atOnce]],
        confirm: [words.confirm],
        decision: 'untrust',
        fields: { workload: mark },
        action: url,
        backUrl: url,
      })
    }),
  )

  scope.post(
    path,
    asAdmin(async (visit) => {
      const named = field(visit.request, 'organization_id')
      if (named !== '' && named !== visit.organization.id) throw new NotFound('organization')
      const keySet = await ofVisit(visit)
      const decision = field(visit.request, 'decision')
      if (decision === 'trust') return trust(visit, keySet)
      if (decision === 'untrust') return untrust(visit, keySet)
      return visit.reply.redirect(`${keySetUrl(visit.base, keySet.id)}/workloads`, 303)
    }),
  )
}
