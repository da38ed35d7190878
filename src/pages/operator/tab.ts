import type { FastifyInstance } from 'fastify'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { leave } from '../rendering/forms/blocks-page.ts'
import { type ConsoleForm, createConsoleForms, type Specify } from './console-form.ts'
import { type ConsolePage, type ConsoleTab, showConsole } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'

interface Confirmed
  extends Pick<ConsoleForm, 'cancelUrl' | 'call' | 'done' | 'next' | 'etag' | 'secretOf'> {
  words: { heading: string; lead?: string; submit: string }
  subject: string
  /** Absent: something stops working. */
  isHarmless?: boolean
}

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
      const { words, isHarmless = false, ...spec } = await specify(visit)
      const { heading, lead = null, submit } = words
      return { ...spec, heading, lead, submit, fields: [], isDanger: !isHarmless }
    })

  return { page, form, confirm }
}

export type Tab = ReturnType<typeof createTab>
