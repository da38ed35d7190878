// Forms of the console. Each one is a call of the Operator API, with the rights of the operator.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { faultWords, problemWords } from '../rendering/fault-words.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import type { Body } from '../rendering/forms/form-field.ts'
import {
  createFormPages,
  type FormSpec,
  type Refusal,
  fieldRefusal as refusalOfField,
} from '../rendering/forms/form-page.ts'
import type { ApiCall, ApiRefusal } from './api.ts'
import { type ConsoleTab, home, showConsole } from './console-page.ts'
import {
  type ConsoleSecret,
  createOperatorGate,
  type OperatorPagesDependencies,
  type OperatorVisit,
} from './gate.ts'

/** Why a call cannot be made. */
export type Refused = { refusal: Refusal }

type Call = ApiCall | Refused

/** A form of the console, and what it does. */
export interface ConsoleForm extends Omit<FormSpec, 'version' | 'secret'> {
  tab: ConsoleTab
  cancelUrl: string
  etag?: string
  /** Puts a refusal of the API into words of the form. */
  refused?(refusal: ApiRefusal): ApiRefusal | Refusal
  /** The call of the submitted form, or why it cannot be made. */
  call(body: Body): Call | Promise<Call>
  /** Where the operator goes on. */
  done(answer: never): FastifyReply
  /** The secret in the answer, which the next page shows once; null: there is none. */
  secretOf?(answer: never): ConsoleSecret | null
}

const secretUrl = (name: string) => `${home}/secret?${new URLSearchParams({ handover: name })}`

/** The status of a change of another version. */
const stale = 412

const pointerName = (pointer: string) => pointer.split('/')[1] ?? ''

/** The first fault of each field of the form. */
const errorsOf = ({ text }: OperatorVisit, { errors }: ApiRefusal, spec: ConsoleForm) => {
  const own = new Map<string, string>()
  for (const fault of errors) {
    const name = pointerName(fault.pointer)
    const field = spec.fields.find((one) => one.name === name)
    if (field && !own.has(name)) own.set(name, field.fault ?? faultWords(text, fault))
  }
  return own
}

/** Faults of what is no field of the form, such as a member of an imported document. */
const summaryOf = ({ text }: OperatorVisit, refusal: ApiRefusal) => {
  const [first] = refusal.errors
  if (!first) return problemWords(text, refusal)
  const name = first.pointer.split('/').slice(1).join('.')
  const words = faultWords(text, first)
  return name === '' ? words : `${name}: ${words}`
}

const refusalOf = (visit: OperatorVisit, refusal: ApiRefusal, spec: ConsoleForm): Refusal => {
  const worded = spec.refused?.(refusal) ?? refusal
  if ('summary' in worded) return worded
  const isStale = worded.status === stale
  return {
    status: worded.status,
    isStale,
    errors: errorsOf(visit, worded, spec),
    summary: isStale ? visit.text.form.changedMeanwhile : summaryOf(visit, worded),
  }
}

/** A field that the API would refuse in the same way. */
export const fieldRefusal = (name: string, words: string): Refused => ({
  refusal: refusalOfField(name, words),
})

export type Specify = (visit: OperatorVisit) => Promise<ConsoleForm> | ConsoleForm

/**
 * A page with one form, at its own address.
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
  const { browser, renderer, oneTimeSecrets } = deps
  const asOperator = createOperatorGate(deps)

  const forms = createFormPages<OperatorVisit, ConsoleForm & FormSpec>({
    browser,
    show: (visit, { tab }, page) => showConsole(renderer, visit, { tab, ...page }),
    work: async (visit, spec, body, { version, handover, mark }) => {
      const call = await spec.call(body)
      // A form without a version does not fit what exists by now.
      const etag = version || (spec.version === undefined ? undefined : '"none"')
      if ('refusal' in call) return call.refusal
      const outcome = await visit.api.change<never>({ ...call, etag })
      if ('refusal' in outcome) return refusalOf(visit, outcome.refusal, spec)
      const secret = spec.secretOf?.(outcome.answer) ?? null
      if (secret === null) return { reply: spec.done(outcome.answer) }
      const isKept = await oneTimeSecrets.offer(handover, secret, mark)
      const name = isKept ? handover : await oneTimeSecrets.store(secret, mark)
      return { reply: leave(visit, secretUrl(name)) }
    },
  })

  const asForm = async (visit: OperatorVisit) => {
    const { etag, ...spec } = await specify(visit)
    return {
      ...spec,
      ...(etag !== undefined && { version: etag }),
      ...(spec.secretOf && { secret: { oneTime: oneTimeSecrets, shownAt: secretUrl } }),
    }
  }

  const rules = { permission, isRecent: true } as const
  scope.get(
    path,
    asOperator(rules, (visit) => forms.get(visit, asForm)),
  )
  scope.post(
    path,
    asOperator(rules, (visit) => forms.send(visit, asForm, decidedAt)),
  )
}

type Confirmed = Pick<ConsoleForm, 'tab' | 'cancelUrl' | 'call' | 'done' | 'etag' | 'secretOf'> & {
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
