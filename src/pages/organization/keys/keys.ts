import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { CreatedKeySetSecret } from '../../../core/organizations/key-set-secrets.ts'
import { doneOf } from '../../rendering/done-notice.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import { clientSecret, secretPart } from '../../rendering/forms/secret-page.ts'
import { field, queried } from '../../rendering/forms/sent-values.ts'
import { addressOf, listOf } from '../../rendering/long-list.ts'
import { noticeOf, showPage, showParts } from '../frame.ts'
import type { AdminVisit } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { createKeySetForms, keySetOfVisit } from './forms.ts'
import { keySetItem } from './items.ts'
import { organizationKeyWorkloads } from './workloads.ts'

/** Shows a new secret once, and answers 410 to every later request. */
const showSecret = (visit: AdminVisit, keySet: StoredKeySet, made: CreatedKeySetSecret | null) => {
  const { text, base } = visit
  const { secret: said } = text.organization
  const backUrl = `${base}/keys`
  const others = keySet.secrets.filter(({ id }) => id !== made?.secretId)
  const secret =
    made?.keySetId === keySet.id
      ? clientSecret(text, said, keySet, made.secret, others, backUrl)
      : null
  return showParts(visit, 'keys', { title: said.title, ...secretPart(secret, said, backUrl) })
}

export const organizationKeys = (routes: AdminRoutes) => {
  const { deps, get, post, forms: pages } = routes
  const { keySets, workspaces, memberships } = deps
  const forms = createKeySetForms(deps)

  const list = async (visit: AdminVisit) => {
    const { request, text, organization, base } = visit
    const words = text.organization.keys
    const url = `${base}/keys`
    const { part, filter, ...shown } = listOf(visit, url, ['name', 'created_at'], {
      ...{ label: text.search.named, anchor: 'key-sets' },
      orders: ['created_at', '-created_at', 'name', '-name'],
    })
    const [page, names] = await Promise.all([
      keySets.list(organization.id, shown.ask()),
      workspaces.names(organization.id),
    ])
    const people = await memberships.names(page.items.flatMap((one) => one.createdBy ?? []))
    const byOf = ({ createdBy }: StoredKeySet) => people.get(createdBy ?? '') ?? null
    const isFull = doneOf(request) === 'too_many'
    return showPage(visit, 'keys', 'organization-keys', {
      withScript: true,
      title: words.title,
      action: addressOf(url, part),
      notice: isFull ? { words: words.tooMany, tone: 'bad' } : noticeOf(visit, words.done),
      newUrl: `${url}/new`,
      keySets: page.items.map((one) => keySetItem(visit, one, byOf(one), names, deps.now())),
      filter: page.items.length > 0 || part.after || !filter.isOpen ? filter : null,
      list: shown.links(page),
    })
  }

  const at = '/keys/:key_set_id'
  organizationKeyWorkloads(routes)
  get('/keys', list)
  get('/keys/new', pages.show(forms.create))
  get(at, pages.show(forms.change))
  get(`${at}/rotate`, pages.show(forms.rotate))
  get(`${at}/delete`, pages.show(forms.delete))
  get(`${at}/secrets/:secret_id/retire`, pages.show(forms.retire))

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
    return requested ? pages.send(requested)(visit) : leave(visit, `${visit.base}/keys`)
  })
}
