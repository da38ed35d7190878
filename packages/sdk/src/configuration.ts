import type { AuthorizationParameters } from './protocol.ts'

/** The answer of `/sdk/v1/configuration` for an app. */
export interface AppConfiguration {
  platform_origins: string[]
  client_id: string
  interface: 'legacy' | 'current'
  client_type: 'confidential' | 'public'
  authorization_endpoint: string
  /** null: the access token comes with the answer (legacy). */
  token_endpoint: string | null
  /** The redirect URI with this page's origin; null when the app has none. */
  redirect_uri: string | null
}

/** Without an app it contains only the trusted platform origins. */
export type Configuration = Pick<AppConfiguration, 'platform_origins'> & Partial<AppConfiguration>

export const longestWait = 15_000 // ms for one request

/** @returns null when the server does not know the app; @throws when it cannot be reached */
export const readConfiguration = async (
  issuer: string,
  appId: string | null,
): Promise<Configuration | null> => {
  const url = new URL(`${issuer.replace(/\/+$/, '')}/sdk/v1/configuration`)
  if (appId !== null) url.searchParams.set('client_id', appId)
  const response = await fetch(url, {
    credentials: 'omit',
    signal: AbortSignal.timeout(longestWait),
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`${response.status}`)
  return response.json()
}

/** The address of an authorization request whose answer is a web message, in a frame of `platform`. */
export const authorizationUrl = (
  app: AppConfiguration,
  parameters: AuthorizationParameters,
  context: { platform: string; isSilent: boolean },
): string => {
  const url = new URL(app.authorization_endpoint)
  const all = {
    client_id: app.client_id,
    response_type: app.token_endpoint === null ? 'token' : 'code',
    response_mode: 'web_message',
    platform_origin: context.platform,
    ...parameters,
    ...(context.isSilent && { prompt: 'none' }),
  }
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
