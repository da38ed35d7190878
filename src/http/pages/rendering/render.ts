import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../../core/authorization/requests.ts'
import type { App } from '../../../core/clients/app.ts'
import { formActionSources, isUnclaimed } from '../../../core/clients/redirect-uri.ts'
import { withoutHidden } from '../../../core/language/display-text.ts'
import type { OAuthError } from '../../../core/language/errors.ts'
import type { Person } from '../../../core/people/person.ts'
import type { SecurityNotices } from '../../../core/people/security-notices.ts'
import type { Session } from '../../../core/people/sessions.ts'
import { logRefusal } from '../../oauth/oauth-errors.ts'
import type { Phrase } from '../en/phrase.ts'
import type { ActivityPage } from './activity-view-models.ts'
import { pageOfForm } from './forms.ts'
import type { OrganizationInspectPage } from './inspector-view-models.ts'
import { noticeWords } from './notices.ts'
import type { OrganizationPages } from './organization-view-models.ts'
import { text } from './text.ts'
import type {
  AppCard,
  Brand,
  DocumentPage,
  ErrorPage,
  Moment,
  Page,
  Pages as PersonalPages,
} from './view-models.ts'

/** Every template and what it needs. */
type Pages = PersonalPages &
  OrganizationPages & {
    'organization-activity': ActivityPage
    'organization-inspect': OrganizationInspectPage
  }

/**
 * Images: our own, and the logo that the operator has given the whole server. An app's is on the app's host, which would
 * learn who is asked to allow it. Scripts: none, save our own where a page asks for it. Forms: to ourselves, and by the scheme of the validated
 * redirect of this page.
 */
const contentSecurityPolicy = (
  brandLogo: string | null,
  redirectUri: string | undefined,
  withScript: boolean,
) =>
  [
    "default-src 'none'",
    ...(withScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    `img-src 'self' data:${brandLogo === null ? '' : ` ${brandLogo}`}`,
    `form-action 'self'${redirectUri === undefined ? '' : ` ${formActionSources(redirectUri)}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** What a page needs beyond what every page has. */
type Own<Name extends keyof Pages> = Omit<Pages[Name], keyof Page>

export interface RenderContext {
  session: Session | null
  /** Where the form of this page may end, through the redirects that follow it. */
  redirectUri?: string
  title: string
  status?: number
  /** A script of ours helps on this page. */
  withScript?: boolean
}

export interface Renderer {
  page<Name extends keyof Pages>(
    request: FastifyRequest,
    reply: FastifyReply,
    name: Name,
    context: RenderContext,
    own: Own<Name>,
  ): Promise<FastifyReply>
  /** An error page: what happened, whose move it is, and the reference. */
  error(request: FastifyRequest, reply: FastifyReply, error: OAuthError): Promise<FastifyReply>
  notFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** The same, to a reader of the documentation. */
  noDocument(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** The page is there, but not for this method. */
  wrongMethod(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** A page that is the same for everybody, and its policy; it is not sent. */
  document(reply: FastifyReply, page: DocumentPage): Promise<string>
}

const signedIn = (user: Person) => ({ name: user.name, email: user.email })

/** Where the browser goes next, as a person can check it. */
export const returnsTo = (redirectUri: string): Phrase => {
  const { protocol, host } = new URL(redirectUri)
  const { returns, returnsHere } = text.decision
  if (!/^https?:$/.test(protocol)) return returnsHere(protocol.slice(0, -1))
  return returns(isUnclaimed(redirectUri) ? text.app.thisComputer(host) : host)
}

/** A day, for people and for machines. */
export const momentOf = (date: Date): Moment => ({
  iso: date.toISOString(),
  words: text.day(date),
})

/** What a person sees as one character: an accent is part of its letter, a flag is two code points. */
const firstCharacter = (name: string) =>
  new Intl.Segmenter().segment(withoutHidden(name).trim()).containing(0)?.segment.toUpperCase() ??
  '?'

/**
 * The app as every page of an interaction shows it.
 * @param redirectUri where the answer goes; null: to a device, of which the page speaks itself
 */
export const cardOf = (app: App, redirectUri: string | null): AppCard => ({
  name: app.name,
  monogram: firstCharacter(app.name),
  homepageUri: app.homepageUri,
  description: app.description,
  isReviewed: app.reviewed && isRecognised(app, redirectUri),
  // The page of a device says so itself.
  isUnclaimed: redirectUri !== null && !isRecognised(app, redirectUri),
})

/** Whatever runs on a device can take the place of a public app there: on its redirect URI, and with a code of its own. */
const isRecognised = (app: App, redirectUri: string | null) =>
  app.clientType === 'confidential' || (redirectUri !== null && !isUnclaimed(redirectUri))

/** The app of a request that waits for a person. */
export const askingCardOf = (
  app: App,
  { device, redirectUri }: Pick<AuthorizationRequest, 'device' | 'redirectUri'>,
) => cardOf(app, device ? null : redirectUri)

interface Words {
  heading: string
  message: string
  move: string
}

const { unknownApp, redirectUri, expired, form } = text.error
const wordsByReason: Record<string, Words> = {
  client_unknown: unknownApp,
  invalid_client: unknownApp,
  redirect_uri_unregistered: redirectUri,
  invalid_redirect_uri: redirectUri,
  interaction_gone: expired,
  authorization_answered_twice: expired,
  form_refused: form,
  form_tampered: form,
}

/** Whoever is signed in is not counted with all the others behind the same address. */
const isOfAddress = ({ reason }: OAuthError) => reason === 'authorizations_of_address'

const wordsFor = (error: OAuthError): Words => {
  const words = wordsByReason[error.reason] ?? wordsByReason[error.code]
  if (words) return words
  if (error.status === 429) {
    const minutes = Math.ceil(Math.max(1, error.retryAfter ?? 60) / 60)
    return isOfAddress(error) ? text.error.tooManyHere(minutes) : text.error.tooMany(minutes)
  }
  if (error.status === 503) return text.error.unavailable
  return error.status >= 500 ? text.error.server : text.error.request
}

const homeAction = { label: text.error.home, href: '/' }

/** Ways on: a form that was refused can be loaded again. */
const actionsFor = (request: FastifyRequest, error: OAuthError): ErrorPage['actions'] => {
  if (isOfAddress(error)) return [{ label: text.error.signIn, href: '/login' }, homeAction]
  const isForm = error.reason.startsWith('form_') || error.status === 429
  const again = isForm ? pageOfForm(request) : null
  return again === null ? [homeAction] : [{ label: text.error.loadAgain, href: again }, homeAction]
}

/** The origin of an address that is not a path of ours. */
const foreignOrigin = (uri: string | null) =>
  uri !== null && URL.canParse(uri) && /^https?:/.test(uri) ? new URL(uri).origin : null

/** A form that is shown once more, for what was wrong with it. */
const isFaulty = (own: object) => 'error' in own && own.error !== null

const noticePages = ['home', 'account-apps', 'sessions', 'passkeys', 'password']
/** Pages that people visit of their own accord; one that an app waits for is not the place. */
const showsNotices = (name: string) => noticePages.includes(name) || /^organization-/.test(name)

/**
 * @param mark what ties the anti-forgery field of a form to the session
 * @param notices what is new, and gives access
 */
export const createRenderer = (
  brand: Brand,
  mark: (request: FastifyRequest) => string,
  notices: Pick<SecurityNotices, 'pending'>,
): Renderer => {
  const toldOn = async (
    name: string,
    request: FastifyRequest,
    session: Session | null,
  ): Promise<Page['told']> => {
    const [latest, ...others] = session && showsNotices(name) ? await notices.pending(session) : []
    if (!latest) return null
    const sentences = [latest, ...others].map(noticeWords)
    return { sentences, through: latest.id, returnTo: request.url }
  }

  const brandLogo = foreignOrigin(brand.logoUri)

  const page: Renderer['page'] = async (request, reply, name, context, own) => {
    const { session, redirectUri, title, status, withScript = false } = context
    const common: Page = {
      text,
      brand,
      title: isFaulty(own) ? text.problemTitle(title) : title,
      // Error pages have no form, and are shown where the forms of this front are not.
      csrf: name === 'error' ? '' : await reply.generateCsrf({ userInfo: mark(request) }),
      user: session && signedIn(session.user),
      told: await toldOn(name, request, session),
      requestId: request.id,
    }
    return reply
      .code(status ?? 200)
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(brandLogo, redirectUri, withScript))
      .view(`pages/${name}`, { ...common, ...own })
  }

  const failure = (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    words: Words,
    details: ErrorPage['details'],
    actions: ErrorPage['actions'] = [homeAction],
  ) => {
    const { heading, message, move } = words
    const own = { heading, message, move, details, actions }
    return page(request, reply, 'error', { session: null, title: heading, status }, own)
  }

  return {
    page,
    document: (reply, { title, html }) => {
      reply.header('content-security-policy', contentSecurityPolicy(brandLogo, undefined, true))
      return reply.viewAsync('pages/documentation', { text, brand, title, html })
    },
    error: (request, reply, error) => {
      logRefusal(request, error)
      if (error.retryAfter !== undefined)
        reply.header('retry-after', String(Math.max(1, error.retryAfter)))
      // An unknown client is the request's fault here, not a failed authentication.
      const status =
        error.status === 401 ? 400 : error.reason === 'form_refused' ? 403 : error.status
      const details = { error: error.code, description: error.description }
      return failure(request, reply, status, wordsFor(error), details, actionsFor(request, error))
    },
    notFound: (request, reply) => failure(request, reply, 404, text.error.notFound, null),
    wrongMethod: (request, reply) => failure(request, reply, 405, text.error.wrongMethod, null),
    noDocument: (request, reply) => {
      const words = text.error.noDocument
      return failure(request, reply, 404, words, null, [{ label: words.start, href: '/docs' }])
    },
  }
}
