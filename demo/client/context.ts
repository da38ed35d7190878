// The demo client, an app like any other. It has its ids and secrets, sends plain requests with fetch, and shows each
// with its answer.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Seeded } from '../seed.ts'
import type { Visit } from './visit.ts'

export interface DemoClientOptions {
  /** The server. */
  issuer: string
  /** The address of this client. */
  url: string
  /** The address of the framed apps, on another site. */
  framesUrl: string
  /** The data API; null when it was not built. */
  dataApi: string | null
  seeded: Seeded
}

/** Dependencies of the routes. */
export interface DemoClient extends DemoClientOptions {
  visitOf(request: FastifyRequest, reply: FastifyReply): Visit
  /** Renders a page and adds the data that every page needs. */
  page(reply: FastifyReply, name: string, own: object): Promise<FastifyReply>
}
