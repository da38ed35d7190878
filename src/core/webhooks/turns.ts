/** Webhooks of the operator and of apps have slots of their own. */
export const webhookShares = ['operator', 'apps'] as const
export type WebhookShare = (typeof webhookShares)[number]

/** A webhook with due messages, or one of its running attempts. */
export interface WebhookTurn {
  webhookId: string
  /** The first owner of the app, or the app without one. Each webhook of the operator is an owner of its own. */
  owner: string
  /** Its last attempt on any instance failed, as far as the store knows. */
  isFailing?: boolean
}

/** Attempts that run at once on one instance, for each share. */
const slots: Record<WebhookShare, number> = { operator: 12, apps: 32 }
/** A receiver that has accepted its last message gets some at once; any other one gets one at a time. */
const mostOfWebhook = { accepting: 4, other: 1 }
const mostOfOwner = { accepting: 4, other: 2 }
/** Attempts at receivers that failed the last time: a part of the slots. */
const mostFailing = (share: WebhookShare) => slots[share] / 4

export const isFull = (share: WebhookShare, running: readonly WebhookTurn[]) =>
  running.length >= slots[share]

/**
 * Chooses the webhook of the next attempt: one of the owner with the fewest running attempts, so that a slow receiver
 * delays its owner's messages only.
 * @param waiting the ones that wait longest first
 * @param last the result of the last attempt of each webhook on this instance
 * @returns null when no webhook may have an attempt now
 */
export const nextTurn = (
  share: WebhookShare,
  waiting: readonly WebhookTurn[],
  running: readonly WebhookTurn[],
  last: ReadonlyMap<string, 'accepted' | 'failed'>,
): WebhookTurn | null => {
  if (isFull(share, running)) return null
  const countOf = (isCounted: (one: WebhookTurn) => boolean) => running.filter(isCounted).length
  const failing = countOf(({ webhookId }) => last.get(webhookId) === 'failed')
  let next: { turn: WebhookTurn; ofOwner: number } | null = null
  for (const turn of waiting) {
    const result = last.get(turn.webhookId)
    const kind = result === 'accepted' ? 'accepting' : 'other'
    if (result === 'failed' && failing >= mostFailing(share)) continue
    const ofOwner = countOf(({ owner }) => owner === turn.owner)
    const ofWebhook = countOf(({ webhookId }) => webhookId === turn.webhookId)
    if (ofOwner >= mostOfOwner[kind] || ofWebhook >= mostOfWebhook[kind]) continue
    if (next === null || ofOwner < next.ofOwner) next = { turn, ofOwner }
  }
  return next?.turn ?? null
}
