import inject from 'light-my-request'
import type { AppAnswer } from '../../../core/authorization/requests.ts'
import {
  noRecipient,
  type WebMessageTarget,
  webMessageTarget,
} from '../../../core/authorization/web-message.ts'
import type { App } from '../../../core/clients/app.ts'
import { isClientIdShaped } from '../../../core/crypto/identifiers.ts'
import { invalidRequest, OAuthError, type OAuthErrorCode } from '../../../core/language/errors.ts'
import type { AdapterDependencies } from './adapter.ts'
import { anyClient, decidePlain, refusalTexts } from './decide.ts'
import { grantOf } from './grants.ts'
import { runInProcess } from './in-process.ts'
import { canonical, hasTwoRecipients, type Pairs } from './parameters.ts'
import { createProvider, pushedRequestPath, resumeCookie } from './provider.ts'
import {
  type FindApp,
  newProviderCall,
  type ProviderCall,
  type Redirect,
  type RequestHandler,
  runProviderCall,
} from './request-context.ts'

export type EngineAnswer =
  /** The user has to be asked. The request is stored under this id. */
  | { kind: 'interaction'; id: string }
  /** An answer for the app, with a code or an error. */
  | {
      kind: 'response'
      redirectUri: string
      mode: 'query' | 'form_post'
      /** Set when the answer is posted to a page instead. */
      webMessage: WebMessageTarget | null
      parameters: Record<string, string | undefined>
    }

const expired = () =>
  invalidRequest('this request has expired or was answered already', 'interaction_gone')

const encoded = (query: Pairs) => new URLSearchParams(query as [string, string][]).toString()

const hasRequestUri = (query: Pairs) => query.some(([name]) => name === 'request_uri')

const usable =
  (find: FindApp): FindApp =>
  async (clientId) => {
    const app = isClientIdShaped(clientId) ? await find(clientId) : null
    return app?.interface === 'current' && !app.disabled ? app : null
  }

/** Finds each app once. */
const once = (find: FindApp): FindApp => {
  const found = new Map<string, Promise<App | null>>()
  return (clientId) => {
    const app = found.get(clientId) ?? find(clientId)
    found.set(clientId, app)
    return app
  }
}

export const createEngine = (issuer: string, deps: AdapterDependencies) => {
  const provider = createProvider(issuer, deps)
  const handle = provider.callback()
  const findApp = usable(deps.findApp)
  const { host, protocol } = new URL(issuer)
  // The provider builds URLs from the Host header, so it gets our host whatever the request said.
  const headers = { host, 'x-forwarded-proto': protocol.slice(0, -1) }

  const send = async (call: ProviderCall, options: inject.InjectOptions) => {
    // Awaited inside the call: inject sends a request only when its answer is awaited.
    const response = await runProviderCall(
      call,
      async () =>
        await inject((req, res) => void handle(req, res), {
          ...options,
          headers: { ...options.headers, ...headers },
        }),
    )
    // Best effort: records that remain expire by themselves.
    await Promise.allSettled((call.failure ? call.undo : call.afterwards).map((work) => work()))
    return response
  }

  const targetOf = ({ uri, mode, platform }: Redirect): WebMessageTarget | null => {
    if (mode !== 'web_message') return null
    const target = webMessageTarget(uri, platform, deps.platformOrigins)
    if (!target) throw noRecipient()
    return target
  }

  const answerOf = (call: ProviderCall): EngineAnswer => {
    if (call.failure) throw call.failure
    if (call.interaction) return { kind: 'interaction', id: call.interaction }
    const { redirect, error, code } = call
    if (!redirect?.uri || (!error && !code)) {
      throw error
        ? new OAuthError(error.code, error.description, { reason: 'not_redirected' })
        : expired()
    }
    return {
      kind: 'response',
      redirectUri: redirect.uri,
      mode: redirect.mode === 'form_post' ? 'form_post' : 'query',
      webMessage: targetOf(redirect),
      parameters: {
        ...(error
          ? { error: error.code, error_description: error.description || undefined }
          : { code: code ?? undefined }),
        state: redirect.state,
        iss: issuer, // RFC 9207
      },
    }
  }

  /**
   * Validates and decides a request. If the provider has to do so, it does no more: it keeps no session, stores nothing and
   * makes no code.
   * @returns null when the provider has to see the whole request
   */
  const validate = async (call: ProviderCall, query: Pairs) => {
    const ids = query.filter(([name]) => name === 'client_id')
    const [[, clientId] = []] = ids
    if (clientId === undefined || ids.length > 1 || hasRequestUri(query)) return null
    call.app = await call.findApp(clientId)
    if (!call.app) return null
    if (await decidePlain(deps, call, call.app, query)) return call.app
    const requested = encoded(
      query.map(([name, value]) => [name, name === 'client_id' ? anyClient : value]),
    )
    await runProviderCall(call, () => runInProcess(handle, `/authorize?${requested}`, headers))
    return call.app
  }

  /** Issues the code of an approval that needs no page; null when the user has to be asked. */
  const answerSilently = async (call: ProviderCall, app: App): Promise<EngineAnswer | null> => {
    const { decision, parameters, dpopJkt, failure, error } = call
    if (failure || error) return answerOf(call)
    if (decision?.kind !== 'approved' || !parameters || parameters.prompts.length > 0) return null
    const { redirectUri, codeChallenge, webMessage } = parameters
    const { clientId } = app
    const binding = { clientId, redirectUri, codeChallenge, dpopJkt, isPosted: webMessage !== null }
    call.code = await deps.issueCode(grantOf(decision.approval, binding, deps.lifetimes))
    return answerOf(call)
  }

  return {
    /**
     * Validates an authorization request. Answers it or stores it for the user.
     * @throws OAuthError when the answer must not be redirected (unknown client, wrong redirect URI); StoreUnavailable
     */
    authorize: async (pairs: Pairs, handler: RequestHandler): Promise<EngineAnswer> => {
      if (hasTwoRecipients(pairs)) throw noRecipient()
      const query = canonical(pairs)
      const found = once(usable(handler.findApp))
      const first = newProviderCall({ handler, findApp: found, onlyValidates: true })
      const app = await validate(first, query)
      const answer = app && (await answerSilently(first, app))
      if (answer) return answer
      // A page is needed, or the request was pushed: the provider stores the request, or consumes what it has stored.
      // The provider takes a `request_uri` of a pushed request only.
      const isPushed = hasRequestUri(query)
      const call = newProviderCall({ handler, findApp: found, isPushed, decision: first.decision })
      await send(call, { method: 'GET', url: `/authorize?${encoded(query)}` })
      return answerOf(call)
    },

    /** Continues after the user has answered. @throws OAuthError when the request is gone; StoreUnavailable */
    resume: async (id: string, answer: AppAnswer): Promise<EngineAnswer> => {
      const call = newProviderCall(
        answer.kind === 'approved'
          ? { findApp, decision: { kind: 'approved', approval: answer } }
          : { findApp },
      )
      const found = await runProviderCall(call, async () => {
        const interaction = await provider.Interaction.find(id)
        if (!interaction) return false
        // The provider's session lasted for the first request only.
        delete interaction.session
        interaction.result =
          answer.kind === 'approved'
            ? {
                login: { accountId: answer.userId, remember: false },
                consent: { grantId: answer.grantId },
                select_account: {},
              }
            : { error: answer.error, error_description: refusalTexts[answer.error] }
        await interaction.persist()
        return true
      })
      if (call.failure) throw call.failure
      if (!found) throw expired()
      await send(call, {
        method: 'GET',
        url: `/authorize/${id}`,
        headers: { cookie: `${resumeCookie}=${id}` },
      })
      return answerOf(call)
    },

    /** Stores a pushed request (RFC 9126) of an authenticated client. @throws OAuthError, StoreUnavailable */
    push: async (pairs: Pairs, clientId: string) => {
      const call = newProviderCall({ findApp })
      const own = pairs.filter(([name]) => name !== 'client_id')
      const response = await send(call, {
        method: 'POST',
        url: pushedRequestPath,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: encoded(canonical([...own, ['client_id', clientId]])),
      })
      if (call.failure) throw call.failure
      const body = response.json() as Record<string, string>
      if (response.statusCode !== 201) {
        throw new OAuthError(body.error as OAuthErrorCode, body.error_description ?? '')
      }
      return { requestUri: body.request_uri as string, expiresIn: Number(body.expires_in) }
    },
  }
}

export type Engine = ReturnType<typeof createEngine>
