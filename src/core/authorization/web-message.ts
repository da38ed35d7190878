import { isLoopback, originOf } from '../clients/redirect-uri.ts'
import { OAuthError } from '../language/errors.ts'

/** The recipient of a posted response (draft-sakimura-oauth-wmrm): an origin, not a full URI. */
export interface WebMessageTarget {
  /** Origin of the redirect URI. No page of another origin can read the response. */
  origin: string
  /** Origin of the platform page that has the app in a frame and sends the request; null: the app's own page. */
  platform: string | null
}

/**
 * The recipient of a response with `response_mode=web_message`.
 * @param platform `platform_origin` of the request; undefined: not sent
 * @param platforms origins that the operator has configured
 * @returns null without a valid recipient: the redirect URI has no web origin, or the platform is unknown
 */
export const webMessageTarget = (
  redirectUri: string,
  platform: string | undefined,
  platforms: readonly string[],
): WebMessageTarget | null => {
  const origin = originOf(redirectUri)
  if (origin === null) return null
  if (platform === undefined) return { origin, platform: null }
  return platforms.includes(platform) ? { origin, platform } : null
}

/** Check first: without a valid recipient not even an error may be posted. This server shows an error page instead. */
export const noRecipient = () =>
  new OAuthError('invalid_request', 'there is no valid page to post the response to', {
    reason: 'web_message_recipient',
  })

/**
 * The same for a request that is about to be answered. The redirect URI must be registered byte for byte, port
 * included, because only its origin identifies the recipient.
 * @throws OAuthError invalid_request, for an error page and not for the app
 */
export const registeredTarget = (
  registered: readonly string[],
  redirectUri: string,
  platform: string | undefined,
  platforms: readonly string[],
): WebMessageTarget => {
  const target = registered.includes(redirectUri)
    ? webMessageTarget(redirectUri, platform, platforms)
    : null
  if (!target) throw noRecipient()
  return target
}

/** The only origin that may embed the response page in a frame. */
export const frameAncestor = ({ origin, platform }: WebMessageTarget): string => platform ?? origin

// CSP3 §2.3.1, `host-source` without wildcards. Content Security Policy has no notation for IPv6.
const hostSource = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/

/** Is this a valid origin of a platform page? https, or http on this machine, in the browser's spelling. */
export const isPlatformOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.origin !== text || !hostSource.test(text)) return false
  return url.protocol === 'https:' || isLoopback(url)
}
