// Forms that create, change and disable users, and give them the role of an operator.

import { everything } from '../../../core/credentials/operator-permissions.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import type { UserOperatorJson } from '../../../http/operator/people/operators.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import { tabUrl } from '../console-page.ts'
import { codeField, nameField, rightsField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { personPath, personUrl, readUser } from './path.ts'

const path = tabUrl('people')

const userFields = (visit: OperatorVisit, user: UserJson | null): Field[] => {
  const { email, password, passwordHint: hint } = visit.text.operator.forms.fields
  return [
    codeField('email', email, user?.email, { kind: 'email', isRequired: true }),
    nameField(visit, user?.name),
    { name: 'password', kind: 'password', label: password, hint, isCode: true },
  ]
}

const inviteField = ({ text }: OperatorVisit): Field => {
  const { invite, inviteHint } = text.operator.forms.fields
  return { name: 'invite', kind: 'tick', label: invite, hint: inviteHint }
}

const changes = ({ form, change, confirm, toggle, deps }: Tab) => {
  form(`${path}/new`, 'users:write', (visit) => ({
    ...visit.text.operator.forms.createUser,
    fields: [...userFields(visit, null), inviteField(visit)],
    cancelUrl: path,
    call: (body) => ({ method: 'POST', path: '/users', body }),
    next: ({ id }: UserJson) => personUrl(id),
  }))

  change(`${personPath}/change`, 'users:write', readUser, ({ item }, visit) => ({
    ...visit.text.operator.forms.changeUser,
    fields: userFields(visit, item),
  }))

  confirm(`${personPath}/delete`, 'users:write', readUser, async ({ item }, { text }) => {
    const { organizations, apps, owned } = await deps.deletionCounts.ofUser(item.id)
    return {
      words: text.operator.daily.deleteUser,
      goes: text.deletion.user(organizations, apps, owned),
      subject: `${item.name} (${shownEmail(item.email)})`,
      next: path,
    }
  })

  toggle(personPath, 'users:write', readUser, 'User', true)

  confirm(`${personPath}/end-sessions`, 'users:write', readUser, ({ at }, { text }) => ({
    words: text.operator.forms.endSessions,
    etag: undefined,
    call: { method: 'DELETE', path: `${at}/sessions` },
    done: 'ended',
  }))
}

const readRole = async (visit: OperatorVisit) => {
  const { item: user, at, url, subject } = await readUser(visit)
  const read = await visit.api.readVersion<UserOperatorJson>(`${at}/operator`)
  return { ...read, user, url, subject }
}

const role = ({ change }: Tab) =>
  change(`${personPath}/operator`, everything, readRole, ({ item, user, at }, visit) => {
    const { forms, people } = visit.text.operator
    const hint = user.has_signed_in ? null : people.neverSignedInHint
    return {
      ...forms.grantOperator,
      fields: [{ ...rightsField(visit, item.permissions), hint }],
      call: (body) => ({ method: 'PUT', path: at, body }),
    }
  })

/** Changes of users, the end of their sessions and their role as operators. */
export const operatorPeopleForms = [changes, role]
