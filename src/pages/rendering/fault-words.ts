// Says in the language of the reader what a service or the Operator API refuses. Their own details are English, for programs.
import type { Fault } from '../../core/language/faults.ts'
import type { Text } from '../../words/text.ts'

/** Without a reason: the detail is in the words of a page. */
export type RefusedFault = Omit<Fault, 'reason'> & Partial<Pick<Fault, 'reason'>>

export const faultWords = ({ faults }: Text, { pointer, detail, reason }: RefusedFault): string => {
  if (reason === undefined) return detail
  const said = faults[reason]
  // The member of a metadata document that breaks the rule.
  return typeof said === 'function' ? said(pointer.split('/')[2] ?? '') : said
}

const urn = 'urn:latchkey:problem:'

/** A problem as a whole, by its type; without words for it, its detail. */
export const problemWords = (text: Text, { type, detail }: { type: string; detail: string }) => {
  const words: Record<string, unknown> = {
    ...text.faults,
    change_outdated: text.operator.changes.outdated,
    change_waits: text.developer.changes.waits,
    changed_meanwhile: text.form.changedMeanwhile,
    delivery_waits: text.developer.webhooks.done.waits,
  }
  const reason = type.startsWith(urn) ? type.slice(urn.length).replaceAll('-', '_') : ''
  const said = Object.hasOwn(words, reason) ? words[reason] : detail
  return typeof said === 'string' ? said : detail
}
