// Pages with what is around them for each audience, such as tabs: those that consist of blocks, and those with a template of
// their own.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../../core/people/session.ts'
import { type Phrase, plainOf } from '../../../words/phrase.ts'
import { hasFoldedChoice } from '../fields/workspace-choice.ts'
import { asLeft } from '../left-lists.ts'
import type { RenderContext, Renderer } from '../render.ts'
import type { TabGroup } from '../tab-groups.ts'
import type { Block, Cell, FormField, WorkspaceChoice } from '../view-models/blocks.ts'
import type { Notice, OrganizationName, SearchField } from '../view-models/frame.ts'

/** One visit of a person who may not be signed in. */
export interface Visitor {
  request: FastifyRequest
  reply: FastifyReply
}

export interface PageVisit extends Visitor {
  renderer: Renderer
  session: Session
}

/** Words without names, or a sentence that names what people have named. */
export type Words = string | Phrase

export const wordsOf = (words: Words): Phrase => (typeof words === 'string' ? [words] : words)

/** What is around the blocks, for each page of an audience. */
export interface Frame {
  tabs: TabGroup[]
  /** The name of the tabs for people who hear the page. */
  navigation: string
  /** Null: the page is not about an organization that its reader administers. */
  organization?: OrganizationName | null
  /** Null: there is nothing to search. */
  search?: SearchField | null
}

/** A page without what is around it. */
export interface PartOfPage {
  /** In the title of the window; absent: the heading. */
  title?: string | undefined
  status?: number
  /** The name of the thing on the page; null: the heading says everything. */
  subject?: string | null | undefined
  heading: Words
  lead?: Words | null | undefined
  notice?: Notice | null | undefined
  error?: string | null
  /** `#name` of the field with the error. */
  field?: string | null
  blocks: Block[]
  isNarrow?: boolean
  back?: { label: string; href: string } | null | undefined
}

/** Those of the field and of what belongs to its options. */
const choicesOf = ({ workspaces, options }: FormField): (WorkspaceChoice | null)[] => [
  workspaces,
  ...options.flatMap(({ more }) => more.flatMap(choicesOf)),
]

const cellsOf = (block: Block): Cell[] => {
  if (block.kind === 'table') return block.rows.flat()
  return block.kind === 'facts' ? block.facts.flatMap(({ cells }) => cells) : []
}

const scriptsOf = (blocks: readonly Block[]): string[] => {
  const isCopied = blocks.some(
    (one) => one.kind === 'secret' || cellsOf(one).some((cell) => cell.isCopied),
  )
  const fields = blocks.flatMap((one) => (one.kind === 'form' ? one.fields : []))
  const filters = blocks.flatMap((one) => {
    if (one.kind === 'trail') return one.trail.filter.bar
    return one.kind === 'table' ? (one.filter?.fields ?? []) : []
  })
  return [
    ...(isCopied ? ['copy.js'] : []),
    ...([...fields, ...filters].some(({ pick }) => pick) ? ['pick.js'] : []),
    ...(hasFoldedChoice(fields.flatMap(choicesOf)) ? ['workspaces.js'] : []),
  ]
}

export const showBlocks = (
  { renderer, request, reply, session }: PageVisit,
  frame: Frame,
  { title, status, lead, ...part }: PartOfPage,
): Promise<FastifyReply> => {
  const heading = wordsOf(part.heading)
  const script = scriptsOf(part.blocks)
  const context = {
    ...{ session, title: title ?? plainOf(heading), withScript: script.length > 0 },
    ...(status !== undefined && { status }),
  }
  return renderer.page(request, reply, 'blocks', context, {
    ...frame,
    ...part,
    heading,
    lead: lead ? wordsOf(lead) : null,
    /** The scripts that the page needs. */
    script,
  })
}

/** A page with a template of its own: its answer, and the data of the template. */
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

/** The address of the page, without a query. */
export const ownPath = ({ request }: { request: FastifyRequest }) =>
  request.url.split('?', 1)[0] ?? ''

/** Leads on; to a list as its reader has left it. */
export const leave = ({ reply }: { reply: FastifyReply }, path: string, done?: string) => {
  const [list = '', ...own] = path.split('?', 2)
  const [address = list, kept] = asLeft(reply.request, list).split('?', 2)
  const query = [...(own.length === 0 || own[0]?.startsWith('done=') ? [kept] : []), ...own]
  const words = [...query, done && `done=${done}`].filter(Boolean).join('&')
  return reply
    .header('cache-control', 'no-store')
    .redirect(words === '' ? address : `${address}?${words}`, 303)
}
