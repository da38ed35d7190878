import type { DemoApp } from '../seed.ts'
import type { Field, PlannedRequest } from './exchange.ts'
import { credentials, type Hint, type Scene } from './step.ts'

/** The newest refresh token of the current app; empty when there is none. */
export const newestToken = ({ track }: Scene) => track.tokens?.refresh_token ?? ''

/** A refresh of an app, optionally with more parameters. */
export const refreshRequest = (
  request: { label: string; url: string; token: string },
  app: DemoApp,
  more: Field[],
): PlannedRequest => ({
  label: request.label,
  url: request.url,
  form: [
    { name: 'grant_type', value: 'refresh_token', note: 'a new pair for this refresh token' },
    { name: 'refresh_token', value: request.token },
    ...more,
    ...credentials(app),
  ],
})

/**
 * Blocks a step while there is nothing to refresh.
 * @param ended the text when the family was revoked
 * @param askAt the page where the user is asked
 */
export const withoutTokens =
  (ended: string, askAt: string) =>
  ({ track }: Scene): Hint | null =>
    track.tokens
      ? null
      : {
          text: track.ended ? ended : 'There is no refresh token yet.',
          link: { label: 'Ask a user first', href: askAt },
        }
