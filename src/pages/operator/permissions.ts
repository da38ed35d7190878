import { permissionGroups, permissionMarks } from '../../core/language/permission-catalogue.ts'
import type { PermissionJson } from '../../http/operator/tokens/permissions.ts'
import { links, marked } from '../rendering/forms/blocks.ts'
import { type Field, textField } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { sentenceFor } from '../rendering/permission-list.ts'
import { ofInterface } from './apps/apps.ts'
import { fieldRefusal } from './console-form.ts'
import { tabUrl } from './console-page.ts'
import { choiceField, codeField } from './fields.ts'
import type { OperatorVisit } from './gate.ts'
import { linkedIf, listTable } from './list-table.ts'
import type { Tab } from './tab.ts'

const path = tabUrl('permissions')

const sentenceOf = ({ sentence }: Pick<PermissionJson, 'sentence'>) =>
  typeof sentence === 'string' ? sentence : (sentence.en ?? Object.values(sentence)[0] ?? '')

const fieldsOf = ({ text }: OperatorVisit, known: PermissionJson | null): Field[] => {
  const { fields } = text.operator.forms
  const { groups, marks } = text.permissionList
  const markLabels = { '': fields.noMark, ...marks }
  return [
    textField('sentence', fields.sentence, known && sentenceOf(known), {
      ...{ hint: fields.sentenceHint, isRequired: true },
    }),
    choiceField('group', fields.group, known?.group ?? 'other', permissionGroups, groups),
    {
      ...choiceField('mark', fields.mark, known?.mark ?? '', ['', ...permissionMarks], markLabels),
      whenEmpty: null,
    },
  ]
}

const nameFields = ({ text }: OperatorVisit): Field[] => {
  const { forms, interfaces } = text.operator
  const { fields } = forms
  const generations = ['current', 'legacy'] as const
  return [
    {
      ...choiceField('interface', fields.interface, 'current', generations, interfaces),
      isOutside: true,
    },
    codeField('permission', fields.permissionName, null, {
      hint: fields.permissionNameHint,
      isRequired: true,
      isOutside: true,
    }),
  ]
}

const readPermission = async ({ api, parameter }: OperatorVisit) => {
  const at = `/permissions/${parameter('interface')}/${parameter('name')}`
  const read = await api.readVersion<PermissionJson>(at)
  return { ...read, url: path, subject: read.item.name }
}

/** The permission catalogue of both interfaces. */
export const operatorPermissions = ({ page, form, change }: Tab) => {
  page(path, 'permissions:read', async (visit) => {
    const { text, may } = visit
    const { permissions, columns, interfaces } = text.operator
    const { marks } = text.permissionList
    const mayChange = may('permissions:write')
    const urlOf = (one: PermissionJson) =>
      `${path}/${one.interface}/${encodeURIComponent(one.name)}`
    return {
      heading: permissions.heading,
      blocks: [
        ...links(mayChange && [permissions.add, `${path}/new`, true]),
        await listTable<PermissionJson>(visit, {
          from: '/permissions',
          url: path,
          limit: '25',
          find: text.search.named,
          choices: [ofInterface(visit)],
          usual: 'interface',
          columns: [
            [columns.name, (one) => linkedIf(mayChange, one.name, urlOf(one)), 'name'],
            [columns.sentence, (one) => sentenceFor(text, one.interface, one)],
            [columns.interface, (one) => interfaces[one.interface], 'interface'],
            [columns.type, (one) => (one.built_in ? permissions.builtIn : permissions.own)],
            [columns.state, ({ mark }) => (mark === null ? '' : marked(marks[mark]))],
          ],
          empty: permissions.empty,
        }),
      ],
    }
  })

  form(`${path}/new`, 'permissions:write', (visit) => {
    const { text, request } = visit
    const { forms } = text.operator
    return {
      ...forms.permission,
      fields: [...nameFields(visit), ...fieldsOf(visit, null)],
      cancelUrl: path,
      call: (body) => {
        const [of, name] = [field(request, 'interface'), field(request, 'permission').trim()]
        const at = `/permissions/${encodeURIComponent(of)}/${encodeURIComponent(name)}`
        return { method: 'PUT', path: at, body, creates: true }
      },
      refused: (refusal) => {
        if (refusal.status === 412) return fieldRefusal('permission', forms.permissionTaken).refusal
        const isAboutName = refusal.errors.some(({ pointer }) => pointer === '/name')
        return isAboutName
          ? fieldRefusal('permission', text.faults.permission_name).refusal
          : refusal
      },
    }
  })

  change(`${path}/:interface/:name`, 'permissions:write', readPermission, ({ item, at }, visit) => {
    // The form has one text; texts in other languages stay as they are.
    const sentenceIn = (typed: unknown) =>
      typeof item.sentence === 'string' ? typed : { ...item.sentence, en: typed }
    return {
      ...visit.text.operator.forms.permission,
      fields: fieldsOf(visit, item),
      call: ({ sentence, ...body }) => ({
        method: 'PUT',
        path: at,
        body: { ...body, sentence: sentenceIn(sentence), read_permission: item.read_permission },
      }),
    }
  })
}
