import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { leave, type PartOfPage } from '../rendering/forms/blocks-page.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'
import type { Work } from '../sign-in/guards.ts'
import { type ConsoleForm, createConsoleForms, fieldRefusal, type Specify } from './console-form.ts'
import { type ConsoleTab, home, showConsole } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'

/** What a form is about: an answer of the Operator API, its path there, the address of its page, and its name. */
interface Existing {
  item: unknown
  etag?: string
  at: string
  url: string
  subject: string
}

type Read<One extends Existing> = (visit: OperatorVisit) => Promise<One>

/** @returns what differs from a form with the version of `one` that leads back to its page */
type Specified<One extends Existing, Spec> = (
  one: One,
  visit: OperatorVisit,
) => Promise<Spec> | Spec

type Changed = Omit<ConsoleForm, 'cancelUrl' | 'call'> &
  Partial<Pick<ConsoleForm, 'cancelUrl' | 'call'>>

interface Confirmed
  extends Partial<
    Pick<ConsoleForm, 'subject' | 'cancelUrl' | 'call' | 'done' | 'next' | 'etag' | 'canUndo'>
  > {
  words: { heading: string; lead?: string; submit: string }
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
    read: (visit: OperatorVisit) => Promise<PartOfPage | string>,
  ) => {
    scope.get(
      path,
      asOperator(permission, async (visit) => {
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
    scope.get(path, asOperator(permission, answer))
  }

  /** A page with one form. @param decidedAt where an operator goes on whom another one has overtaken */
  const form = (
    path: string,
    permission: OperatorPermission,
    specify: Specify,
    decidedAt: string | null = null,
  ) => {
    const recently = (work: Work<OperatorVisit>) => asOperator(permission, work, true)
    const show = (visit: OperatorVisit) => forms.get(visit, specify)
    scope.get(path, recently(show))
    const send = (visit: OperatorVisit) => forms.send(visit, specify, decidedAt)
    scope.post(path, recently(send))
  }

  /** A page with a form that decides something once. */
  const decision = (path: string, permission: OperatorPermission, specify: Specify) =>
    form(path, permission, specify, home)

  /** A page with a form that changes something. It patches what it was read from, if `specify` names no other call. */
  const change = <One extends Existing>(
    path: string,
    permission: OperatorPermission,
    read: Read<One>,
    specify: Specified<One, Changed>,
  ) =>
    form(path, permission, async (visit) => {
      const one = await read(visit)
      const { subject, etag, at, url: cancelUrl } = one
      const call = (body: object) => ({ method: 'PATCH' as const, path: at, body })
      return { subject, etag, cancelUrl, call, ...(await specify(one, visit)) }
    })

  /** A page that asks once more, and says what stops working. It deletes, if `specify` names no other call. */
  const confirm = <One extends Existing>(
    path: string,
    permission: OperatorPermission,
    read: Read<One>,
    specify: Specified<One, Confirmed>,
  ) =>
    change(path, permission, read, async (one, visit) => {
      const asked = await specify(one, visit)
      const deletion = { method: 'DELETE' as const, path: one.at }
      const { words, isHarmless = false, goes, typedName, call = deletion, ...spec } = asked
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

  /** The pages that disable something, whatever its version, and enable it again. */
  const toggle = <One extends Existing>(
    path: string,
    permission: OperatorPermission,
    read: Read<One>,
    kind: 'App' | 'User' | 'Webhook',
    canUndo = false,
  ) => {
    for (const name of ['disable', 'enable'] as const)
      confirm(`${path}/${name}`, permission, read, ({ at }, { text }) => ({
        words: text.operator.forms[`${name}${kind}`],
        isHarmless: name === 'enable',
        canUndo: canUndo && name === 'disable',
        etag: undefined,
        call: { method: 'PATCH', path: at, body: { disabled: name === 'disable' } },
        done: `${name}d`,
      }))
  }

  return { deps, page, get, form, decision, change, confirm, toggle }
}

export type Tab = ReturnType<typeof createTab>
