// A page with one form, for each audience: GET shows it, POST sends it. The audience gives the page around the form, and
// does the work.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { OneTimeSecrets } from '../../../core/organizations/one-time-secrets.ts'
import type { Browser } from '../../../http/browser/browser.ts'
import type { Text } from '../../../words/text.ts'
import { lastNotice } from '../done-notice.ts'
import { typedValuesTable } from '../fields/typed-values.ts'
import { asLeft } from '../left-lists.ts'
import type { Block, FormAnswer } from '../view-models/blocks.ts'
import { leave, ownPath, type PartOfPage, type Words, wordsOf } from './blocks-page.ts'
import {
  allFields,
  anchorOf,
  type Body,
  bodyOf,
  emptyFields,
  type Field,
  fieldOf,
  type Submitted,
  valuesIn,
} from './form-field.ts'
import { field } from './sent-values.ts'

export interface FormVisit {
  request: FastifyRequest
  reply: FastifyReply
  text: Text
}

/** Shows what a form would make, and decides nothing. */
export interface FormPreview {
  submit: string
  /** How it is shown. They are no fields of the body. */
  choices: readonly Field[]
  show(body: Body): Promise<Block>
}

/** The `decision` of the button of a preview. */
const previewing = 'preview'

/** A form, and the page that it is on. */
export interface FormSpec
  extends Pick<PartOfPage, 'heading' | 'title' | 'subject' | 'lead' | 'notice' | 'back'> {
  blocks?: Block[]
  fields: readonly Field[]
  /** Null: the page is about the form only. */
  formHeading?: string | null
  /** Null: nothing can be submitted, and the blocks say why. */
  submit: Words | null
  isDanger?: boolean
  /** The page that shows what is stored, without a query; null: it is this page. */
  cancelUrl: string | null
  /** Where the form is sent; absent: to the address of the page. */
  action?: string
  /** The `decision` of the button, at an address that takes several forms. */
  decision?: string
  /** Another answer beside it. */
  other?: FormAnswer
  preview?: FormPreview
  /** Takes the file of the form in, before anything else. @returns why it cannot */
  receive?(): Promise<Refusal | null>
  hidden?: Record<string, string>
  /** The version that the form shows; a change of another version is refused. */
  version?: string
  /** Says who has changed it meanwhile, and what is stored now; absent: a table of what differs. */
  saved?(): Promise<Block>
  /** The secret that the form makes, and the page that shows it once; absent: none. */
  secret?: {
    oneTime: Pick<OneTimeSecrets<object>, 'newName' | 'isOffered'>
    shownAt(handover: string): string
  }
}

export interface Refusal {
  status: number
  /** Another person has saved another version. */
  isStale?: boolean
  /** What is wrong with fields, by name. */
  errors: ReadonlyMap<string, string>
  /** What is wrong, if it is no field. */
  summary: string
}

/** @param status that of a field that the service would refuse in the same way */
export const fieldRefusal = (name: string, words: string, status = 400): Refusal => ({
  status,
  errors: new Map([[name, words]]),
  summary: words,
})

/** What a submitted form carries beside its fields. */
export interface Sent {
  /** The version that the form shows; empty: it shows none. */
  version: string
  /** Under which the next page finds a new secret. */
  handover: string
  /** Of the browser, which alone can fetch that secret. */
  mark: string
}

export interface Audience<Visit extends FormVisit, Spec extends FormSpec> {
  browser: Pick<Browser, 'sessionMark' | 'cookie'>
  show(visit: Visit, spec: Spec, page: PartOfPage): Promise<FastifyReply>
  work(visit: Visit, spec: Spec, body: Body, sent: Sent): Promise<{ reply: FastifyReply } | Refusal>
}

/** The status of a change that what is stored does not allow. */
const conflict = 409

const formOf = (
  visit: FormVisit,
  spec: FormSpec,
  submit: Words,
  submitted: Submitted | null,
  isStale: boolean,
): Block & { kind: 'form' } => {
  // A form that is stale has the present version now, so submitting it again replaces what is stored.
  const shown = submitted && !isStale ? field(visit.request, 'version') : ''
  const version = spec.version === undefined ? undefined : shown || spec.version
  const hidden = {
    ...spec.hidden,
    ...(version !== undefined && { version }),
    ...(spec.secret && { handover: spec.secret.oneTime.newName() }),
  }
  const { formHeading: heading, decision, other, preview, isDanger } = spec
  return {
    ...{ kind: 'form', method: 'post', heading, decision, other, isDanger },
    action: spec.action ?? ownPath(visit),
    hidden: Object.entries(hidden).map(([name, value]) => ({ name, value })),
    fields: spec.fields.map((one) => fieldOf(one, submitted)),
    submit: wordsOf(isStale && !spec.saved ? visit.text.form.conflict.submit : submit),
    preview: preview && {
      choices: preview.choices.map((one) => fieldOf(one, submitted)),
      answer: { submit: preview.submit, decision: previewing },
    },
    withFile: spec.receive !== undefined,
    cancelUrl: spec.cancelUrl && asLeft(visit.request, spec.cancelUrl),
  }
}

/**
 * The page of a form.
 * @param refusal why the form that was submitted is shown again
 * @param preview what it would make, above what was typed
 */
export const partOf = async (
  visit: FormVisit,
  spec: FormSpec,
  refusal?: Refusal,
  preview: Block | null = null,
): Promise<PartOfPage> => {
  const { text, request } = visit
  const isStale = refusal?.isStale ?? false
  const all = allFields(spec.fields)
  const typed = (one: Field) => valuesIn(request, one)
  const isTyped = refusal !== undefined || preview !== null
  const submitted = isTyped ? { values: typed, errors: refusal?.errors ?? new Map() } : null
  const faulty = all.find(({ name }) => refusal?.errors.has(name))
  const above = isStale
    ? [(await spec.saved?.()) ?? typedValuesTable(text, all, typed)]
    : (spec.blocks ?? [])
  const { heading, title, subject, lead, notice, back } = spec
  return {
    ...{ heading, title, subject, lead, back },
    ...(refusal ? { status: refusal.status } : { notice }),
    isNarrow: true,
    error: faulty ? (refusal?.errors.get(faulty.name) ?? null) : (refusal?.summary ?? null),
    field: faulty ? `#${anchorOf(faulty)}` : null,
    blocks: [
      ...(preview ? [preview] : above),
      ...(spec.submit === null ? [] : [formOf(visit, spec, spec.submit, submitted, isStale)]),
    ],
  }
}

export const createFormPages = <Visit extends FormVisit, Spec extends FormSpec>({
  browser,
  show: showPage,
  work,
}: Audience<Visit, Spec>) => {
  const show = async (
    visit: Visit,
    spec: Spec,
    refusal?: Refusal,
    preview?: Block,
  ): Promise<FastifyReply> => showPage(visit, spec, await partOf(visit, spec, refusal, preview))

  /** The form, or the address of the page that a person gets instead. */
  type Specify = (visit: Visit) => Promise<Spec | string> | Spec | string

  /** The form that can be submitted now, or the way to what is there instead. */
  const submittable = async (
    visit: Visit,
    specify: Specify,
    decidedAt: string | null,
  ): Promise<{ spec: Spec } | { reply: FastifyReply }> => {
    try {
      const spec = await specify(visit)
      if (typeof spec === 'string') return { reply: leave(visit, spec) }
      return spec.submit === null ? { reply: leave(visit, ownPath(visit)) } : { spec }
    } catch (error) {
      if (decidedAt === null || !(error instanceof NotFound)) throw error
      return { reply: leave(visit, decidedAt, 'decided') }
    }
  }

  /** @param decidedAt for a form that decides something once: where a person goes on whom another one has overtaken */
  const send = async (visit: Visit, specify: Specify, decidedAt: string | null = null) => {
    const { request, text } = visit
    const now = await submittable(visit, specify, decidedAt)
    if ('reply' in now) return now.reply
    const { spec } = now
    const unreceived = await spec.receive?.()
    if (unreceived) return show(visit, spec, unreceived)
    if (spec.preview && field(request, 'decision') === previewing)
      return show(visit, spec, undefined, await spec.preview.show(bodyOf(request, spec.fields)))
    const [handover, mark] = [field(request, 'handover'), browser.sessionMark(request)]
    // The second click of a double click leads to the secret that the first one made.
    if (spec.secret && (await spec.secret.oneTime.isOffered(handover, mark)))
      return leave(visit, spec.secret.shownAt(handover))
    const empty = emptyFields(request, spec.fields)
    if (empty.length > 0) {
      const errors = new Map(
        empty.map(({ name, missing }) => [name, missing ?? text.faults.required]),
      )
      return show(visit, spec, { status: 400, errors, summary: text.faults.required })
    }
    const sent = { version: field(request, 'version'), handover, mark }
    const outcome = await work(visit, spec, bodyOf(request, spec.fields), sent)
    if ('reply' in outcome) return outcome.reply
    // Nothing is typed that could be compared: the person gets what is stored now.
    const isBare = spec.fields.every(({ values }) => values === undefined)
    if (outcome.isStale && isBare && spec.cancelUrl !== null)
      return leave(visit, spec.cancelUrl, 'outdated')
    if (outcome.status === conflict && !outcome.isStale) {
      const later = await submittable(visit, specify, decidedAt)
      if ('reply' in later) return later.reply
    }
    return show(visit, spec, outcome)
  }

  const get = async (visit: Visit, specify: Specify): Promise<FastifyReply> => {
    const spec = await specify(visit)
    if (typeof spec === 'string') return leave(visit, spec)
    // A decision, which a person may have gone back to.
    const last = spec.fields.length === 0 ? lastNotice(visit.request, browser) : null
    return show(visit, last ? { ...spec, notice: last } : spec)
  }

  return { get, send }
}
