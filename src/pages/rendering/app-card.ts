// An app as pages show it.
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import { isUnclaimed } from '../../core/clients/redirect-uri.ts'
import { withoutHidden } from '../../core/language/display-text.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { logoPath } from './logos.ts'

/** Describes the redirect target in a form that people can check. */
export const returnsTo = (text: Text, redirectUri: string): Phrase => {
  const { protocol, host } = new URL(redirectUri)
  const { returns, returnsHere } = text.decision
  if (!/^https?:$/.test(protocol)) return returnsHere(protocol.slice(0, -1))
  return returns(isUnclaimed(redirectUri) ? text.app.thisComputer(host) : host)
}

/** The first character as people see it: an accent belongs to its letter, and a flag has two code points. */
export const monogramOf = (name: string) =>
  new Intl.Segmenter().segment(withoutHidden(name).trim()).containing(0)?.segment.toUpperCase() ??
  '?'

/** Hosts that certainly belong to the app: that of its document, or those that its codes are sent to. */
const ownHosts = ({ clientId, redirectUris }: App) =>
  (clientId.startsWith('https://')
    ? [clientId]
    : redirectUris.filter((uri) => !isUnclaimed(uri))
  ).map((uri) => new URL(uri).host)

/** A link to the privacy policy or the terms. `host`: null where the app is known to be on it. */
const legalLink = (app: App, uri: string | null) => {
  if (uri === null) return null
  const { host } = new URL(uri)
  return { uri, host: ownHosts(app).includes(host) ? null : host }
}

/**
 * The app as every page of an interaction shows it.
 * The server has checked that `homepageUri` and `location` are `https:` or `http:`.
 * @param redirectUri where the answer goes; null for a device, which the page describes itself
 */
export const cardOf = (app: App, redirectUri: string | null = app.redirectUris[0] as string) => ({
  name: app.name,
  monogram: monogramOf(app.name),
  /** Path of the logo on this server; null: the monogram is shown. */
  logo: logoPath(app.logoDigest),
  homepageUri: app.homepageUri,
  legal: { policy: legalLink(app, app.policyUri), terms: legalLink(app, app.tosUri) },
  publisher: app.publisher,
  location: app.location === null ? null : { uri: app.location, host: new URL(app.location).host },
  kind: app.kind,
  description: app.description,
  /** The operator has reviewed the app, and the request certainly comes from it. */
  isReviewed: app.reviewed && isRecognised(app, redirectUri),
  /**
   * Another program on the user's device may receive the answer in place of the app. The page for devices says this
   * itself.
   */
  isUnclaimed: redirectUri !== null && !isRecognised(app, redirectUri),
})

/**
 * A public app is recognised only by a claimed https redirect URI. Any program on a device can impersonate it on other
 * redirect URIs or with a device code.
 */
const isRecognised = (app: App, redirectUri: string | null) =>
  app.clientType === 'confidential' || (redirectUri !== null && !isUnclaimed(redirectUri))

export const requestingAppCard = (
  app: App,
  { device, redirectUri }: Pick<AuthorizationRequest, 'device' | 'redirectUri'>,
) => cardOf(app, device || redirectUri === '' ? null : redirectUri)
