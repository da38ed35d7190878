import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AppKey, samplesCallback } from '../cast.ts'
import { chapters } from './chapters.ts'
import type { DemoClient } from './context.ts'
import { type Field, type PlannedRequest, send } from './exchange.ts'
import { credentials } from './step.ts'
import { learn, type Prepared, prepare, type TrackName, takePrepared, type Visit } from './visit.ts'

interface Landing {
  path: string
  track: TrackName
  app: AppKey
  tokenEndpoint: string
  /** The answer contains `iss` (RFC 9207), on the current interface only. */
  namesIssuer: boolean
}

const landings: readonly Landing[] = [
  {
    path: '/callback/report-builder',
    track: 'current',
    app: 'reportBuilder',
    tokenEndpoint: '/api/oauth/token',
    namesIssuer: true,
  },
  {
    path: '/callback/sheet-sync',
    track: 'legacy',
    app: 'sheetSync',
    tokenEndpoint: '/api/oauth/access_token',
    namesIssuer: false,
  },
]

const exchangeOf = (
  { issuer, seeded }: DemoClient,
  landing: Landing,
  code: string,
  { verifier }: Prepared,
): PlannedRequest => {
  const app = seeded.apps[landing.app]
  const proof: Field[] =
    landing.track === 'legacy'
      ? []
      : [
          { name: 'redirect_uri', value: app.redirectUri, note: 'the same as before' },
          { name: 'code_verifier', value: verifier, note: 'the secret behind the challenge' },
        ]
  return {
    label: 'Code for tokens',
    url: `${issuer}${landing.tokenEndpoint}`,
    form: [
      { name: 'grant_type', value: 'authorization_code', note: 'exchange this code' },
      { name: 'code', value: code, note: 'valid for 60 seconds, once' },
      ...proof,
      ...credentials(app),
    ],
  }
}

/** A new family starts, so the pages of the previous one are cleared. */
const forget = (visit: Visit, track: TrackName) => {
  if (track === 'legacy') {
    visit.subscription?.close()
    visit.subscription = null
  }
  for (const path of visit.shown.keys()) if (path.startsWith(`/${track}/`)) visit.shown.delete(path)
}

const parametersOf = (request: FastifyRequest): [string, string][] => [
  ...new URL(request.url, 'http://localhost').searchParams,
]

const refused = (client: DemoClient, reply: FastifyReply, lead: string) =>
  client.page(reply.code(400), 'sorry', { title: 'The app stops here', lead })

/** The redirect URI: makes the checks that every app must make, then exchanges the code. */
const codeRoute = (server: FastifyInstance, client: DemoClient, landing: Landing) => {
  const { path, track: name, namesIssuer } = landing
  server.get(path, async (request, reply) => {
    const parameters = parametersOf(request)
    const values = new Map(parameters)
    const visit = client.visitOf(request, reply)
    const prepared = takePrepared(visit, values.get('state'))
    if (!prepared)
      return refused(
        client,
        reply,
        'The returned state does not belong to a request of this browser. Another person may have made the link, or it was used before. Start again.',
      )
    if (namesIssuer && values.get('iss') !== client.issuer)
      return refused(
        client,
        reply,
        'The answer names a different server from the one that was asked.',
      )

    const track = visit.tracks[name]
    track.returned = { url: `${client.url}${path}`, parameters }
    forget(visit, name)
    visit.shown.set(`/${name}/authorize`, [])
    const code = values.get('code')
    if (code !== undefined) {
      const exchange = await send(exchangeOf(client, landing, code, prepared))
      learn(track, exchange)
      visit.shown.set(`/${name}/exchange`, [exchange])
    }
    return reply.redirect(`/${name}/exchange`, 303)
  })
}

/** A fragment never reaches a server, so a script of a few lines shows it (RFC 6749 §4.2). */
const fragmentRoute = (server: FastifyInstance, client: DemoClient) => {
  server.get('/callback/sheet-view', async (request, reply) => {
    const visit = client.visitOf(request, reply)
    visit.shown.set('/legacy/implicit', [])
    return client.page(reply, 'fragment', {
      title: 'The token is in the address',
      lead: 'Everything below was after the # of the address. The server of this page has not seen it: a script in the browser reads it, checks the state and removes it from the address bar.',
      state: prepare(visit, 'implicit').state,
      rail: chapters.legacy.steps.map((step, at) => ({
        number: at + 1,
        path: `/legacy/${step.id}`,
        label: step.short,
        here: step.id === 'implicit',
        done: visit.shown.has(`/legacy/${step.id}`),
      })),
      chapter: chapters.legacy.title,
    })
  })
}

/** An app without a server: all of it runs in the page. */
const pocketRoute = (server: FastifyInstance, client: DemoClient) => {
  server.get('/pocket-tables', (_request, reply) =>
    client.page(reply, 'pocket-tables', {
      title: 'An app that runs in the browser',
      app: client.seeded.apps.pocketTables,
      names: JSON.stringify(Object.fromEntries(client.seeded.names)),
    }),
  )
}

/** Codes and states of the samples. Other text must not get into a shell. */
const forShell = (value: string | undefined) => (/^[\w.~-]+$/.test(value ?? '') ? value : undefined)

/** The redirect URI of the documentation's samples: shows the code, and exchanges nothing. */
const samplesRoute = (server: FastifyInstance, client: DemoClient) => {
  server.get(samplesCallback, (request, reply) => {
    const values = new Map(parametersOf(request))
    for (const name of ['code', 'install_code']) {
      const code = forShell(values.get(name))
      const variable = name.toUpperCase()
      const state = values.get('state')
      if (code !== undefined)
        return client.page(reply, 'samples', { title: 'Your code', variable, code, state })
    }
    const error = values.get('error')
    return error === undefined
      ? refused(client, reply, 'The address has no code: open the address that the sample printed.')
      : refused(client, reply, `${error}: ${values.get('error_description') ?? ''}`)
  })
}

export const callbackRoutes = (server: FastifyInstance, client: DemoClient) => {
  for (const landing of landings) codeRoute(server, client, landing)
  fragmentRoute(server, client)
  samplesRoute(server, client)
  pocketRoute(server, client)
}
