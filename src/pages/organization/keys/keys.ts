import type { FastifyInstance, FastifyReply } from 'fastify'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { Text } from '../../../words/text.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import { field, queried } from '../../rendering/forms/sent-values.ts'
import { addressOf, linksOf, readPart, searchOf } from '../../rendering/long-list.ts'
import { textOf } from '../../rendering/reader-text.ts'
import type { Notice } from '../../rendering/view-models/frame.ts'
import { createAdminForms } from '../form.ts'
import { type AdminVisit, createOrganizationGate } from '../gate.ts'
import { organizationTabs } from '../tabs.ts'
import { createKeySetForms, type KeySetFormDependencies, keySetOfVisit } from './forms.ts'
import { keySetItem } from './items.ts'
import { showSecret } from './secret.ts'
import { organizationKeyWorkloads } from './workloads.ts'

export type OrganizationKeysDependencies = KeySetFormDependencies & {
  /** Milliseconds since 1970. */
  now: () => number
}

const path = '/organizations/:id/keys'

const noticeOf = (text: Text, done: string): Notice | null => {
  const words = text.organization.keys
  if (done === 'too_many') return { words: words.tooMany, tone: 'bad' }
  if (done === 'outdated') return { words: text.organization.outdated, tone: 'plain' }
  const said: Record<string, string> = words.done
  return Object.hasOwn(said, done) ? { words: said[done] as string, tone: 'good' } : null
}

/** The pages on which admins create, change, rotate and delete key sets. */
export const organizationKeys = (scope: FastifyInstance, deps: OrganizationKeysDependencies) => {
  const { renderer, keySets, workspaces, memberships } = deps
  const asAdmin = createOrganizationGate(deps)
  const { show, send } = createAdminForms(deps)
  const forms = createKeySetForms(deps)

  const list = async ({ request, reply, session, organization, base }: AdminVisit) => {
    const text = textOf(request)
    const words = text.organization.keys
    const url = `${base}/keys`
    const part = { ...readPart(request), name: '' }
    const [page, names] = await Promise.all([
      keySets.list(organization.id, searchOf(part)),
      workspaces.names(organization.id),
    ])
    const people = await memberships.names(page.items.flatMap((one) => one.createdBy ?? []))
    const byOf = ({ createdBy }: StoredKeySet) =>
      createdBy === null ? null : (people.get(createdBy) ?? null)
    return renderer.page(
      request,
      reply,
      'organization-keys',
      { session, title: words.title },
      {
        ...organizationTabs(text, organization, 'keys'),
        action: addressOf(url, part),
        notice: noticeOf(text, queried(request, 'done')),
        newUrl: `${base}/keys/new`,
        keySets: page.items.map((one) =>
          keySetItem(text, deps.catalogue, one, byOf(one), base, names, deps.now()),
        ),
        list: linksOf(url, part, page),
      },
    )
  }

  const at = `${path}/:key_set_id`
  organizationKeyWorkloads(scope, deps)
  scope.get(path, asAdmin(list))
  scope.get(`${path}/new`, asAdmin(show(forms.create)))
  scope.get(at, asAdmin(show(forms.change)))
  scope.get(`${at}/rotate`, asAdmin(show(forms.rotate)))
  scope.get(`${at}/delete`, asAdmin(show(forms.delete)))
  scope.get(`${at}/secrets/:secret_id/retire`, asAdmin(show(forms.retire)))

  scope.get(
    `${at}/secret`,
    asAdmin(async (visit): Promise<FastifyReply> => {
      // Steps that can fail come first, because the secret can be shown only once.
      const keySet = await keySetOfVisit(keySets, visit)
      const name = queried(visit.request, 'handover')
      const made = await deps.oneTimeSecrets.take(name, deps.browser.sessionMark(visit.request))
      return showSecret(renderer, visit, keySet, made)
    }),
  )

  scope.post(
    path,
    asAdmin(async (visit) => {
      const decision = field(visit.request, 'decision')
      const form = Object.hasOwn(forms, decision) && forms[decision as keyof typeof forms]
      return form ? send(form)(visit) : leave(visit, `${visit.base}/keys`)
    }),
  )
}
