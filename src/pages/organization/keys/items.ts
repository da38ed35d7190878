import { workloadName } from '../../../core/clients/workloads.ts'
import type { KeySetSecret, StoredKeySet } from '../../../core/organizations/key-set.ts'
import { type SecretStanding, secretStanding } from '../../../core/organizations/secret-life.ts'
import type { WorkspaceName } from '../../../core/organizations/workspaces.ts'
import type { Text } from '../../../words/text.ts'
import { describePermissions } from '../../rendering/permission-list.ts'
import { momentOf } from '../../rendering/render.ts'
import { namesWithin } from '../apps/items.ts'
import type { AdminVisit } from '../gate.ts'

const standingItem = (text: Text, standing: SecretStanding) => {
  const { standings } = text.organization.keys.secret
  const at = (date: Date) => text.organization.moment(date)
  switch (standing.kind) {
    case 'only':
    case 'newest':
      return { words: standings[standing.kind], tone: 'good' }
    case 'waiting':
      return { words: standings.waiting, tone: 'warn' }
    case 'in_use':
      return { words: standings.inUse(at(standing.lastUsedAt)), tone: 'warn' }
    case 'resting':
      return { words: standings.resting(at(standing.lastUsedAt)), tone: 'warn' }
    case 'replaced': {
      const { lastUsedAt } = standing
      return { words: standings.replaced(lastUsedAt && at(lastUsedAt)), tone: 'plain' }
    }
    case 'unused':
      return { words: standings.unused(standing.days, standing.everUsed), tone: 'plain' }
  }
}

const secretItem = (
  text: Text,
  secret: KeySetSecret,
  active: readonly KeySetSecret[],
  keySetUrl: string,
  now: number,
) => ({
  hint: secret.hint,
  created: momentOf(text, secret.createdAt),
  lastUsed: secret.lastUsedAt && momentOf(text, secret.lastUsedAt),
  until: secret.expiresAt && momentOf(text, secret.expiresAt, 'moment'),
  standing: standingItem(text, secretStanding(secret, active, now)),
  /** Set when the secret is known to have signed tokens without expiry. */
  endless:
    secret.endlessTokenSeenAt &&
    text.organization.keys.secret.standings.endless(text.day(secret.endlessTokenSeenAt)),
  retireUrl: `${keySetUrl}/secrets/${encodeURIComponent(secret.id)}/retire`,
})

export const keySetUrl = (base: string, id: string): string =>
  `${base}/keys/${encodeURIComponent(id)}`

/** A key set as its card shows it. @param now milliseconds since 1970 */
export const keySetItem = (
  visit: AdminVisit,
  keySet: StoredKeySet,
  createdBy: string | null,
  workspaces: readonly WorkspaceName[],
  now: number,
) => {
  const { text, base } = visit
  const words = text.organization.keys
  const { id, name, description, clientId, secrets, interface: api } = keySet
  const url = keySetUrl(base, id)
  return {
    ...{ id, name, description, clientId },
    interfaceName: words.interfaces[api],
    idLabel: words.ids[api],
    permissionGroups: describePermissions(visit, api, keySet.permissions),
    workspaces: namesWithin(api, keySet.workspaceIds, workspaces),
    workloads: keySet.workloads.map(workloadName),
    createdBy,
    created: momentOf(text, keySet.createdAt),
    secrets: secrets.map((secret) => secretItem(text, secret, secrets, url, now)),
    editUrl: url,
    activityUrl: `${base}/activity?client_id=${encodeURIComponent(clientId)}`,
    workloadsUrl: api === 'current' ? `${url}/workloads` : null,
    rotateUrl: `${url}/rotate`,
    deleteUrl: `${url}/delete`,
  }
}
