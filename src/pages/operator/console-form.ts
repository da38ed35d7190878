// Forms of the console. Each one is a call of the Operator API, with the rights of the operator.

import type { InProcessCall } from '../../http/operator/in-process.ts'
import type { Text } from '../../words/text.ts'
import { tell, tellUndo } from '../rendering/done-notice.ts'
import { faultWords, problemWords } from '../rendering/fault-words.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { type Body, faultsAt } from '../rendering/forms/form-field.ts'
import {
  createFormPages,
  type FormSpec,
  type Refusal,
  fieldRefusal as refusalOfField,
  type Sent,
} from '../rendering/forms/form-page.ts'
import type { ApiRefusal } from './api.ts'
import { type ConsoleTab, home, showConsole } from './console-page.ts'
import { isLed } from './first-steps.ts'
import type { ConsoleSecret, OperatorPagesDependencies, OperatorVisit } from './gate.ts'

export type Refused = { refusal: Refusal }

type Done = keyof Text['done']['console'] | 'resent'

export interface ConsoleForm extends Omit<FormSpec, 'version' | 'secret'> {
  cancelUrl: string
  etag?: string | undefined
  /** Puts a refusal of the API into words of the form. */
  refused?(refusal: ApiRefusal): ApiRefusal | Refusal
  /** The call, or how to make it of the submitted form. */
  call: InProcessCall | ((body: Body) => InProcessCall | Refused | Promise<InProcessCall | Refused>)
  /** Absent: what the method of the call has done. null: nothing. */
  done?: Done | null
  /** The next page offers to undo it. */
  canUndo?: boolean
  /** On an empty server it leads back to the first steps. */
  isFirstStep?: true
  /** Where the operator goes on; absent: to `cancelUrl`. */
  next?: string | ((answer: never) => string)
  /** The secret in the answer, which the next page shows once; null: there is none. */
  secretOf?(answer: never): ConsoleSecret | null
}

const doneBy: Record<InProcessCall['method'], Done | null> = {
  GET: null,
  POST: 'created',
  PUT: 'saved',
  PATCH: 'saved',
  DELETE: 'deleted',
}

const secretUrl = (name: string) => `${home}/secret?${new URLSearchParams({ handover: name })}`

/** The status of a change of another version. */
const stale = 412

/** The name of what a form makes or changes; null: it has none. */
const nameIn = ({ name, email }: Body) => String(name ?? email ?? '') || null

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
    errors: faultsAt(visit.text, spec.fields, worded.errors).errors,
    summary: isStale ? visit.text.form.changedMeanwhile : summaryOf(visit, worded),
  }
}

/** A field that the API would refuse in the same way. */
export const fieldRefusal = (name: string, words: string): Refused => ({
  refusal: refusalOfField(name, words),
})

const send = async (
  deps: OperatorPagesDependencies,
  visit: OperatorVisit,
  spec: ConsoleForm & FormSpec,
  body: Body,
  { version, handover, mark }: Sent,
) => {
  const call = typeof spec.call === 'function' ? await spec.call(body) : spec.call
  if ('refusal' in call) return call.refusal
  // A form without a version does not fit what exists by now.
  const etag = version || (spec.version === undefined ? undefined : '"none"')
  const leadsBack = spec.isFirstStep === true && (await isLed(deps))
  const outcome = await visit.api.change<never>({ ...call, etag })
  if ('refusal' in outcome) return refusalOf(visit, outcome.refusal, spec)
  const secret = spec.secretOf?.(outcome.answer) ?? null
  if (secret !== null) {
    const { oneTimeOperatorSecrets } = deps
    if (leadsBack) secret.backUrl = home
    const isKept = await oneTimeOperatorSecrets.offer(handover, secret, mark)
    const name = isKept ? handover : await oneTimeOperatorSecrets.store(secret, mark)
    return { reply: leave(visit, secretUrl(name)) }
  }
  const done = spec.done === undefined ? doneBy[call.method] : spec.done
  const names = { object: spec.subject ?? nameIn(body) }
  tell(visit.request, { names, withoutStop: !visit.may('installs:read') })
  if (spec.canUndo) await tellUndo(visit, deps, true)
  const { next = spec.cancelUrl } = spec
  const ahead = typeof next === 'function' ? next(outcome.answer) : next
  return { reply: leave(visit, leadsBack ? home : ahead, done ?? undefined) }
}

/** The form, or the address of the page that an operator gets instead. */
export type Specify = (visit: OperatorVisit) => Promise<ConsoleForm | string> | ConsoleForm | string

/** The forms of a tab, by what specifies them. */
export const createConsoleForms = (deps: OperatorPagesDependencies, tab: ConsoleTab) => {
  const { browser, oneTimeOperatorSecrets: oneTime } = deps
  const forms = createFormPages<OperatorVisit, ConsoleForm & FormSpec>({
    browser,
    show: (visit, _spec, page) => showConsole(visit, tab, page),
    work: (...sent) => send(deps, ...sent),
  })
  const asForm = (specify: Specify) => async (visit: OperatorVisit) => {
    const specified = await specify(visit)
    if (typeof specified === 'string') return specified
    const { etag, ...spec } = specified
    return {
      ...spec,
      ...(etag !== undefined && { version: etag }),
      ...(spec.secretOf && { secret: { oneTime, shownAt: secretUrl } }),
    }
  }
  return {
    get: (visit: OperatorVisit, specify: Specify) => forms.get(visit, asForm(specify)),
    send: (visit: OperatorVisit, specify: Specify, decidedAt: string | null) =>
      forms.send(visit, asForm(specify), decidedAt),
  }
}
