// What happens beside the token requests of a soak: uninstalls, replaced secrets, sign-ins, authorizations and readers
// of the revocation feed. Each has its own app, so that the requests of the load stay valid.
import { setTimeout as sleep } from 'node:timers/promises'
import { codeVerifier, redirectUri } from './authorization.ts'
import { form, formHeaders, type Shot } from './protocol.ts'
import type { Sample } from './seed.ts'
import { createPeople, operate, signIn } from './sign-ins.ts'

/** How often each thing has happened. */
export type Events = Record<
  'uninstalls' | 'rotations' | 'signIns' | 'authorizations' | 'feedAnswers',
  number
>

const pauses = { uninstall: 1000, rotation: 2000, signIn: 1000, authorization: 200 } // ms
const feedReaders = 20
const users = 20
const permissions = ['records:create', 'records:update']

/** Requests a token of the app for the organization. @returns the status of the answer */
const requestToken = async (port: number, app: App, organizationId: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/oauth/token`, {
    method: 'POST',
    headers: formHeaders,
    body: form({ grant_type: 'client_credentials', organization_id: organizationId, ...app }),
  })
  await answer.arrayBuffer()
  return answer.status
}

interface App {
  client_id: string
  client_secret: string
}

const registerApp = async (port: number, name: string): Promise<App> => {
  const body = {
    name,
    interface: 'current',
    client_type: 'confidential',
    redirect_uris: [redirectUri],
    permissions,
  }
  const { client_id, client_secret } = await operate(port, 'POST', '/apps', body)
  return { client_id: String(client_id), client_secret: String(client_secret) }
}

const expectStatus = (found: number, expected: number, what: string) => {
  if (found !== expected) throw new Error(`${what} was answered with ${found}`)
}

/** Uninstalls and installs an app. A token must be refused at the next request. */
const uninstalling = async (port: number, organizationId: string) => {
  const app = await registerApp(port, 'Uninstalled again and again')
  const install = `/organizations/${organizationId}/installs/${app.client_id}`
  return async () => {
    await operate(port, 'PUT', install, { permissions, workspace_ids: null })
    expectStatus(await requestToken(port, app, organizationId), 200, 'a token of an installed app')
    await operate(port, 'DELETE', install)
    expectStatus(await requestToken(port, app, organizationId), 400, 'a token after an uninstall')
  }
}

/** Replaces the secret of an app. The old one must be refused at the next request. */
const rotating = async (port: number, organizationId: string) => {
  const app = await registerApp(port, 'With a new secret again and again')
  const install = `/organizations/${organizationId}/installs/${app.client_id}`
  await operate(port, 'PUT', install, { permissions, workspace_ids: null })
  let secret = app.client_secret
  return async () => {
    const path = `/apps/${app.client_id}/secrets`
    const made = await operate(port, 'POST', path, { retire_others_after_seconds: 0 })
    const old = { ...app, client_secret: secret }
    secret = String(made.client_secret)
    const current = { ...app, client_secret: secret }
    expectStatus(await requestToken(port, current, organizationId), 200, 'the new secret')
    expectStatus(await requestToken(port, old, organizationId), 401, 'the old secret')
  }
}

/** Lets signed-in users return to their app, and redeems each code. */
const authorizing = (port: number, shots: readonly Shot[], { apps }: Sample) => {
  const secrets = new Map(apps.map(({ clientId, secret }) => [clientId, secret]))
  let next = 0
  return async () => {
    const { path, headers } = shots[next++ % shots.length] as Shot
    const origin = `http://127.0.0.1:${port}`
    const answer = await fetch(origin + path, { headers, redirect: 'manual' })
    await answer.arrayBuffer()
    const code = new URL(answer.headers.get('location') ?? '', origin).searchParams.get('code')
    const clientId = new URL(path, origin).searchParams.get('client_id') ?? ''
    const redeemed = await fetch(`${origin}/api/oauth/token`, {
      method: 'POST',
      headers: formHeaders,
      body: form({
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        client_id: clientId,
        client_secret: secrets.get(clientId) ?? '',
      }),
    })
    await redeemed.arrayBuffer()
    expectStatus(redeemed.status, 200, 'a code')
  }
}

/** Reads the revocation feed as a resource server does: it waits for changes, and continues. */
const reading = (port: number, { resourceServer }: Sample) => {
  const { clientId, secret } = resourceServer
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  let cursor = ''
  return async () => {
    const query = new URLSearchParams({ wait: '20', ...(cursor && { cursor }) })
    const answer = await fetch(`http://127.0.0.1:${port}/api/oauth/revocations?${query}`, {
      headers: { authorization },
    })
    expectStatus(answer.status, 200, 'the revocation feed')
    cursor = ((await answer.json()) as { cursor: string }).cursor
  }
}

/**
 * Starts everything beside the load.
 * @param authorizations authorization requests of signed-in users
 * @returns counts, and `stop`, which waits for the work under way and throws its first error
 */
export const startBeside = async (port: number, sample: Sample, authorizations: Shot[]) => {
  const organizationId = sample.installs[0]?.organizationId ?? ''
  const people = await createPeople(port, users)
  const events: Events = {
    uninstalls: 0,
    rotations: 0,
    signIns: 0,
    authorizations: 0,
    feedAnswers: 0,
  }
  let stopped = false
  let failure: unknown = null
  const repeat = async (event: keyof Events, pause: number, work: () => Promise<unknown>) => {
    while (!stopped && failure === null) {
      try {
        await work()
        events[event]++
      } catch (error) {
        failure ??= error
      }
      if (!stopped) await sleep(pause)
    }
  }
  const uninstall = await uninstalling(port, organizationId)
  const rotate = await rotating(port, organizationId)
  const authorize = authorizing(port, authorizations, sample)
  const running = [
    repeat('uninstalls', pauses.uninstall, uninstall),
    repeat('rotations', pauses.rotation, rotate),
    repeat('signIns', pauses.signIn, () =>
      signIn(port, people[events.signIns % people.length] as (typeof people)[number]),
    ),
    repeat('authorizations', pauses.authorization, authorize),
    ...Array.from({ length: feedReaders }, () => repeat('feedAnswers', 0, reading(port, sample))),
  ]
  return {
    events,
    /** The error that stopped the work; null while all of it succeeds. */
    failure: () => failure,
    stop: async () => {
      stopped = true
      await Promise.all(running)
      if (failure !== null) throw failure
    },
  }
}
