// What a person has just done. The address of the page that follows names it, and a signed cookie makes the page say it, once:
// an address alone says nothing, and a reload does not repeat it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Undo } from '../../core/grants/undo.ts'
import type { Browser } from '../../http/browser/browser.ts'
import type { DoneNames } from '../../words/en/done.ts'
import type { Phrase } from '../../words/phrase.ts'
import { textOf } from './reader-text.ts'
import { pathOf, readCookie, writeCookie } from './signed-cookie.ts'
import type { Notice } from './view-models/frame.ts'

/** What the notice says beside `done`. */
interface Told {
  /** A list of names is one value. */
  names?: { [Name in keyof DoneNames]?: string | string[] | null }
  /** Where the object of the answer is. */
  open?: string
  /** The path of the page of the decision, where the form is sent to another one. */
  from?: string
  /** The name under which `/undo` finds how to undo it. */
  undo?: string
  /** The person may not read what the data APIs know. */
  withoutStop?: boolean
}

/** `at`: the path of the page that says it. `from`: the path of the form. */
interface Carried extends Told {
  at: string
  from: string
  done: string
  /** The page of the stop that the request has made. */
  stop?: string
}

/** What was done last, for people who go back to its page: in their words, and where it led. */
export interface LastAnswer {
  from: string
  said: Phrase
  at: string
}

/** Words, or words with the names of what was done. */
export type Sentence = string | ((names: DoneNames) => Phrase)

const [toNextPage, rememberedFor] = [60, 600] // s
/** Keeps the cookie below the 4 kB of a browser. */
const [longestName, mostNames] = [80, 4]

const told = new WeakMap<FastifyRequest, Told>()
const carried = new WeakMap<FastifyRequest, Carried>()
const answered = new WeakMap<FastifyRequest, LastAnswer>()

/** Adds to what the next page says, if the answer leads to one that says something. */
export const tell = (request: FastifyRequest, { names, ...more }: Told) => {
  const before = told.get(request)
  told.set(request, { ...before, ...more, names: { ...before?.names, ...names } })
}

/** Offers to undo what this request has changed, if it can be undone. */
export const tellUndo = async (
  { request }: { request: FastifyRequest },
  { undo, browser }: { undo: Pick<Undo, 'offerRequest'>; browser: Pick<Browser, 'sessionMark'> },
  byOperator = false,
) => {
  const name = await undo.offerRequest(request.id, browser.sessionMark(request), byOperator)
  if (name !== undefined) tell(request, { undo: name })
}

const shortened = (value: string | string[] | null | undefined) =>
  Array.isArray(value)
    ? value.slice(0, mostNames).map((one) => one.slice(0, longestName))
    : (value?.slice(0, longestName) ?? null)

/** Carries the `done` of the next page's address there. */
const carry = (request: FastifyRequest, reply: FastifyReply, browser: Browser) => {
  const [path = '', query] = String(reply.getHeader('location') ?? '').split('?', 2)
  const done = new URLSearchParams(query).get('done')
  if (done === null) return
  const { names = {}, withoutStop = false, ...more } = told.get(request) ?? {}
  const short = Object.fromEntries(
    Object.entries(names).map(([name, value]) => [name, shortened(value)]),
  )
  const stop = withoutStop ? undefined : reply.getHeader('latchkey-stop')
  const [base] = /^\/(organizations\/[^/]+|account|operator)/.exec(path) ?? []
  const value = {
    ...{ at: path, from: pathOf(request.url), done, names: short, ...more },
    ...(stop !== undefined && base !== undefined && { stop: `${base}/stops/${stop}` }),
  }
  writeCookie(reply, browser.cookie.done, value, toNextPage, browser)
}

/** The cookies of what was done, for each page of the scope. */
export const doneNotices = (scope: FastifyInstance, browser: Browser) => {
  const { done, last, options } = browser.cookie
  scope.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET') return
    const value = readCookie<Carried>(request, done)
    if (value?.at !== pathOf(request.url)) return
    carried.set(request, value)
    reply.clearCookie(done, options)
  })
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 303) carry(request, reply, browser)
    const answer = answered.get(request)
    if (answer) writeCookie(reply, last, answer, rememberedFor, browser)
    return payload
  })
}

/** Remembers an answer after which no page says a notice. */
export const remember = (request: FastifyRequest, answer: LastAnswer) =>
  answered.set(request, answer)

/** The last answer, if it was given on this page, or at an address below which the page is. */
export const lastAnswer = (request: FastifyRequest, { cookie }: Pick<Browser, 'cookie'>) => {
  const answer = readCookie<LastAnswer>(request, cookie.last)
  const path = `${pathOf(request.url)}/`
  return answer && path.startsWith(`${answer.from}/`) && path !== `${answer.at}/` ? answer : null
}

/** The `done` of the form that led to the page; empty: it was opened in another way. */
export const doneOf = (request: FastifyRequest): string => carried.get(request)?.done ?? ''

/** For a page that can be answered again: what was done there last. */
export const lastNotice = (
  request: FastifyRequest,
  browser: Pick<Browser, 'cookie'>,
): Notice | null => {
  const last = lastAnswer(request, browser)
  if (last?.from !== pathOf(request.url)) return null
  const { heading, goOn } = textOf(request).done.already
  const links = [{ label: goOn, href: last.at }]
  return { words: [heading, '. ', ...last.said], tone: 'plain', links }
}

const noticeOf = (request: FastifyRequest, sentence: Sentence, value: Carried) => {
  const { formats, done } = textOf(request)
  const none = { app: null, organization: null, person: null, object: null, where: null }
  const names = Object.fromEntries(
    Object.entries(value.names ?? {}).map(([name, given]) => [
      name,
      Array.isArray(given) ? formats.list.all(given) : given,
    ]),
  )
  const words = typeof sentence === 'string' ? [sentence] : sentence({ ...none, ...names })
  const links = [
    [done.open, value.open],
    [done.stop, value.stop],
  ].flatMap(([label = '', href]) => (href === undefined ? [] : [{ label, href }]))
  return {
    words,
    links,
    undo: value.undo ? { name: value.undo, returnTo: value.at } : null,
  }
}

/**
 * What the visitor has just done; null for a name without words.
 * @param unchanged names of what has changed nothing
 */
export const doneNotice = (
  request: FastifyRequest,
  words: Readonly<Record<string, Sentence>>,
  unchanged: readonly string[] = [],
): Notice | null => {
  const value = carried.get(request)
  const { undone, undone_partly, too_late } = textOf(request).done
  const said: Readonly<Record<string, Sentence>> = { ...words, undone, undone_partly, too_late }
  if (!value || !Object.hasOwn(said, value.done)) return null
  const notice = noticeOf(request, said[value.done] as Sentence, value)
  if ([...unchanged, 'too_late'].includes(value.done)) return { ...notice, tone: 'plain' }
  answered.set(request, { from: value.from, said: notice.words, at: value.at })
  return { ...notice, tone: 'good' }
}
