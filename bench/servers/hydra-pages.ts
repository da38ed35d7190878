// The pages for sign-in and consent that an operator of Hydra provides, as its manual describes: each asks the
// administrative interface about the request and accepts it. They accept at once, without a page.
import { createServer } from 'node:http'
import { type Dispatcher, request } from 'undici'

/** The cookie with the user who signs in. */
export const userCookie = 'bench_user'

interface Asked {
  skip: boolean
  subject: string
  requested_scope: string[]
  requested_access_token_audience: string[]
}

/** @param adminPort a port that listens only later */
export const startPages = async (adminPort: number, agent: Dispatcher) => {
  const call = async (method: 'GET' | 'PUT', path: string, body?: object) => {
    const answer = await request(
      `http://127.0.0.1:${adminPort}/admin/oauth2/auth/requests${path}`,
      {
        dispatcher: agent,
        method,
        headers: { 'content-type': 'application/json' },
        body: body ? JSON.stringify(body) : null,
      },
    )
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text)
  }

  const acceptLogin = async (challenge: string, user: string): Promise<string> => {
    const query = `login_challenge=${encodeURIComponent(challenge)}`
    const { skip, subject }: Asked = await call('GET', `/login?${query}`)
    // As long as the browser keeps its cookie.
    const remembered = { remember: true, remember_for: 0 }
    const accepted = skip ? { subject } : { subject: user, ...remembered }
    return (await call('PUT', `/login/accept?${query}`, accepted)).redirect_to
  }

  const acceptConsent = async (challenge: string): Promise<string> => {
    const query = `consent_challenge=${encodeURIComponent(challenge)}`
    const requested: Asked = await call('GET', `/consent?${query}`)
    const granted = {
      grant_scope: requested.requested_scope,
      grant_access_token_audience: requested.requested_access_token_audience,
      ...(!requested.skip && { remember: true, remember_for: 0 }),
    }
    return (await call('PUT', `/consent/accept?${query}`, granted)).redirect_to
  }

  const server = createServer((incoming, outgoing) => {
    const { searchParams } = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    const login = searchParams.get('login_challenge')
    const consent = searchParams.get('consent_challenge')
    const user = new RegExp(`${userCookie}=([^;]+)`).exec(incoming.headers.cookie ?? '')?.[1] ?? ''
    const accepted = async () => {
      if (login) return acceptLogin(login, user)
      if (consent) return acceptConsent(consent)
      throw new Error(`Hydra reports an error: ${incoming.url}`)
    }
    accepted()
      .then((location) => outgoing.writeHead(302, { location }).end())
      .catch((error) => outgoing.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
