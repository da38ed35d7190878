import type { DemoApp } from '../seed.ts'
import type { Field, PlannedRequest } from './exchange.ts'
import { credentials, type Hint, type Scene } from './step.ts'

/** The newest refresh token of the app at hand; empty when there is none. */
export const newestToken = ({ track }: Scene) => track.tokens?.refresh_token ?? ''

/** A refresh as an app sends it, perhaps with more. */
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
 * Keeps a step from being done while there is nothing to refresh.
 * @param ended what is said when there was something
 * @param askAt where a person is asked
 */
export const withoutTokens =
  (ended: string, askAt: string) =>
  ({ track }: Scene): Hint | null =>
    track.tokens
      ? null
      : {
          text: track.ended ? ended : 'There is no refresh token yet.',
          link: { label: 'Ask a person first', href: askAt },
        }
