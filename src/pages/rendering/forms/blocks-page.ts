// A page that consists of blocks, with the tabs of its audience.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Phrase, plainOf } from '../../../words/phrase.ts'
import { hasFoldedChoice } from '../fields/workspace-choice.ts'
import type { PageVisit } from '../framed-page.ts'
import type { Block, BlocksPage, Cell, FormField } from '../view-models/blocks.ts'
import type { WorkspaceChoice } from '../view-models/steps.ts'

/** Words without names, or a sentence that names what people have named. */
export type Words = string | Phrase

export const wordsOf = (words: Words): Phrase => (typeof words === 'string' ? [words] : words)

/** What is around the blocks, for each page of an audience. */
export type Frame = Pick<BlocksPage, 'tabs' | 'navigation'> &
  Partial<Pick<BlocksPage, 'organization' | 'search'>>

/** A page without what is around it. */
export type PartOfPage = Pick<BlocksPage, 'heading' | 'blocks'> &
  Partial<
    Pick<BlocksPage, 'subject' | 'lead' | 'notice' | 'error' | 'field' | 'isNarrow' | 'back'>
  > & { title?: string; status?: number }

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
  const filters = blocks.flatMap((one) => (one.kind === 'trail' ? one.trail.filter.bar : []))
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
    script,
  })
}

/** The address of the page, without a query. */
export const ownPath = ({ request }: { request: FastifyRequest }) =>
  request.url.split('?', 1)[0] ?? ''

export const leave = (
  { reply }: { reply: FastifyReply },
  path: string,
  done?: string,
): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .redirect(done === undefined ? path : `${path}?done=${done}`, 303)
