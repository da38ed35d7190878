// Pages with a template of their own, in what all pages of an audience have around them, such as tabs.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../core/people/session.ts'
import type { RenderContext, Renderer } from './render.ts'

/** One visit of a signed-in user to a page. */
export interface PageVisit {
  renderer: Renderer
  request: FastifyRequest
  reply: FastifyReply
  session: Session
}

/** A page without what is around it: its answer, and the data of its template. */
type OwnPart = Pick<RenderContext, 'title' | 'withScript'> & {
  status?: number | undefined
  [data: string]: unknown
}

/** @param around what is around the page with this tab */
export const createFramedPages =
  <Visit extends PageVisit, Tab>(around: (visit: Visit, tab: Tab) => object | Promise<object>) =>
  async (
    visit: Visit,
    tab: Tab,
    name: string,
    { title, status = 200, withScript = false, ...own }: OwnPart,
  ): Promise<FastifyReply> => {
    const { renderer, request, reply, session } = visit
    const shown = { ...(await around(visit, tab)), ...own }
    return renderer.page(request, reply, name, { session, title, status, withScript }, shown)
  }
