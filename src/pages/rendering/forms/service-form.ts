// Forms whose work is done by a service of this process, which refuses with `Invalid` and `Conflict`.
import type { Fault } from '../../../core/language/faults.ts'
import { Conflict, Invalid } from '../../../core/language/service-errors.ts'
import type { Text } from '../../../words/text.ts'
import { tamperedForm } from './approval-form.ts'
import { leave } from './blocks-page.ts'
import { type Body, faultsAt } from './form-field.ts'
import type { FormSpec, FormVisit, Refusal, Sent } from './form-page.ts'

export interface ServiceForm extends FormSpec {
  /** Does what the form asks. @returns the address of the next page, or why the form is shown again */
  work(body: Body, sent: Sent): Promise<string | Refusal>
  /** Said for a fault that no field of the form has; absent: no page can cause it. */
  otherFault?: string
}

/** @throws OAuthError for a fault that no page can cause */
const refusalOf = (text: Text, spec: ServiceForm, faults: readonly Fault[]): Refusal => {
  const { errors, others } = faultsAt(text, spec.fields, faults)
  if (others.length > 0 && spec.otherFault === undefined) throw tamperedForm()
  return { status: 400, errors, summary: spec.otherFault ?? '' }
}

/** The work of such a form, for `createFormPages`. */
export const serviceWork = async (visit: FormVisit, spec: ServiceForm, body: Body, sent: Sent) => {
  try {
    const outcome = await spec.work(body, sent)
    return typeof outcome === 'string' ? { reply: leave(visit, outcome) } : outcome
  } catch (error) {
    if (error instanceof Invalid) return refusalOf(visit.text, spec, error.faults)
    if (!(error instanceof Conflict) || error.reason !== 'changed_meanwhile') throw error
    const summary = visit.text.form.changedMeanwhile
    return { status: 409, isStale: true, errors: new Map(), summary }
  }
}
