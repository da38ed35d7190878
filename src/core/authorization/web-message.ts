import { isLoopback, originOf } from '../clients/redirect-uri.ts'
import { OAuthError } from '../language/errors.ts'

/** Where an answer is posted to (draft-sakimura-oauth-wmrm): an origin, never an address. */
export interface WebMessageTarget {
  /** Of the redirect URI. No page of another origin can read the answer. */
  origin: string
  /** Of the platform page that has the app in a frame and asks for it; null: the app's own page asks. */
  platform: string | null
}

/**
 * Where the answer of a request with `response_mode=web_message` goes.
 * @param platform `platform_origin` of the request; undefined: not sent
 * @param platforms the origins that the operator has named
 * @returns null when there is nobody to post to: the redirect URI has no web origin, or the platform is unknown
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

/** Nothing is sent to anybody: the error is shown where it happened. */
export const noRecipient = () =>
  new OAuthError('invalid_request', 'there is no page that the answer could be posted to', {
    reason: 'web_message_recipient',
  })

/**
 * The same for a request that is about to be answered: its redirect URI is registered byte for byte, port included,
 * because the origin is all that names the recipient.
 * @throws OAuthError invalid_request, not for the app but for a page of ours
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

/** The one page that may have the answer in a frame. */
export const frameAncestor = ({ origin, platform }: WebMessageTarget): string => platform ?? origin

// CSP3 §2.3.1, `host-source` without its wildcards: Content Security Policy has no notation for IPv6.
const hostSource = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/

/** Can this be the origin of a platform page? https, or http on this machine; as a browser writes it. */
export const isPlatformOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.origin !== text || !hostSource.test(text)) return false
  return url.protocol === 'https:' || isLoopback(url) || url.hostname === 'localhost'
}
