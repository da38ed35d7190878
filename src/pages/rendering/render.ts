import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RefusedPages } from '../../core/audit/refused-pages.ts'
import type { OAuthError } from '../../core/language/errors.ts'
import { languageNames, languages } from '../../core/language/languages.ts'
import type { ShownBrandStore } from '../../core/organizations/organization-brand.ts'
import { shownEmail } from '../../core/people/email-address.ts'
import type { Person } from '../../core/people/person.ts'
import type { SecurityNotices } from '../../core/people/security-notices.ts'
import type { Session } from '../../core/people/session.ts'
import type { Browser } from '../../http/browser/browser.ts'
import { logRefusal } from '../../http/oauth/oauth-errors.ts'
import { accentPath, assetPath } from '../../http/server/assets.ts'
import { type Text, textIn } from '../../words/text.ts'
import { type LastAnswer, lastAnswer } from './done-notice.ts'
import { actionsFor, type ErrorWords, errorPageOf, homeAction, wordsFor } from './error-words.ts'
import { pageOfForm, writeAddress } from './forms/sent-values.ts'
import { logoPath } from './logos.ts'
import { noticeWords } from './notices.ts'
import { textOf } from './reader-text.ts'
import { createRefusalRecord, type PageReason } from './refused-page.ts'
import type { Brand, DocumentPage, Moment, PageFrame } from './view-models/frame.ts'

/**
 * Images: only ours and the operator's logo for the whole server. The logo of an app is on the app's host, which would
 * learn who is asked to allow the app. Scripts: none, except ours on pages that need one. Forms: to this server. A page
 * that can end at an app has no `form-action`, because Chromium applies it to each later redirect, and no list can name
 * those of an app (decision 0109).
 */
const contentSecurityPolicy = (
  brandLogo: string | null,
  leadsToApp: boolean,
  withScript: boolean,
) =>
  [
    "default-src 'none'",
    ...(withScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    `img-src 'self' data:${brandLogo === null ? '' : ` ${brandLogo}`}`,
    ...(leadsToApp ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** The layout adds it to each page with a time. */
const timesScript = `${assetPath('moments.js')}"`

export interface RenderContext {
  session: Session | null
  /** A form of this page can end at an app. */
  leadsToApp?: boolean
  title: string
  status?: number
  /** The page uses one of our scripts. */
  withScript?: boolean
  /** The page refuses something, and its request id explains why. */
  refused?: PageReason | undefined
}

export type Renderer = ReturnType<typeof createRenderer>

const signedIn = (user: Person) => ({ name: user.name, email: shownEmail(user.email) })

/** A point in time in words, to the day unless `form` says otherwise, and in ISO form. */
export const momentOf = (
  { formats }: Text,
  date: Date,
  form: Exclude<Moment['form'], 'ago'> = 'day',
): Moment => ({
  iso: date.toISOString(),
  words: formats[form](date),
  form,
  title: form === 'moment' ? null : formats.moment(date),
})

/** The origin of an absolute URL; null for a path of this server. */
const foreignOrigin = (uri: string | null) =>
  uri !== null && URL.canParse(uri) && /^https?:/.test(uri) ? new URL(uri).origin : null

/** True for a form that is shown again with an error. */
const isFaulty = (own: object) => 'error' in own && Boolean(own.error)

/** True for a page with a search in its header, which has a script. */
const hasSearch = (own: object) => 'search' in own && Boolean(own.search)

/** Pages that people open themselves. Pages that an app waits for show no notices. */
const noticePages =
  /^(blocks|home|account-apps|sessions|passkeys|password|notifications)$|^(organization-|developer)/

/** The languages, each in itself, and the page to show again. */
const languageChoices = (request: FastifyRequest, { language }: Text): PageFrame['languages'] => ({
  choices: languages.map((code) => ({
    code,
    name: languageNames[code],
    isChosen: code === language.code,
  })),
  returnTo: writeAddress(pageOfForm(request) ?? request.url),
})

/**
 * Pages outside the scope that generates the anti-forgery field. An error page has no form, and the form of a mailbox
 * provider has no field.
 */
const withoutField = ['error', 'unsubscribe']

/**
 * @param browser ties the anti-forgery field of a form to the session, and remembers what its user did last
 * @param notices security notices of the user
 * @param refusedPages records what the request ids on pages explain
 */
export const createRenderer = (
  brand: Brand,
  browser: Pick<Browser, 'session' | 'sessionMark' | 'cookie'>,
  notices: Pick<SecurityNotices, 'pending'>,
  brands: ShownBrandStore,
  refusedPages: Pick<RefusedPages, 'record'>,
) => {
  const pendingNotices = async (name: string, request: FastifyRequest, session: Session | null) => {
    const [latest, ...others] =
      session && noticePages.test(name) ? await notices.pending(session) : []
    if (!latest) return null
    const sentences = [latest, ...others].map((one) => noticeWords(textOf(request), one))
    return { sentences, through: latest.id, returnTo: request.url }
  }

  const brandLogo = foreignOrigin(brand.logoUri)

  /** Pages of an organization, and those that decide for one, have its look. */
  const lookOf = async (own: object): Promise<Pick<PageFrame, 'accent' | 'ownLogo'>> => {
    const { organization } = own as { organization?: { id?: string } | null }
    const found = organization?.id ? await brands.brandOf(organization.id) : null
    return {
      accent: accentPath(found?.accent ?? brand.accent),
      ownLogo: logoPath(found?.logoDigest),
    }
  }

  const recordRefusal = createRefusalRecord(browser, refusedPages)

  /**
   * @param name of the template in `views/pages`
   * @param own its data without the common part
   */
  const page = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    context: RenderContext,
    own: object,
  ): Promise<FastifyReply> => {
    const { session, leadsToApp = false, title, status = 200, withScript = false } = context
    if (context.refused) await recordRefusal(request, context.refused, status, own)
    const text = textOf(request)
    const hasField = !withoutField.includes(name)
    const common: PageFrame = {
      text,
      brand,
      ...(await lookOf(own)),
      title: isFaulty(own) ? text.problemTitle(title) : title,
      languages: hasField ? languageChoices(request, text) : null,
      csrf: hasField ? await reply.generateCsrf({ userInfo: browser.sessionMark(request) }) : '',
      user: session && signedIn(session.user),
      told: await pendingNotices(name, request, session),
      requestId: request.id,
    }
    const html = await reply.viewAsync(`pages/${name}`, { ...common, ...own })
    const runs = withScript || hasSearch(own) || html.includes(timesScript)
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .header('content-language', text.language.code)
      .header('vary', 'Accept-Language, Cookie')
      .header('content-security-policy', contentSecurityPolicy(brandLogo, leadsToApp, runs))
      .type('text/html; charset=utf-8')
      .send(html)
  }

  const failure = (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    words: ErrorWords,
    details: { error: string; description: string } | null,
    actions = [homeAction(textOf(request))],
    refused?: PageReason,
  ) => {
    const { heading, message, move } = words
    const own = { heading, message, move, details, actions }
    const context = { session: null, title: heading, status, refused }
    return page(request, reply, 'error', context, own)
  }

  /** The page of an answer that was given before. */
  const alreadyDone = (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    { said: message, at }: LastAnswer,
  ) => {
    const { heading, move, goOn } = textOf(request).done.already
    const actions = [{ label: goOn, href: at }]
    return failure(request, reply, status, { heading, message, move }, null, actions)
  }

  return {
    page,
    /**
     * A page in a language, with the mark of a preview and without an anti-forgery field. Nothing is sent.
     * @returns the whole document
     */
    preview: async (
      request: FastifyRequest,
      reply: FastifyReply,
      name: string,
      { session, title, text }: { session: Session; title: string; text: Text },
      own: object,
    ): Promise<string> => {
      const common: PageFrame = {
        ...{ text, brand, ...(await lookOf({})), title, csrf: '', told: null, isPreview: true },
        languages: languageChoices(request, text),
        user: signedIn(session.user),
        requestId: request.id,
      }
      return reply.viewAsync(`pages/${name}`, { ...common, ...own })
    },
    /** Renders a page that is the same for everyone and sets its policy. Does not send it. */
    document: async (reply: FastifyReply, page: DocumentPage): Promise<string> => {
      reply.header('content-security-policy', contentSecurityPolicy(brandLogo, false, true))
      const common = { text: textIn('en'), brand, ...(await lookOf({})) }
      return reply.viewAsync('pages/documentation', { ...common, ...page })
    },
    /** An error page: what happened, who can do something about it, and the reference. */
    error: (request: FastifyRequest, reply: FastifyReply, error: OAuthError) => {
      logRefusal(request, error)
      const last = error.reason === 'interaction_gone' ? lastAnswer(request, browser) : null
      if (last) return alreadyDone(request, reply, error.status, last)
      if (error.retryAfter !== undefined)
        reply.header('retry-after', String(Math.max(1, error.retryAfter)))
      // Here, an unknown client is a fault of the request, not a failed authentication.
      const status =
        error.status === 401 ? 400 : error.reason === 'form_refused' ? 403 : error.status
      const details = { error: error.code, description: error.description }
      const actions = actionsFor(request, error)
      const why = { page: errorPageOf(error), reason: error.reason, error: error.code }
      return failure(request, reply, status, wordsFor(request, error), details, actions, why)
    },
    /** @param session of a person for whom a page of ours is not there; null: any address that has no page */
    notFound: (request: FastifyRequest, reply: FastifyReply, session: Session | null = null) => {
      const last = lastAnswer(request, browser)
      if (last) return alreadyDone(request, reply, 404, last)
      const words = textOf(request).error.notFound
      const why = { page: 'notFound', reason: 'not_found', error: null } as const
      const refused = session ? why : undefined
      return failure(request, reply, 404, words, null, undefined, refused)
    },
    /** The path exists, but not for this method. */
    wrongMethod: (request: FastifyRequest, reply: FastifyReply) =>
      failure(request, reply, 405, textOf(request).error.wrongMethod, null),
    /** The 404 page of the documentation. */
    noDocument: (request: FastifyRequest, reply: FastifyReply) => {
      const words = textOf(request).error.noDocument
      return failure(request, reply, 404, words, null, [{ label: words.start, href: '/docs' }])
    },
  }
}
