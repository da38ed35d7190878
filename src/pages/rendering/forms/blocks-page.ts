// A page that consists of blocks, with the tabs of its audience.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Phrase } from '../../../words/phrase.ts'
import { hasFoldedChoice } from '../fields/workspace-choice.ts'
import type { PageVisit } from '../framed-page.ts'
import type { Block, BlocksPage, FormField } from '../view-models/blocks.ts'
import type { WorkspaceChoice } from '../view-models/steps.ts'

/** Words without names, or a sentence that names what people have named. */
export type Words = string | Phrase

export const wordsOf = (words: Words): Phrase => (typeof words === 'string' ? [words] : words)

const asText = (words: Phrase) =>
  words.map((part) => (typeof part === 'string' ? part : part.name)).join('')

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

const scriptOf = (blocks: readonly Block[]): string | null => {
  if (blocks.some(({ kind }) => kind === 'secret')) return 'copy-secret.js'
  const fields = blocks.flatMap((one) => (one.kind === 'form' ? one.fields : []))
  if (fields.some(({ pick }) => pick !== null)) return 'pick.js'
  const choices = fields.flatMap(choicesOf)
  return hasFoldedChoice(choices) ? 'workspaces.js' : null
}

export const showBlocks = (
  { renderer, request, reply, session }: PageVisit,
  frame: Frame,
  { title, status, ...part }: PartOfPage,
): Promise<FastifyReply> => {
  const script = scriptOf(part.blocks)
  const context = {
    ...{ session, title: title ?? asText(part.heading), withScript: script !== null },
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
