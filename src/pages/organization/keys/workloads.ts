// The workloads that a key set of the current interface trusts.
import { isDeepStrictEqual } from 'node:util'
import { mostWorkloads, type Workload, workloadName } from '../../../core/clients/workloads.ts'
import { Conflict, editConflict, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import {
  workloadFields,
  workloadIn,
  workloadMark,
  workloadRefusal,
  workloadTable,
} from '../../rendering/fields/workloads.ts'
import { words } from '../../rendering/forms/blocks.ts'
import { leave, ownPath } from '../../rendering/forms/blocks-page.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { signInUrl } from '../../sign-in/page.ts'
import { noticeOf } from '../frame.ts'
import { type AdminVisit, parameter } from '../gate.ts'
import { type AdminForm, type AdminRoutes, confirmation } from '../routes.ts'
import { keySetOfVisit } from './forms.ts'
import { keySetUrl } from './items.ts'

const path = '/keys/:key_set_id/workloads'

export const organizationKeyWorkloads = ({ get, post, forms, deps }: AdminRoutes) => {
  const { keySets, recentSignIn } = deps
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
    { cause }: AdminVisit,
    { keySet, url }: { keySet: StoredKeySet; url: string },
    workloads: Workload[],
    done: string,
  ): Promise<string> => {
    const precondition = (current: StoredKeySet | null) => {
      if (!isDeepStrictEqual(current?.workloads, keySet.workloads)) throw editConflict()
    }
    try {
      await keySets.change(keySet, { workloads }, cause, { precondition })
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
      notice: noticeOf(visit, said.done),
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

  get(path, forms.show(trust))
  get(`${path}/:workload/remove`, forms.show(untrust))
  post(path, async (visit) => {
    const decision = field(visit.request, 'decision')
    if (decision === 'trust') return forms.send(trust)(visit)
    if (decision === 'untrust') return forms.send(untrust)(visit)
    await ofVisit(visit)
    return leave(visit, ownPath(visit))
  })
}
