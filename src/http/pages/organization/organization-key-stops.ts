import type { FastifyInstance } from 'fastify'
import { mostSecrets } from '../../../core/clients/app.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { found, NotFound } from '../../../core/language/service-errors.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { KeySets } from '../../../core/organizations/key-sets.ts'
import type { Text } from '../../../words/text.ts'
import type { KeySetRotatePage } from '../rendering/organization-view-models.ts'
import { textOf } from '../rendering/reader-text.ts'
import { showConfirmation } from './confirmation.ts'
import {
  type AdminVisit,
  createOrganizationGate,
  type OrganizationGateDependencies,
  parameter,
} from './organization-gate.ts'
import { overlaps } from './organization-key-items.ts'
import { organizationTabs } from './organization-tabs.ts'

export type KeySetPageDependencies = OrganizationGateDependencies & { keySets: KeySets }

const path = '/organizations/:id/keys/:key_set_id'

/** The key set that the address names. @throws NotFound */
export const keySetOfVisit = async (
  keySets: Pick<KeySets, 'read'>,
  { request, organization }: AdminVisit,
): Promise<StoredKeySet> => {
  const id = parameter(request, 'key_set_id')
  if (!isIdShaped(id)) throw new NotFound('key set')
  return keySets.read(organization.id, id)
}

/** How long the secret in use may work beside a new one. A day is chosen; its end at once never is. */
const overlapsOf = (
  text: Text,
  { secrets }: StoredKeySet,
): Pick<KeySetRotatePage, 'overlaps' | 'obstacle'> => {
  const words = text.organization.keyRotate
  const isFull = secrets.length >= mostSecrets
  const names = (['hour', 'day', 'week', 'month', 'now'] as const).filter(
    (name) => name === 'now' || !isFull,
  )
  if (secrets.length === 0) return { overlaps: [], obstacle: words.none }
  return {
    overlaps: names.map((name) => ({
      seconds: overlaps[name],
      ...words.overlaps[name],
      isDefault: name === 'day',
    })),
    obstacle: isFull ? words.full : null,
  }
}

/** The pages that ask before a secret is rotated or retired, and before a key set is deleted. */
export const organizationKeyStops = (scope: FastifyInstance, deps: KeySetPageDependencies) => {
  const { renderer, keySets } = deps
  const asAdmin = createOrganizationGate(deps)

  scope.get(
    `${path}/rotate`,
    asAdmin(async (visit) => {
      const { request, reply, session, organization, base } = visit
      const text = textOf(request)
      const keySet = await keySetOfVisit(keySets, visit)
      return renderer.page(
        request,
        reply,
        'key-set-rotate',
        { session, title: text.organization.keyRotate.title },
        {
          ...organizationTabs(text, organization, 'keys'),
          ...overlapsOf(text, keySet),
          action: `${base}/keys`,
          backUrl: `${base}/keys`,
          notice: null,
          keySetId: keySet.id,
          name: keySet.name,
        },
      )
    }),
  )

  const formOf = ({ base }: AdminVisit, { id }: StoredKeySet) =>
    ({
      tab: 'keys',
      fields: { key_set_id: id },
      action: `${base}/keys`,
      backUrl: `${base}/keys`,
    }) as const

  scope.get(
    `${path}/delete`,
    asAdmin(async (visit) => {
      const keySet = await keySetOfVisit(keySets, visit)
      const words = textOf(visit.request).organization.keyStop.remove
      return showConfirmation(renderer, visit, {
        ...formOf(visit, keySet),
        title: words.title,
        heading: words.heading(keySet.name),
        points: [[words.atOnce], [words.forGood]],
        confirm: words.confirm(keySet.name),
        decision: 'delete',
      })
    }),
  )

  scope.get(
    `${path}/secrets/:secret_id/retire`,
    asAdmin(async (visit) => {
      const keySet = await keySetOfVisit(keySets, visit)
      const id = parameter(visit.request, 'secret_id')
      const secret = found(keySet.secrets.find((one) => one.id === id) ?? null, 'secret')
      const words = textOf(visit.request).organization.keyStop.retire
      const form = formOf(visit, keySet)
      return showConfirmation(renderer, visit, {
        ...form,
        title: words.title,
        heading: words.heading(secret.hint, keySet.name),
        points: [[keySet.secrets.length === 1 ? words.only : words.atOnce]],
        confirm: [words.confirm],
        decision: 'retire',
        fields: { ...form.fields, secret_id: secret.id },
      })
    }),
  )
}
