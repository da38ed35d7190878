import type { FastifyReply } from 'fastify'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { CreatedKeySetSecret } from '../../../core/organizations/key-set-secrets.ts'
import type { Text } from '../../../words/text.ts'
import type { KeySetSecretPage } from '../rendering/organization-view-models.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { secretFile } from '../rendering/secret-file.ts'
import type { AdminVisit } from './organization-gate.ts'
import { organizationTabs } from './organization-tabs.ts'

const shownOf = (
  { organization: words }: Text,
  keySet: StoredKeySet,
  secret: string,
): KeySetSecretPage['shown'] => ({
  idLabel: words.keys.ids[keySet.interface],
  clientId: keySet.clientId,
  secretLabel: words.secret.labels[keySet.interface],
  secret,
  ...secretFile(keySet, secret),
  usage: words.secret.usage[keySet.interface],
})

/** Shows a new secret once, and answers 410 to every later request. */
export const showSecret = (
  renderer: Renderer,
  { request, reply, session, organization, base }: AdminVisit,
  keySet: StoredKeySet,
  made: CreatedKeySetSecret | null,
): Promise<FastifyReply> => {
  const text = textOf(request)
  const words = text.organization
  const isShown = made !== null && made.keySetId === keySet.id
  const others = keySet.secrets.filter((one) => one.id !== made?.secretId && one.expiresAt !== null)
  return renderer.page(
    request,
    reply,
    'key-set-secret',
    { session, title: words.secret.title, ...(isShown ? { withScript: true } : { status: 410 }) },
    {
      ...organizationTabs(text, organization, 'keys'),
      action: `${base}/keys`,
      backUrl: `${base}/keys`,
      notice: null,
      keySetName: keySet.name,
      shown: isShown ? shownOf(text, keySet, made.secret) : null,
      others: isShown
        ? others.map(({ hint, expiresAt }) =>
            words.secret.ends(hint, words.moment(expiresAt as Date)),
          )
        : [],
    },
  )
}
