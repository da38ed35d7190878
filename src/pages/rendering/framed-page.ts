// Pages with a template of their own, in what all pages of an audience have around them, such as tabs.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../core/people/session.ts'
import type { RenderContext, Renderer } from './render.ts'
import type { Pages } from './templates.ts'
import type { PageFrame } from './view-models/frame.ts'

/** One visit of a signed-in user to a page. */
export interface PageVisit {
  renderer: Renderer
  request: FastifyRequest
  reply: FastifyReply
  session: Session
}

type NameOf<Around> = {
  [Name in keyof Pages]: Pages[Name] extends Around ? Name : never
}[keyof Pages]

/** A page without what is around it. */
type OwnPart<Name extends keyof Pages, Around> = Omit<Pages[Name], keyof (PageFrame & Around)> &
  Pick<RenderContext, 'title' | 'withScript'> & { status?: number | undefined }

/** @param around what is around the page with this tab */
export const createFramedPages =
  <Visit extends PageVisit, Tab, Around extends object>(
    around: (visit: Visit, tab: Tab) => Around | Promise<Around>,
  ) =>
  async <Name extends NameOf<Around>>(
    visit: Visit,
    tab: Tab,
    name: Name,
    { title, status = 200, withScript = false, ...own }: OwnPart<Name, Around>,
  ): Promise<FastifyReply> => {
    const { renderer, request, reply, session } = visit
    const shown = { ...(await around(visit, tab)), ...own } as Omit<Pages[Name], keyof PageFrame>
    return renderer.page(request, reply, name, { session, title, status, withScript }, shown)
  }
