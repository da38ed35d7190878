import type { FastifyInstance, FastifyReply } from 'fastify'
import { versionOf } from '../../../core/language/edit-conflict.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { Memberships } from '../../../core/organizations/memberships.ts'
import type { Text } from '../../../words/text.ts'
import { queried } from '../rendering/forms.ts'
import { addressOf, linksOf, readPart, searchOf } from '../rendering/long-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Notice } from '../rendering/view-models.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
} from './organization-gate.ts'
import { createKeyDecisions, type KeyDecisionDependencies } from './organization-key-decisions.ts'
import {
  carriedFields,
  createKeySetForm,
  fieldsOf,
  type KeySetFormDependencies,
} from './organization-key-form.ts'
import { keySetItem } from './organization-key-items.ts'
import { showSecret } from './organization-key-secret.ts'
import { keySetOfVisit, organizationKeyStops } from './organization-key-stops.ts'
import { organizationKeyWorkloads } from './organization-key-workloads.ts'
import { organizationTabs } from './organization-tabs.ts'

export type OrganizationKeysDependencies = KeyDecisionDependencies &
  OrganizationGateDependencies &
  KeySetFormDependencies & {
    memberships: Pick<Memberships, 'names'>
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
  const form = createKeySetForm(deps)
  const decide = createKeyDecisions(deps, form)

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

  organizationKeyStops(scope, deps)
  organizationKeyWorkloads(scope, deps)
  scope.get(path, asAdmin(list))

  scope.get(
    `${path}/new`,
    asAdmin((visit) => {
      const api = queried(visit.request, 'interface') === 'legacy' ? 'legacy' : 'current'
      return form(visit, { interface: api, keySetId: null }, carriedFields(visit.request))
    }),
  )

  scope.get(
    `${path}/:key_set_id`,
    asAdmin(async (visit) => {
      const keySet = await keySetOfVisit(keySets, visit)
      const about = { interface: keySet.interface, keySetId: keySet.id, version: versionOf(keySet) }
      return form(visit, about, fieldsOf(keySet))
    }),
  )

  scope.get(
    `${path}/:key_set_id/secret`,
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
      const outcome = await decide(visit)
      if (typeof outcome === 'function') return outcome()
      return visit.reply.header('cache-control', 'no-store').redirect(outcome, 303)
    }),
  )
}
