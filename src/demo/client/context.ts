// What lives here: the demo client, an app like any other. It knows its ids and secrets, sends plain requests with
// fetch, and shows each with its answer.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Seeded } from '../seed.ts'
import type { Visit } from './visit.ts'

export interface DemoClientOptions {
  /** The server. */
  issuer: string
  /** Where this client will listen. */
  url: string
  /** Where the apps in frames are: another site. */
  framesUrl: string
  /** The data API; null when it was not built. */
  dataApi: string | null
  seeded: Seeded
}

/** What the routes share. */
export interface DemoClient extends DemoClientOptions {
  visitOf(request: FastifyRequest, reply: FastifyReply): Visit
  /** Renders a page; what every page needs is added. */
  page(reply: FastifyReply, name: string, own: object): Promise<FastifyReply>
}
