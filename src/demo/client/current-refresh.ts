import type { Field } from './exchange.ts'
import { newestToken as newest, refreshRequest, withoutTokens } from './refreshing.ts'
import { type Scene, type SendStep, succeeded } from './step.ts'

/** A refresh as the app sends it, perhaps narrower, perhaps with another token. */
const refreshWith = (scene: Scene, label: string, token: string, more: Field[] = []) => {
  const request = { label, url: `${scene.issuer}/api/oauth/token`, token }
  return refreshRequest(request, scene.seeded.apps.reportBuilder, more)
}

const nothingToRefresh = withoutTokens(
  'This family of tokens has ended, so there is no refresh token any more.',
  '/current/authorize',
)

const again = [
  'The refresh token was refused: the family has ended. A person has to be asked again.',
]

export const refresh: SendStep = {
  kind: 'send',
  id: 'refresh',
  short: 'Refresh',
  title: 'Get the next pair of tokens',
  lead: 'When the access token has run out, or before, the app trades the refresh token for a new pair. No person is needed for that.',
  button: 'Refresh',
  blocked: nothingToRefresh,
  plan: (scene) => [refreshWith(scene, 'Refresh', newest(scene))],
  lesson: (exchanges) =>
    succeeded(exchanges)
      ? [
          'Both tokens are new. The old refresh token is worthless from this moment on, to everyone.',
          'The server looked at everything again: membership, install, consent. What was taken away since is gone from the new token.',
        ]
      : again,
  tries: (scene) => [
    {
      text: 'As Kim, take a workspace away from the app, then refresh again.',
      link: { label: 'Latchkey', href: scene.issuer },
    },
  ],
}

export const fewerPermissions: SendStep = {
  kind: 'send',
  id: 'fewer-permissions',
  short: 'Ask for fewer permissions',
  title: 'A token with fewer permissions',
  lead: 'An app can take less than it may have, for one job or for a part of itself that it trusts less. Only the access token is narrower; the refresh token keeps everything.',
  button: 'Refresh with a scope',
  blocked: (scene) => {
    const missing = nothingToRefresh(scene)
    if (missing || scene.track.granted?.permissions.length !== 0) return missing
    return {
      text: 'You granted no permission beyond reading, so there is nothing to leave out.',
      link: { label: 'Ask again', href: '/current/authorize' },
    }
  },
  plan: (scene) => [
    refreshWith(scene, 'Refresh, with less', newest(scene), [
      {
        name: 'scope',
        value: scene.track.granted?.permissions[0] ?? '',
        note: 'only this permission; several are separated by spaces',
      },
    ]),
  ],
  lesson: (exchanges) =>
    succeeded(exchanges)
      ? ['The token has one permission. The next refresh without a scope gives all of them again.']
      : again,
}

export const fewerWorkspaces: SendStep = {
  kind: 'send',
  id: 'fewer-workspaces',
  short: 'Ask for fewer workspaces',
  title: 'A token for one workspace',
  lead: 'The same for places: a token that is only good in one workspace does less harm when it is lost.',
  button: 'Refresh with workspace_ids',
  blocked: (scene) => {
    const missing = nothingToRefresh(scene)
    if (missing || scene.track.granted?.workspaceIds.length !== 0) return missing
    return {
      text: 'The token reaches no workspace, so there is nothing to leave out.',
      link: { label: 'Ask again', href: '/current/authorize' },
    }
  },
  plan: (scene) => {
    const id = scene.track.granted?.workspaceIds[0] ?? ''
    return [
      refreshWith(scene, 'Refresh, for one workspace', newest(scene), [
        { name: 'workspace_ids', value: id, note: `${scene.seeded.names.get(id) ?? id} alone` },
      ]),
    ]
  },
  lesson: (exchanges) =>
    succeeded(exchanges) ? ['The token is good in that workspace and nowhere else.'] : again,
}

export const tooMuch: SendStep = {
  kind: 'send',
  id: 'too-much',
  short: 'Ask for too much',
  title: 'Ask for more than was approved',
  lead: 'Nobody approved that Report Builder deletes records. It asks anyway, then it behaves and sends the same refresh token again.',
  button: 'Ask for too much, then behave',
  blocked: nothingToRefresh,
  plan: (scene) => [
    refreshWith(scene, '1. Too much', newest(scene), [
      { name: 'scope', value: 'records:delete', note: 'never approved' },
    ]),
    refreshWith(scene, '2. The same refresh token, without it', newest(scene)),
  ],
  lesson: (exchanges) =>
    exchanges[0]?.json.error === 'invalid_scope' && succeeded(exchanges, 1)
      ? [
          'The first request was refused with invalid_scope, and nothing was consumed: the same refresh token worked right after it.',
          'A mistake costs an app nothing. Only a replay does: that is the next step.',
        ]
      : again,
}

export const replay: SendStep = {
  kind: 'send',
  id: 'replay',
  short: 'Use an old refresh token',
  title: 'Somebody uses an old refresh token',
  lead: 'If a spent refresh token turns up, there are two copies: one with the app, one with a thief. The server cannot know which is which, so it ends the whole family.',
  button: 'Replay the old token, then use the newest',
  blocked: (scene) => {
    const missing = nothingToRefresh(scene)
    if (missing || scene.track.spent.length > 0) return missing
    return {
      text: 'No refresh token has been spent yet, so there is no old one.',
      link: { label: 'Refresh once', href: '/current/refresh' },
    }
  },
  plan: (scene) => [
    refreshWith(scene, '1. A refresh token that was spent before', scene.track.spent.at(-1) ?? ''),
    refreshWith(scene, '2. The newest one, which was good until now', newest(scene)),
  ],
  lesson: (exchanges) =>
    exchanges.every(({ json }) => json.error === 'invalid_grant')
      ? [
          'Both are refused with the same words: the first because it was spent, the second because its family has just ended.',
          'The thief has nothing, and the app starts over with the person. The event is in the audit trail as grant.reuse_detected.',
        ]
      : ['The newest refresh token still works: this app has a retry window.'],
  tries: () => [
    {
      text: 'Start over with a person.',
      link: { label: 'Ask a person', href: '/current/authorize' },
    },
  ],
}
