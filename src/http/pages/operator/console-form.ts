// Forms of the console. A field has the name of the API's field, so the form is the body of the call.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import { field, fields } from '../rendering/forms.ts'
import type { Block, FormField, FormOption } from '../rendering/operator-view-models.ts'
import type { ApiCall, ApiRefusal } from './api.ts'
import type { Field } from './console-field.ts'
import { type ConsolePage, type ConsoleTab, leave, ownPath, showConsole } from './console-page.ts'
import { faultWords, refusalWords } from './fault-words.ts'
import {
  type ConsoleSecret,
  createOperatorGate,
  type OperatorPagesDependencies,
  type OperatorVisit,
} from './operator-gate.ts'
import { typedValuesTable } from './typed-values.ts'

export type Body = Record<string, unknown>

type Call = ApiCall | { refusal: ApiRefusal }

/** A form of the console, and what it does. */
export interface FormSpec {
  tab: ConsoleTab
  heading: string
  subject?: string | null
  lead?: string | null
  blocks?: Block[]
  fields: Field[]
  /** Null: nothing can be submitted, and the blocks say why. */
  submit: string | null
  isDanger?: boolean
  /** The page that shows what is stored, without a query. */
  cancelUrl: string
  /** The version that the form shows; a change of another version is refused. */
  etag?: string
  /** Puts a refusal of the API into words of the form. */
  refused?(refusal: ApiRefusal): ApiRefusal
  /** The call of the submitted form, or why it cannot be made. */
  call(body: Body): Call | Promise<Call>
  /** Where the operator goes on. */
  done(answer: never): FastifyReply
  /** The secret in the answer, which the next page shows once; null: there is none. */
  secretOf?(answer: never): ConsoleSecret | null
}

const valuesIn = ({ request }: OperatorVisit, { kind, name }: Field): string[] =>
  kind === 'ticks'
    ? fields(request, name)
    : kind === 'area'
      ? field(request, name).split(/\r?\n/)
      : [field(request, name)]

const bodyValue = (visit: OperatorVisit, one: Field): unknown => {
  const values = valuesIn(visit, one)
  if (one.kind === 'tick') return values[0] === 'yes'
  if (one.kind === 'ticks') return values
  const filled = values
    .map((value) => (one.kind === 'password' ? value : value.trim()))
    .filter(Boolean)
  if (one.kind === 'area' && one.isCode) return filled
  return filled.length === 0 ? one.whenEmpty : filled.join('\n')
}

const bodyOf = (visit: OperatorVisit, all: readonly Field[]): Record<string, unknown> =>
  Object.fromEntries(
    all
      .filter(({ isOutside }) => !isOutside)
      .map((one) => [one.name, bodyValue(visit, one)] as const)
      .filter(([, value]) => value !== undefined),
  )

interface Submitted {
  values(one: Field): readonly string[]
  errors: ReadonlyMap<string, string>
}

const optionsOf = (one: Field, chosen: readonly string[]): FormOption[] =>
  (one.options ?? []).map(({ value, label, hint = null, isWords = false }) => ({
    value,
    label,
    hint,
    isCode: (one.isCode ?? false) && !isWords,
    isChosen: chosen.includes(value),
  }))

const fieldOf = (one: Field, submitted: Submitted | null): FormField => {
  const values = submitted?.values(one) ?? one.values ?? []
  return {
    kind: one.kind,
    name: one.name,
    label: one.label,
    hint: one.hint ?? null,
    error: submitted?.errors.get(one.name) ?? null,
    value: one.kind === 'password' ? '' : values.join('\n'),
    isRequired: one.isRequired ?? false,
    isCode: one.isCode ?? false,
    options: optionsOf(one, values),
  }
}

const secretUrl = (name: string) => `/operator/secret?${new URLSearchParams({ handover: name })}`

/** The status of a change of another version. */
const stale = 412
/** The status of a change that what is stored does not allow. */
const conflict = 409

const pointerName = (pointer: string) => pointer.split('/')[1] ?? ''

/** The first fault of each field of the form; the others become the summary. */
const errorsOf = ({ text }: OperatorVisit, { errors }: ApiRefusal, spec: FormSpec) => {
  const own = new Map<string, string>()
  for (const fault of errors) {
    const { pointer, detail } = fault
    const name = pointerName(pointer)
    const field = spec.fields.find((one) => one.name === name)
    if (field && !own.has(name))
      own.set(name, fault.isWorded ? detail : faultWords(text, field, fault))
  }
  return own
}

/** Faults of what is no field of the form, such as a member of an imported document. */
const summaryOf = ({ text }: OperatorVisit, refusal: ApiRefusal) => {
  const [first] = refusal.errors
  if (!first) return refusalWords(text, refusal)
  const name = first.pointer.split('/').slice(1).join('.')
  return name === '' ? first.detail : `${name}: ${first.detail}`
}

const refusalOf = (errors: ApiRefusal['errors']): { refusal: ApiRefusal } => ({
  refusal: { status: 400, type: 'about:blank', detail: '', errors },
})

/** A field that the API would refuse in the same way. */
export const fieldRefusal = (name: string, detail: string) =>
  refusalOf([{ pointer: `/${name}`, detail, isWorded: true }])

/** Required fields that are empty. Most browsers do not send these, except with spaces. */
const emptyFields = (visit: OperatorVisit, { fields }: FormSpec) => {
  const detail = visit.text.operator.faults.required
  const empty = fields.filter(
    (one) => one.isRequired && valuesIn(visit, one).every((value) => value.trim() === ''),
  )
  return empty.length === 0
    ? null
    : refusalOf(empty.map(({ name }) => ({ pointer: `/${name}`, detail, isWorded: true })))
}

/** The version that the submitted form shows. A form without one does not fit what exists by now. */
const versionOf = ({ request }: OperatorVisit, { etag }: FormSpec): string | undefined =>
  field(request, 'version') || (etag === undefined ? undefined : '"none"')

export type Specify = (visit: OperatorVisit) => Promise<FormSpec> | FormSpec

/**
 * A page with one form, at its own address. GET shows it, POST sends it.
 * @param decidedAt for a form that decides something once: where an operator goes on whom another one has overtaken
 */
export const formPage = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
  path: string,
  permission: OperatorPermission,
  specify: Specify,
  decidedAt: string | null = null,
) => {
  const asOperator = createOperatorGate(deps)

  const formOf = (
    visit: OperatorVisit,
    spec: FormSpec,
    submit: string,
    submitted: Submitted | null,
    isStale: boolean,
  ): Block => ({
    kind: 'form',
    method: 'post',
    action: ownPath(visit),
    heading: null,
    hidden: [
      ...(spec.etag === undefined ? [] : [{ name: 'version', value: spec.etag }]),
      ...(spec.secretOf ? [{ name: 'handover', value: deps.oneTimeSecrets.newName() }] : []),
    ],
    fields: spec.fields.map((one) => fieldOf(one, submitted)),
    // The form has the present version now, so submitting it again replaces what is stored.
    submit: isStale ? visit.text.operator.daily.conflict.submit : submit,
    isDanger: spec.isDanger ?? false,
    cancelUrl: spec.cancelUrl,
  })

  const show = (visit: OperatorVisit, spec: FormSpec, refusal?: ApiRefusal) => {
    const { text } = visit
    const errors = refusal ? errorsOf(visit, refusal, spec) : new Map<string, string>()
    const submitted = refusal ? { values: (one: Field) => valuesIn(visit, one), errors } : null
    const [first] = errors.keys()
    const isStale = refusal?.status === stale
    const summary =
      refusal === undefined
        ? null
        : isStale
          ? text.operator.changedMeanwhile
          : first === undefined
            ? summaryOf(visit, refusal)
            : text.operator.seeField
    const page: ConsolePage = {
      tab: spec.tab,
      heading: spec.heading,
      subject: spec.subject ?? null,
      lead: spec.lead ?? null,
      isNarrow: true,
      error: summary,
      field: first === undefined ? null : `#${first}`,
      ...(refusal && { status: refusal.status }),
      blocks: [
        ...(isStale
          ? [typedValuesTable(text, spec.fields, (one) => valuesIn(visit, one))]
          : (spec.blocks ?? [])),
        ...(spec.submit === null ? [] : [formOf(visit, spec, spec.submit, submitted, isStale)]),
      ],
    }
    return showConsole(deps.renderer, visit, page)
  }

  /** The form that can be submitted now, or the way to what is there instead. */
  const submittable = async (
    visit: OperatorVisit,
  ): Promise<{ spec: FormSpec } | { reply: FastifyReply }> => {
    try {
      const spec = await specify(visit)
      return spec.submit === null ? { reply: leave(visit, ownPath(visit)) } : { spec }
    } catch (error) {
      if (decidedAt === null || !(error instanceof NotFound)) throw error
      return { reply: leave(visit, decidedAt, 'decided') }
    }
  }

  const send = async (visit: OperatorVisit) => {
    const { request, api } = visit
    const now = await submittable(visit)
    if ('reply' in now) return now.reply
    const { spec } = now
    const [handover, mark] = [field(request, 'handover'), deps.browser.sessionMark(request)]
    // The second click of a double click leads to the secret that the first one made.
    if (spec.secretOf && (await deps.oneTimeSecrets.isOffered(handover, mark)))
      return leave(visit, secretUrl(handover))
    const etag = versionOf(visit, spec)
    const empty = emptyFields(visit, spec)
    const call = empty ?? (await spec.call(bodyOf(visit, spec.fields)))
    const outcome = 'refusal' in call ? call : await api.change<never>({ ...call, etag })
    if ('refusal' in outcome) {
      // Nothing is typed that could be compared: the operator gets what is stored now.
      if (outcome.refusal.status === stale && spec.fields.length === 0)
        return leave(visit, spec.cancelUrl, 'outdated')
      if (outcome.refusal.status === conflict) {
        const later = await submittable(visit)
        if ('reply' in later) return later.reply
      }
      const refusal = spec.refused?.(outcome.refusal) ?? outcome.refusal
      return show(visit, spec, refusal)
    }
    const secret = spec.secretOf?.(outcome.answer) ?? null
    if (secret === null) return spec.done(outcome.answer)
    const isKept = await deps.oneTimeSecrets.offer(handover, secret, mark)
    const name = isKept ? handover : await deps.oneTimeSecrets.store(secret, mark)
    return leave(visit, secretUrl(name))
  }

  const rules = { permission, isRecent: true } as const
  scope.get(
    path,
    asOperator(rules, async (visit) => show(visit, await specify(visit))),
  )
  scope.post(path, asOperator(rules, send))
}

type Confirmed = Pick<FormSpec, 'tab' | 'cancelUrl' | 'call' | 'done' | 'etag' | 'secretOf'> & {
  words: { heading: string; lead?: string; submit: string }
  subject: string
  /** Absent: something stops working. */
  isHarmless?: boolean
}

/** A page that asks once more, and says what stops working. */
export const confirmPage = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
  path: string,
  permission: OperatorPermission,
  specify: (visit: OperatorVisit) => Promise<Confirmed>,
) =>
  formPage(scope, deps, path, permission, async (visit) => {
    const { words, isHarmless = false, ...spec } = await specify(visit)
    return { ...spec, ...words, fields: [], isDanger: !isHarmless }
  })

/** The end of a form without a secret. */
export const doneAt = (visit: OperatorVisit, path: string, done: string) => () =>
  leave(visit, path, done)
