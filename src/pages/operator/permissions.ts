import type { FastifyInstance } from 'fastify'
import { permissionGroups, permissionMarks } from '../../core/language/permission-catalogue.ts'
import type { PermissionJson } from '../../http/operator/tokens/permissions.ts'
import { linked, links, listLinks, marked, plain, table } from '../rendering/forms/blocks.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { readPart } from '../rendering/long-list.ts'
import { sentenceFor } from '../rendering/permission-list.ts'
import { doneAt, fieldRefusal, formPage } from './console-form.ts'
import { showConsole, tabUrl } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'
import { parameter } from './parameter.ts'

const path = tabUrl('permissions')
const itemsOfPage = '50'

const sentenceOf = ({ sentence }: Pick<PermissionJson, 'sentence'>) =>
  typeof sentence === 'string' ? sentence : (sentence.en ?? Object.values(sentence)[0] ?? '')

const fieldsOf = ({ text }: OperatorVisit, known: PermissionJson | null): Field[] => {
  const { fields } = text.operator.forms
  const { groups, marks } = text.permissionList
  return [
    {
      name: 'sentence',
      kind: 'text',
      label: fields.sentence,
      hint: fields.sentenceHint,
      values: [known ? sentenceOf(known) : ''],
      isRequired: true,
    },
    {
      name: 'group',
      kind: 'choice',
      label: fields.group,
      values: [known?.group ?? 'other'],
      options: permissionGroups.map((value) => ({ value, label: groups[value] })),
    },
    {
      name: 'mark',
      kind: 'choice',
      label: fields.mark,
      values: [known?.mark ?? ''],
      options: [
        { value: '', label: fields.noMark },
        ...permissionMarks.map((value) => ({ value, label: marks[value] })),
      ],
      whenEmpty: null,
    },
  ]
}

const forms = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/new`, 'permissions:write', (visit) => {
    const { text, request } = visit
    const { forms: said, interfaces } = text.operator
    return {
      tab: 'permissions',
      ...said.permission,
      fields: [
        {
          name: 'interface',
          kind: 'choice',
          label: said.fields.interface,
          values: ['current'],
          options: (['current', 'legacy'] as const).map((value) => ({
            value,
            label: interfaces[value],
          })),
          isOutside: true,
        },
        {
          name: 'permission',
          kind: 'text',
          label: said.fields.permissionName,
          hint: said.fields.permissionNameHint,
          isRequired: true,
          isCode: true,
          isOutside: true,
        },
        ...fieldsOf(visit, null),
      ],
      cancelUrl: path,
      call: (body) => {
        const [of, name] = [field(request, 'interface'), field(request, 'permission').trim()]
        const at = `/permissions/${encodeURIComponent(of)}/${encodeURIComponent(name)}`
        return { method: 'PUT', path: at, body, creates: true }
      },
      refused: (refusal) => {
        if (refusal.status === 412) return fieldRefusal('permission', said.permissionTaken).refusal
        const isAboutName = refusal.errors.some(({ pointer }) => pointer === '/name')
        return isAboutName
          ? fieldRefusal('permission', text.faults.permission_name).refusal
          : refusal
      },
      done: doneAt(visit, path, 'saved'),
    }
  })

  formPage(scope, deps, `${path}/:interface/:name`, 'permissions:write', async (visit) => {
    const { request, text, api } = visit
    const at = `/permissions/${parameter(request, 'interface')}/${parameter(request, 'name')}`
    const { item, etag } = await api.readVersion<PermissionJson>(at)
    // The form has one text; texts in other languages stay as they are.
    const sentenceIn = (typed: unknown) =>
      typeof item.sentence === 'string' ? typed : { ...item.sentence, en: typed }
    return {
      tab: 'permissions',
      subject: item.name,
      ...text.operator.forms.permission,
      fields: fieldsOf(visit, item),
      cancelUrl: path,
      etag,
      call: ({ sentence, ...body }) => ({
        method: 'PUT',
        path: at,
        body: { ...body, sentence: sentenceIn(sentence), read_permission: item.read_permission },
      }),
      done: doneAt(visit, path, 'saved'),
    }
  })
}

/** The permission catalogue of both interfaces. */
export const operatorPermissions = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)
  scope.get(
    path,
    asOperator({ permission: 'permissions:read' }, async (visit) => {
      const { text, request, api, may } = visit
      const { permissions, columns, interfaces } = text.operator
      const part = { ...readPart(request), name: '' }
      const { items, next } = await api.list<PermissionJson>('/permissions', {
        limit: itemsOfPage,
        cursor: part.after,
      })
      const mayChange = may('permissions:write')
      return showConsole(deps.renderer, visit, {
        tab: 'permissions',
        heading: permissions.heading,
        blocks: [
          ...links(mayChange && [permissions.add, `${path}/new`, true]),
          table({
            columns: [
              columns.name,
              columns.sentence,
              columns.interface,
              columns.type,
              columns.state,
            ],
            rows: items.map((one) => [
              mayChange
                ? linked(one.name, `${path}/${one.interface}/${encodeURIComponent(one.name)}`)
                : plain(one.name),
              plain(sentenceFor(text, one.interface, one)),
              plain(interfaces[one.interface]),
              plain(one.built_in ? permissions.builtIn : permissions.own),
              one.mark === null ? plain('') : marked(text.permissionList.marks[one.mark]),
            ]),
            empty: permissions.empty,
            list: listLinks(path, part, next),
          }),
        ],
      })
    }),
  )
  forms(scope, deps)
}
