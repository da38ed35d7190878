// The requests to a server that is a program of its own, such as Hydra or Keycloak.
import { codeVerifier, redirectUri, scope } from '../authorization.ts'
import { inLanes } from '../making.ts'
import { form, formHeaders, type Operation, type Shot } from '../protocol.ts'

interface ForeignRequests {
  port: number
  tokenPath: string
  apps: number
  /** Users who sign in. Each has one app. */
  users: number
  /** Requests of the preparation under way at a time. */
  atOnce: number
  /** Form fields by which an app authenticates. */
  credentialsOf(at: number): Record<string, string>
  /** Signs the user in if needed. @returns a new code of the user's app */
  codeOf(user: number): Promise<string>
  /** Checks an access token of the preparation. */
  check(accessToken: string): void
  introspection(accessToken: string): Shot
  /** A request of a user who is signed in and has approved the app. */
  authorization(user: number): Promise<Shot>
}

/** @returns makes the requests of an operation */
export const prepareRequests = (server: ForeignRequests) => {
  const { port, tokenPath, apps, users, atOnce, credentialsOf, codeOf, check } = server

  const codeShot = async (at: number): Promise<Shot> => {
    const user = at % users
    return {
      path: tokenPath,
      headers: formHeaders,
      body: form({
        grant_type: 'authorization_code',
        code: await codeOf(user),
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        ...credentialsOf(user),
      }),
    }
  }

  const redeem = async (at: number) => {
    const { path, headers, body } = await codeShot(at)
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    const issued = (await answer.json()) as { access_token: string; refresh_token: string }
    check(issued.access_token)
    return issued
  }

  return (operation: Operation, count: number): Promise<Shot[]> => {
    switch (operation) {
      case 'client_credentials':
        return inLanes(apps, 1, async (at) => ({
          path: tokenPath,
          headers: formHeaders,
          body: form({ grant_type: operation, scope, ...credentialsOf(at) }),
        }))
      case 'authorization_code':
        return inLanes(count, atOnce, codeShot)
      case 'refresh':
        return inLanes(Math.min(count, users), atOnce, async (at) => ({
          path: tokenPath,
          headers: formHeaders,
          body: `${form({ grant_type: 'refresh_token', ...credentialsOf(at) })}&refresh_token={token}`,
          token: (await redeem(at)).refresh_token,
        }))
      case 'introspection':
        return inLanes(Math.min(count, users), atOnce, async (at) =>
          server.introspection((await redeem(at)).access_token),
        )
      case 'authorize':
        return inLanes(Math.min(count, users), atOnce, server.authorization)
    }
  }
}

/** The code in the redirect that answers an authorization request. */
export const codeIn = (answer: { location: string; statusCode: number; text: string }) => {
  const { location, statusCode, text } = answer
  const code = location && new URL(location).searchParams.get('code')
  if (!code) throw new Error(`no code: ${statusCode} ${location} ${text.slice(0, 1000)}`)
  return code
}
