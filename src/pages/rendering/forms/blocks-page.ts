// A page that consists of blocks, with the tabs of its audience.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Phrase, plainOf } from '../../../words/phrase.ts'
import { hasFoldedChoice } from '../fields/workspace-choice.ts'
import type { PageVisit } from '../framed-page.ts'
import { asLeft } from '../left-lists.ts'
import type { TabGroup } from '../tab-groups.ts'
import type { Block, Cell, FormField, WorkspaceChoice } from '../view-models/blocks.ts'
import type { Notice, OrganizationName, SearchField } from '../view-models/frame.ts'

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
  title?: string
  status?: number
  /** The name of the thing on the page; null: the heading says everything. */
  subject?: string | null
  heading: Phrase
  lead?: Phrase | null
  notice?: Notice | null
  error?: string | null
  /** `#name` of the field with the error. */
  field?: string | null
  blocks: Block[]
  isNarrow?: boolean
  back?: { label: string; href: string } | null
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
    ...([...fields, ...filters].some(({ pick }) => pick !== null) ? ['pick.js'] : []),
    ...(hasFoldedChoice(fields.flatMap(choicesOf)) ? ['workspaces.js'] : []),
  ]
}

export const showBlocks = (
  { renderer, request, reply, session }: PageVisit,
  frame: Frame,
  { title, status, ...part }: PartOfPage,
): Promise<FastifyReply> => {
  const script = scriptsOf(part.blocks)
  const context = {
    ...{ session, title: title ?? plainOf(part.heading), withScript: script.length > 0 },
    ...(status !== undefined && { status }),
  }
  return renderer.page(request, reply, 'blocks', context, {
    ...{ organization: null, search: null, subject: null, lead: null, notice: null },
    ...{ error: null, field: null, isNarrow: false, back: null },
    ...frame,
    ...part,
    /** The scripts that the page needs. */
    script,
  })
}

/** The address of the page, without a query. */
export const ownPath = ({ request }: { request: FastifyRequest }) =>
  request.url.split('?', 1)[0] ?? ''

/** Leads on; to a list as its reader has left it. */
export const leave = (
  { reply }: { reply: FastifyReply },
  path: string,
  done?: string,
): FastifyReply => {
  const [list = '', ...own] = path.split('?', 2)
  const [address = list, kept] = asLeft(reply.request, list).split('?', 2)
  const query = [...(own.length === 0 || own[0]?.startsWith('done=') ? [kept] : []), ...own]
  const words = [...query, done && `done=${done}`].filter(Boolean).join('&')
  return reply
    .header('cache-control', 'no-store')
    .redirect(words === '' ? address : `${address}?${words}`, 303)
}
