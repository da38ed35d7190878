// The workloads that a key set of the current interface trusts.
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { mostWorkloads, type Workload, workloadName } from '../../../core/clients/workloads.ts'
import { Conflict, editConflict, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { KeySets } from '../../../core/organizations/key-sets.ts'
import type { Text } from '../../../words/text.ts'
import {
  workloadFields,
  workloadIn,
  workloadMark,
  workloadRefusal,
  workloadTable,
} from '../../rendering/fields/workloads.ts'
import { words } from '../../rendering/forms/blocks.ts'
import { leave, ownPath } from '../../rendering/forms/blocks-page.ts'
import { field, queried } from '../../rendering/forms/sent-values.ts'
import type { Notice } from '../../rendering/view-models/frame.ts'
import { signInUrl } from '../../sign-in/page.ts'
import type { RecentSignIn } from '../../sign-in/recent-sign-in.ts'
import { type AdminForm, confirmation, createAdminForms } from '../form.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
  parameter,
} from '../gate.ts'
import { keySetOfVisit } from './forms.ts'
import { keySetUrl } from './items.ts'

export type KeyWorkloadsDependencies = OrganizationGateDependencies & {
  keySets: KeySets
  recentSignIn: RecentSignIn
}

const path = '/organizations/:id/keys/:key_set_id/workloads'

const noticeOf = ({ organization }: Text, done: string): Notice | null => {
  if (done === 'outdated') return { words: organization.outdated, tone: 'plain' }
  const said: Record<string, string> = organization.keyWorkloads.done
  return Object.hasOwn(said, done) ? { words: said[done] as string, tone: 'good' } : null
}

export const organizationKeyWorkloads = (
  scope: FastifyInstance,
  deps: KeyWorkloadsDependencies,
) => {
  const { keySets, recentSignIn } = deps
  const asAdmin = createOrganizationGate(deps)
  const forms = createAdminForms(deps)

  const ofVisit = async (visit: AdminVisit) => {
    const keySet = await keySetOfVisit(keySets, visit)
    if (keySet.interface === 'legacy') throw new NotFound('key set')
    return { keySet, url: `${keySetUrl(visit.base, keySet.id)}/workloads` }
  }

  /**
   * Stores the workloads, unless another admin has changed them since they were read.
   * @returns the address that says so
   */
  const store = async (
    { organization, cause }: AdminVisit,
    { keySet, url }: { keySet: StoredKeySet; url: string },
    workloads: Workload[],
    done: string,
  ): Promise<string> => {
    const precondition = (current: StoredKeySet | null) => {
      if (!isDeepStrictEqual(current?.workloads, keySet.workloads)) throw editConflict()
    }
    try {
      await keySets.change(organization.id, keySet.id, { workloads }, cause, { precondition })
      return `${url}?done=${done}`
    } catch (error) {
      if (error instanceof Conflict) return `${url}?done=outdated`
      throw error
    }
  }

  const trust = async (visit: AdminVisit): Promise<AdminForm> => {
    const { text, request, session, base } = visit
    const place = await ofVisit(visit)
    const { keySet, url } = place
    const said = text.organization.keyWorkloads
    const isFull = keySet.workloads.length >= mostWorkloads
    return {
      tab: 'keys',
      title: said.title,
      heading: said.heading(keySet.name),
      lead: said.lead,
      notice: noticeOf(text, queried(request, 'done')),
      blocks: [
        workloadTable(text, keySet.workloads, url),
        ...(isFull ? [words(said.full(mostWorkloads))] : []),
      ],
      formHeading: said.add,
      fields: workloadFields(text),
      // A form of a page that was not full yet is answered with its fault.
      submit: isFull && request.method === 'GET' ? null : said.trust,
      decision: 'trust',
      cancelUrl: null,
      back: { label: said.back, href: `${base}/keys` },
      work: async (body) => {
        const workload = workloadIn(text, body)
        if ('errors' in workload) return workload
        if (!recentSignIn.isRecent(session)) return signInUrl(url, 'confirm')
        try {
          return await store(visit, place, [...keySet.workloads, workload], 'trusted')
        } catch (error) {
          const refusal = error instanceof Invalid ? workloadRefusal(text, error.faults) : null
          if (refusal) return refusal
          throw error
        }
      },
    }
  }

  const untrust = async (visit: AdminVisit): Promise<AdminForm> => {
    const { text, request } = visit
    const place = await ofVisit(visit)
    const { keySet, url } = place
    const mark = parameter(request, 'workload') || field(request, 'workload')
    const one = keySet.workloads.find((each) => workloadMark(each) === mark)
    if (!one && request.method === 'GET') throw new NotFound('workload')
    const said = text.organization.keyStop.untrust
    return {
      tab: 'keys',
      ...confirmation({
        title: said.title,
        heading: said.heading(one ? workloadName(one) : ''),
        points: [[said.atOnce]],
        submit: said.confirm,
        decision: 'untrust',
        hidden: { workload: mark },
        action: url,
        cancelUrl: url,
      }),
      work: async () => {
        const rest = keySet.workloads.filter((each) => each !== one)
        return one ? store(visit, place, rest, 'untrusted') : `${url}?done=outdated`
      },
    }
  }

  scope.get(path, asAdmin(forms.show(trust)))
  scope.get(`${path}/:workload/remove`, asAdmin(forms.show(untrust)))
  scope.post(
    path,
    asAdmin(async (visit) => {
      const decision = field(visit.request, 'decision')
      if (decision === 'trust') return forms.send(trust)(visit)
      if (decision === 'untrust') return forms.send(untrust)(visit)
      await ofVisit(visit)
      return leave(visit, ownPath(visit))
    }),
  )
}
