import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import { field, queried } from '../../rendering/forms/sent-values.ts'
import { addressOf, linksOf, readPart, searchOf } from '../../rendering/long-list.ts'
import type { OrganizationPagesDependencies } from '../dependencies.ts'
import { noticeOf, showPage } from '../frame.ts'
import type { AdminVisit } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { createKeySetForms, keySetOfVisit } from './forms.ts'
import { keySetItem } from './items.ts'
import { showSecret } from './secret.ts'
import { organizationKeyWorkloads } from './workloads.ts'

/** The pages on which admins create, change, rotate and delete key sets. */
export const organizationKeys = (routes: AdminRoutes, deps: OrganizationPagesDependencies) => {
  const { keySets, workspaces, memberships, catalogue } = deps
  const { get, post, form } = routes
  const forms = createKeySetForms(deps)

  const list = async (visit: AdminVisit) => {
    const { request, text, organization, base } = visit
    const words = text.organization.keys
    const url = `${base}/keys`
    const part = { ...readPart(request), name: '' }
    const [page, names] = await Promise.all([
      keySets.list(organization.id, searchOf(part)),
      workspaces.names(organization.id),
    ])
    const people = await memberships.names(page.items.flatMap((one) => one.createdBy ?? []))
    const byOf = ({ createdBy }: StoredKeySet) => people.get(createdBy ?? '') ?? null
    const isFull = queried(request, 'done') === 'too_many'
    return showPage(visit, 'keys', 'organization-keys', {
      title: words.title,
      action: addressOf(url, part),
      notice: isFull ? { words: words.tooMany, tone: 'bad' } : noticeOf(visit, words.done),
      newUrl: `${url}/new`,
      keySets: page.items.map((one) =>
        keySetItem(text, catalogue, one, byOf(one), base, names, deps.now()),
      ),
      list: linksOf(url, part, page),
    })
  }

  const at = '/keys/:key_set_id'
  organizationKeyWorkloads(routes, deps)
  get('/keys', list)
  get('/keys/new', form.show(forms.create))
  get(at, form.show(forms.change))
  get(`${at}/rotate`, form.show(forms.rotate))
  get(`${at}/delete`, form.show(forms.delete))
  get(`${at}/secrets/:secret_id/retire`, form.show(forms.retire))

  get(`${at}/secret`, async (visit) => {
    // Steps that can fail come first, because the secret can be shown only once.
    const keySet = await keySetOfVisit(keySets, visit)
    const name = queried(visit.request, 'handover')
    const made = await deps.oneTimeSecrets.take(name, deps.browser.sessionMark(visit.request))
    return showSecret(visit, keySet, made)
  })

  post('/keys', async (visit) => {
    const decision = field(visit.request, 'decision')
    const requested = Object.hasOwn(forms, decision) && forms[decision as keyof typeof forms]
    return requested ? form.send(requested)(visit) : leave(visit, `${visit.base}/keys`)
  })
}
