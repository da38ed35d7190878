import type { Field } from './exchange.ts'
import { newestToken as newest, refreshRequest, withoutTokens } from './refreshing.ts'
import { type Scene, type SendStep, succeeded } from './step.ts'

/** A refresh of the app, optionally narrower or with another token. */
const refreshWith = (scene: Scene, label: string, token: string, more: Field[] = []) => {
  const request = { label, url: `${scene.issuer}/api/oauth/token`, token }
  return refreshRequest(request, scene.seeded.apps.reportBuilder, more)
}

const nothingToRefresh = withoutTokens(
  'This token family was revoked, so there is no refresh token.',
  '/current/authorize',
)

const again = [
  'The refresh token was refused because the family was revoked. The user has to be asked again.',
]

export const refresh: SendStep = {
  kind: 'send',
  id: 'refresh',
  short: 'Refresh',
  title: 'Get the next pair of tokens',
  lead: 'When the access token expires, or earlier, the app exchanges the refresh token for a new pair. This needs no user.',
  button: 'Refresh',
  blocked: nothingToRefresh,
  plan: (scene) => [refreshWith(scene, 'Refresh', newest(scene))],
  lesson: (exchanges) =>
    succeeded(exchanges)
      ? [
          'Both tokens are new. The old refresh token is invalid from now on.',
          'The server checked everything again: membership, install, consent. The new token no longer has what was removed since.',
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
  lead: 'An app can request less than it may have, for one job or for a less trusted part of it. Only the access token is narrower. The refresh token keeps everything.',
  button: 'Refresh with a scope',
  blocked: (scene) => {
    const missing = nothingToRefresh(scene)
    if (missing || scene.track.granted?.permissions.length !== 0) return missing
    return {
      text: 'You granted only reading, so there is nothing to leave out.',
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
      ? [
          'The token has one permission. The next refresh without a scope returns all of them again.',
        ]
      : again,
}

export const fewerWorkspaces: SendStep = {
  kind: 'send',
  id: 'fewer-workspaces',
  short: 'Ask for fewer workspaces',
  title: 'A token for one workspace',
  lead: 'The same for workspaces: a token for a single workspace does less harm when it leaks.',
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
    succeeded(exchanges) ? ['The token is valid in that workspace only.'] : again,
}

export const tooMuch: SendStep = {
  kind: 'send',
  id: 'too-much',
  short: 'Ask for too much',
  title: 'Ask for more than was approved',
  lead: 'Acme has not approved that Report Builder reads documents. It requests that anyway, and then sends the same refresh token without the excess.',
  button: 'Ask for too much, then behave',
  blocked: nothingToRefresh,
  plan: (scene) => [
    refreshWith(scene, '1. Too much', newest(scene), [
      { name: 'scope', value: 'documents:read', note: 'never approved' },
    ]),
    refreshWith(scene, '2. The same refresh token, without it', newest(scene)),
  ],
  lesson: (exchanges) =>
    exchanges[0]?.json.error === 'invalid_scope' && succeeded(exchanges, 1)
      ? [
          'The first request was refused with invalid_scope, and the refresh token was not consumed: it worked right after it.',
          'A mistake has no consequences. Only a replay has, as the next step shows.',
        ]
      : again,
}

export const replay: SendStep = {
  kind: 'send',
  id: 'replay',
  short: 'Use an old refresh token',
  title: 'An old refresh token is used again',
  lead: 'When a consumed refresh token is used again, there are two copies: one with the app and one with a thief. The server cannot distinguish them, so it revokes the whole family.',
  button: 'Replay the old token, then use the newest',
  blocked: (scene) => {
    const missing = nothingToRefresh(scene)
    if (missing || scene.track.spent.length > 0) return missing
    return {
      text: 'No refresh token was consumed yet, so there is no old one.',
      link: { label: 'Refresh once', href: '/current/refresh' },
    }
  },
  plan: (scene) => [
    refreshWith(
      scene,
      '1. A refresh token that was consumed before',
      scene.track.spent.at(-1) ?? '',
    ),
    refreshWith(scene, '2. The newest one, which was valid until now', newest(scene)),
  ],
  lesson: (exchanges) =>
    exchanges.every(({ json }) => json.error === 'invalid_grant')
      ? [
          'Both are refused with the same answer: the first because it was consumed, the second because its family was just revoked.',
          'The thief has nothing, and the app asks the user again. The event is in the audit trail as grant.reuse_detected.',
        ]
      : ['The newest refresh token still works: this app has a retry window.'],
  tries: () => [
    {
      text: 'Start again with a user.',
      link: { label: 'Ask a user', href: '/current/authorize' },
    },
  ],
}
