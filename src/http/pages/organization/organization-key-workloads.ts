import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  longestSubject,
  mostClaims,
  mostWorkloads,
  type Workload,
  workloadName,
} from '../../../core/clients/workloads.ts'
import type { Fault } from '../../../core/language/faults.ts'
import {
  Conflict,
  editConflict,
  found,
  Invalid,
  NotFound,
} from '../../../core/language/service-errors.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import { field, queried } from '../rendering/forms.ts'
import type { KeySetWorkloadsPage, WorkloadField } from '../rendering/organization-view-models.ts'
import { type Text, textOf } from '../rendering/text.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import { showConfirmation } from './confirmation.ts'
import { type AdminVisit, createOrganizationGate, parameter } from './organization-gate.ts'
import { keySetUrl } from './organization-key-items.ts'
import { type KeySetPageDependencies, keySetOfVisit } from './organization-key-stops.ts'
import { organizationTabs } from './organization-tabs.ts'

export type KeyWorkloadsDependencies = KeySetPageDependencies & { recentSignIn: RecentSignIn }

type Given = Record<WorkloadField, string>
type Faults = Partial<Record<WorkloadField, string>>

const path = '/organizations/:id/keys/:key_set_id/workloads'
const fieldNames = ['issuer', 'subject', 'claims', 'jwks_uri'] as const
const longestField = 8000
const nothing: Given = { issuer: '', subject: '', claims: '', jwks_uri: '' }

/** Names a workload in an address, whatever the other ones are. */
const markOf = (workload: Workload): string =>
  createHash('sha256').update(JSON.stringify(workload)).digest('base64url').slice(0, 22)

const readGiven = (request: FastifyRequest): Given => {
  const values = fieldNames.map((name) => [
    name,
    field(request, name).trim().slice(0, longestField),
  ])
  return Object.fromEntries(values) as Given
}

/** `name=value` on each line. @returns null when a line has another form, or there are too many */
const readClaims = (lines: string): Record<string, string> | null => {
  const pairs = lines
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => /^([^=]+)=(.*)$/.exec(line.trim()))
  if (pairs.length > mostClaims || pairs.includes(null)) return null
  const claims = pairs.map((pair) => [pair?.[1]?.trim(), pair?.[2]?.trim()])
  const names = new Set(claims.map(([name]) => name))
  return names.size === claims.length && !names.has('') ? Object.fromEntries(claims) : null
}

const workloadOf = (given: Given, claims: Record<string, string>): Workload => ({
  issuer: given.issuer,
  ...(given.subject !== '' && { subject: given.subject }),
  ...(Object.keys(claims).length > 0 && { claims }),
  ...(given.jwks_uri !== '' && { jwks_uri: given.jwks_uri }),
})

type FaultWords = Text['organization']['keyWorkloads']['faults']

const shapeFaults = (words: FaultWords, given: Given): Faults => ({
  ...(given.issuer === '' && { issuer: words.issuer }),
  ...(given.subject.length > longestSubject && { subject: words.subject }),
  ...(readClaims(given.claims) === null && { claims: words.claims }),
})

/** The faults of the new workload, which is the last one, by its fields. */
const faultsOf = (words: FaultWords, faults: readonly Fault[]): Faults => {
  const parts = faults.map(({ pointer, detail }) => [pointer.split('/')[3], detail] as const)
  const has = (name: string) => parts.some(([part]) => part === name)
  const isDuplicate = parts.some(([part, detail]) => !part && detail === 'is a duplicate')
  return {
    ...(isDuplicate && { issuer: words.duplicate }),
    ...(has('issuer') && { issuer: words.issuer }),
    ...(has('claims') && { claims: words.claims }),
    ...(has('jwks_uri') && { jwks_uri: words.jwksUri }),
    ...(!isDuplicate && parts.some(([part]) => !part) && { subject: words.subject }),
  }
}

const itemOf = (workload: Workload, url: string): KeySetWorkloadsPage['workloads'][number] => ({
  issuer: workload.issuer,
  subject: workload.subject ?? null,
  claims: Object.entries(workload.claims ?? {}).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ),
  jwksUri: workload.jwks_uri ?? null,
  removeUrl: `${url}/${markOf(workload)}/remove`,
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
    given: Given = nothing,
    faults: Faults = {},
  ): Promise<FastifyReply> => {
    const { request, reply, session, organization, base } = visit
    const text = textOf(request)
    const words = text.organization.keyWorkloads
    const url = `${keySetUrl(base, keySet.id)}/workloads`
    const first = fieldNames.find((name) => faults[name] !== undefined)
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
      return show(visit, keySet, given, faultsOf(words, error.faults))
    }
  }

  const untrust = async (visit: AdminVisit, keySet: StoredKeySet): Promise<FastifyReply> => {
    const mark = field(visit.request, 'workload')
    const rest = keySet.workloads.filter((one) => markOf(one) !== mark)
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
      const one = found(keySet.workloads.find((each) => markOf(each) === mark) ?? null, 'workload')
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
