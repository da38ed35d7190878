import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { type ConsoleForm, createConsoleForms, fieldRefusal, type Specify } from './console-form.ts'
import { type ConsolePage, type ConsoleTab, showConsole } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'

interface Confirmed
  extends Pick<ConsoleForm, 'cancelUrl' | 'call' | 'done' | 'next' | 'etag' | 'secretOf'> {
  words: { heading: string; lead?: string; submit: string }
  subject: string
  /** Absent: something stops working. */
  isHarmless?: boolean
  /** What goes along. */
  goes?: string
  /** The name that has to be typed; absent: none. */
  typedName?: string
}

/** Names that differ in case or spaces only are alike. */
const folded = (name: string) =>
  [...name.normalize('NFKC').toLowerCase()].filter((one) => one.trim() !== '').join('')

/** The field in which an operator types the name of what is deleted. */
const typedField = ({ text }: OperatorVisit): Field => ({
  ...{ name: 'typed_name', kind: 'text', label: text.deletion.typeName },
  ...{ isRequired: true, isOutside: true },
})

/** Adds pages to one tab of the console, each at its own address and for operators with its permission. */
export const createTab = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
  tab: ConsoleTab,
) => {
  const asOperator = createOperatorGate(deps)
  const forms = createConsoleForms(deps, tab)

  /**
   * @param permission null: for each operator
   * @param read the page, or the address of another one
   */
  const page = (
    path: string,
    permission: OperatorPermission | null,
    read: (visit: OperatorVisit) => Promise<ConsolePage | string>,
  ) => {
    scope.get(
      path,
      asOperator({ permission }, async (visit) => {
        const shown = await read(visit)
        return typeof shown === 'string' ? leave(visit, shown) : showConsole(visit, tab, shown)
      }),
    )
  }

  /** A page or a file that is no list of blocks, or an address that leads to another one. */
  const get = (
    path: string,
    permission: OperatorPermission,
    answer: (visit: OperatorVisit) => Promise<FastifyReply>,
  ) => {
    scope.get(path, asOperator({ permission }, answer))
  }

  /**
   * A page with one form.
   * @param decidedAt for a form that decides something once: where an operator goes on whom another one has overtaken
   */
  const form = (
    path: string,
    permission: OperatorPermission,
    specify: Specify,
    decidedAt: string | null = null,
  ) => {
    const rules = { permission, isRecent: true } as const
    scope.get(
      path,
      asOperator(rules, (visit) => forms.get(visit, specify)),
    )
    scope.post(
      path,
      asOperator(rules, (visit) => forms.send(visit, specify, decidedAt)),
    )
  }

  /** A page that asks once more, and says what stops working. */
  const confirm = (
    path: string,
    permission: OperatorPermission,
    specify: (visit: OperatorVisit) => Promise<Confirmed>,
  ) =>
    form(path, permission, async (visit) => {
      const { words, isHarmless = false, goes, typedName, call, ...spec } = await specify(visit)
      const { heading, lead = null, submit } = words
      const isTyped = () => folded(field(visit.request, 'typed_name')) === folded(typedName ?? '')
      return {
        ...{ ...spec, heading, lead, submit, isDanger: !isHarmless },
        blocks: goes === undefined ? [] : [{ kind: 'points', points: [[goes]] }],
        fields: typedName === undefined ? [] : [typedField(visit)],
        call:
          isTyped() || typedName === undefined
            ? call
            : () => fieldRefusal('typed_name', visit.text.deletion.otherName),
      }
    })

  return { page, get, form, confirm }
}

export type Tab = ReturnType<typeof createTab>
