// Forms that create, change and disable users, and give them the role of an operator.

import { everything } from '../../../core/credentials/operator-permissions.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import type { UserOperatorJson } from '../../../http/operator/people/operators.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import { tabUrl } from '../console-page.ts'
import { codeField, nameField, rightsField } from '../fields.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
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

const changes = ({ form, confirm }: Tab, { deletionCounts }: OperatorPagesDependencies) => {
  form(`${path}/new`, 'users:write', (visit) => ({
    ...visit.text.operator.forms.createUser,
    fields: [...userFields(visit, null), inviteField(visit)],
    cancelUrl: path,
    call: (body) => ({ method: 'POST', path: '/users', body }),
    next: ({ id }: UserJson) => personUrl(id),
  }))

  form(`${personPath}/change`, 'users:write', async (visit) => {
    const { item, etag, at, url } = await readUser(visit)
    return {
      subject: item.name,
      ...visit.text.operator.forms.changeUser,
      fields: userFields(visit, item),
      cancelUrl: url,
      etag,
      call: (body) => ({ method: 'PATCH', path: at, body }),
    }
  })

  confirm(`${personPath}/delete`, 'users:write', async (visit) => {
    const { item, etag, at, url } = await readUser(visit)
    const { organizations, apps, owned } = await deletionCounts.ofUser(item.id)
    return {
      words: visit.text.operator.daily.deleteUser,
      goes: visit.text.deletion.user(organizations, apps, owned),
      subject: `${item.name} (${shownEmail(item.email)})`,
      cancelUrl: url,
      etag,
      call: { method: 'DELETE', path: at },
      next: path,
    }
  })

  for (const name of ['disable', 'enable'] as const)
    confirm(`${personPath}/${name}`, 'users:write', async (visit) => {
      const { item, at, url } = await readUser(visit)
      return {
        words: visit.text.operator.forms[`${name}User`],
        subject: item.name,
        isHarmless: name === 'enable',
        canUndo: name === 'disable',
        cancelUrl: url,
        call: { method: 'PATCH', path: at, body: { disabled: name === 'disable' } },
        done: `${name}d`,
      }
    })

  confirm(`${personPath}/end-sessions`, 'users:write', async (visit) => {
    const { item, at, url } = await readUser(visit)
    return {
      words: visit.text.operator.forms.endSessions,
      subject: item.name,
      cancelUrl: url,
      call: { method: 'DELETE', path: `${at}/sessions` },
      done: 'ended',
    }
  })
}

const role = ({ form }: Tab) =>
  form(`${personPath}/operator`, everything, async (visit) => {
    const { item: user, at: userAt, url } = await readUser(visit)
    const { item, etag, at } = await visit.api.readVersion<UserOperatorJson>(`${userAt}/operator`)
    const { forms, people } = visit.text.operator
    const hint = user.has_signed_in ? null : people.neverSignedInHint
    return {
      subject: user.name,
      ...forms.grantOperator,
      fields: [{ ...rightsField(visit, item.permissions), hint }],
      cancelUrl: url,
      etag,
      call: (body) => ({ method: 'PUT', path: at, body }),
    }
  })

/** Changes of users, the end of their sessions and their role as operators. */
export const operatorPeopleForms = (tab: Tab, deps: OperatorPagesDependencies) => {
  changes(tab, deps)
  role(tab)
}
