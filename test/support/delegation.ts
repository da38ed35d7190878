import { credentials, post } from './flows.ts'
import type { TestApp } from './world.ts'

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** Exchanges an access token for one of this app (RFC 8693 §2.1). */
export const delegate = (
  url: string,
  app: TestApp,
  token: string,
  more: Record<string, string | string[] | undefined> = {},
  headers: Record<string, string> = {},
) =>
  post(
    `${url}/api/oauth/token`,
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: accessTokenType,
      ...credentials(app),
      ...more,
    },
    headers,
  )
