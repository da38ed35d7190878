import type { FastifyReply } from 'fastify'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { CreatedKeySetSecret } from '../../../core/organizations/key-set-secrets.ts'
import { secretPart } from '../../rendering/forms/secret-page.ts'
import { clientFile } from '../../rendering/secret-file.ts'
import { showParts } from '../frame.ts'
import type { AdminVisit } from '../gate.ts'

/** Shows a new secret once, and answers 410 to every later request. */
export const showSecret = (
  visit: AdminVisit,
  keySet: StoredKeySet,
  made: CreatedKeySetSecret | null,
): Promise<FastifyReply> => {
  const words = visit.text.organization
  const said = words.secret
  const backUrl = `${visit.base}/keys`
  const secret = made?.keySetId === keySet.id && {
    heading: said.heading(keySet.name),
    shown: {
      idLabel: words.keys.ids[keySet.interface],
      clientId: keySet.clientId,
      secretLabel: said.labels[keySet.interface],
      secret: made.secret,
      ...clientFile(keySet, made.secret),
      usage: said.usage[keySet.interface],
    },
    lost: said.lost,
    others: keySet.secrets.flatMap(({ id, hint, expiresAt }) =>
      id === made.secretId || expiresAt === null ? [] : [said.ends(hint, words.moment(expiresAt))],
    ),
    backUrl,
  }
  const part = secretPart(secret || null, said, backUrl)
  return showParts(visit, 'keys', { title: said.title, ...part })
}
