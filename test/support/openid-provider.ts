/**
 * A minimal provider for the platform's own sign-in: a real OpenID provider with one small page.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { freePort } from './free-port.ts'
import { createVisitor, type Visitor } from './visitor.ts'

export const providerClient = { id: 'latchkey', secret: 'the secret of latchkey at its provider' }

export interface OpenidProvider {
  issuer: string
  /** The userinfo claims of each user, by subject. */
  accounts: Map<string, Record<string, unknown>>
  /** The ID token claims of each user besides `sub`, by subject. */
  idTokens: Map<string, Record<string, unknown>>
  /** Its whole storage, by kind and id. */
  kept: Map<string, AdapterPayload>
  /**
   * @param redirectUris of the one client; a sign-out redirects to `/login` there @param signsOut
   * advertises an end_session_endpoint
   */
  start(redirectUris: string[], signsOut?: boolean): Promise<void>
  stop(): Promise<void>
  visitor(): Visitor
  /** Signs in there, or refuses. @returns the URL to which the browser returns */
  answer(visitor: Visitor, url: URL, as: string | { error: string; text: string }): Promise<URL>
}

const adapterOn = (kept: Map<string, AdapterPayload>) =>
  class implements Adapter {
    readonly kind: string
    constructor(kind: string) {
      this.kind = kind
    }
    async upsert(id: string, payload: AdapterPayload) {
      kept.set(`${this.kind}:${id}`, payload)
    }
    async find(id: string) {
      return kept.get(`${this.kind}:${id}`)
    }
    async findByUid(uid: string) {
      return [...kept.values()].find((one) => one.uid === uid)
    }
    async findByUserCode() {
      return undefined
    }
    async consume(id: string) {
      Object.assign(kept.get(`${this.kind}:${id}`) ?? {}, {
        consumed: Math.floor(Date.now() / 1000),
      })
    }
    async destroy(id: string) {
      kept.delete(`${this.kind}:${id}`)
    }
    async revokeByGrantId() {}
  }

const createProvider = (
  issuer: string,
  redirectUris: string[],
  signsOut: boolean,
  { accounts, idTokens, kept }: Pick<OpenidProvider, 'accounts' | 'idTokens' | 'kept'>,
) => {
  const provider = new Provider(issuer, {
    adapter: adapterOn(kept),
    clients: [
      {
        client_id: providerClient.id,
        client_secret: providerClient.secret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: redirectUris.map((uri) => new URL('/login', uri).href),
      },
    ],
    cookies: { keys: ['a key of the test'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'mail'],
      profile: ['name', 'nick'],
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: signsOut } },
    interactions: { url: (_ctx, { uid }) => `/page/${uid}` },
    conformIdTokenClaims: false,
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: (use) => ({ sub, ...(use === 'id_token' ? idTokens : accounts).get(sub) }),
    }),
    // No consent page, because the client is the platform's own application.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc
      if (!client || !session?.accountId) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
  })
  // The library always sends the right `sub`; a hostile provider may send another one.
  provider.use(async (ctx, next) => {
    await next()
    const sub =
      ctx.oidc?.route === 'userinfo' && accounts.get(ctx.oidc.account?.accountId ?? '')?.sub
    if (sub) ctx.body = { ...(ctx.body as object), sub }
  })
  return provider
}

const bodyOf = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/** A provider with an address; it listens from `start` on. */
export const createOpenidProvider = async (): Promise<OpenidProvider> => {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const state = { accounts: new Map(), idTokens: new Map(), kept: new Map() }

  const handle = async (
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    if (!request.url?.startsWith('/page/')) return provider.callback()(request, response)
    if (request.method === 'GET') {
      const { params } = await provider.interactionDetails(request, response)
      response.setHeader('content-type', 'text/html')
      response.end(`<main><form method="post"><input name="account" value="${params.login_hint ?? ''}">
        <input name="error"><input name="text"></form></main>`)
      return
    }
    const form = await bodyOf(request)
    const error = form.get('error')
    await provider.interactionFinished(
      request,
      response,
      error
        ? { error, error_description: form.get('text') ?? '' }
        : { login: { accountId: form.get('account') ?? '' } },
    )
  }

  let server = createServer()
  return {
    ...state,
    issuer,
    start: async (redirectUris, signsOut = true) => {
      const provider = createProvider(issuer, redirectUris, signsOut, state)
      server = createServer((request, response) => void handle(provider, request, response))
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    stop: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    visitor: () => createVisitor(issuer),
    answer: async (visitor, url, as) => {
      const page = await visitor.get(url)
      if (page.left) return page.left // Already signed in there.
      const fields = typeof as === 'string' ? { account: as } : as
      const form = page.dom.querySelector('form')
      if (!form) throw new Error(`the provider answers ${page.status}: ${page.text.slice(0, 500)}`)
      form.setAttribute('action', page.url.href)
      const next = await visitor.submit(page, fields)
      if (!next.left)
        throw new Error(`the provider answers ${next.status}: ${next.text.slice(0, 500)}`)
      return next.left
    },
  }
}
