import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppKey } from '../cast.ts'
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
  /** The current interface says who answers (RFC 9207). */
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
      { name: 'grant_type', value: 'authorization_code', note: 'tokens for this code' },
      { name: 'code', value: code, note: 'good for 60 seconds, once' },
      ...proof,
      ...credentials(app),
    ],
  }
}

/** A new family: what was shown of the one before is history. */
const forget = (visit: Visit, track: TrackName) => {
  for (const path of visit.shown.keys()) if (path.startsWith(`/${track}/`)) visit.shown.delete(path)
}

const parametersOf = (request: FastifyRequest): [string, string][] => [
  ...new URL(request.url, 'http://localhost').searchParams,
]

const refused = (client: DemoClient, reply: FastifyReply, lead: string) =>
  client.page(reply.code(400), 'sorry', { title: 'The app stops here', lead })

/** Where browsers come back to: the checks that every app must make, then the exchange. */
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
        'The state that came back is not one that this browser was sent away with. Perhaps somebody else made the link, perhaps it was used before. Start again.',
      )
    if (namesIssuer && values.get('iss') !== client.issuer)
      return refused(client, reply, 'The answer names another server than the one that was asked.')

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
      title: 'The token came with the address',
      lead: 'Everything below was behind the # of the address. This page’s server has not seen it: a script in the browser reads it, checks the state and takes it out of the address bar.',
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

/** An app without a server: everything happens in the page. */
const pocketRoute = (server: FastifyInstance, client: DemoClient) => {
  server.get('/pocket-tables', (_request, reply) =>
    client.page(reply, 'pocket-tables', {
      title: 'An app that lives in the browser',
      app: client.seeded.apps.pocketTables,
      names: JSON.stringify(Object.fromEntries(client.seeded.names)),
    }),
  )
}

export const callbackRoutes = (server: FastifyInstance, client: DemoClient) => {
  for (const landing of landings) codeRoute(server, client, landing)
  fragmentRoute(server, client)
  pocketRoute(server, client)
}
