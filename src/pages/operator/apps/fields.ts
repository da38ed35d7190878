// The fields of the forms that register and change apps.
import { appKinds } from '../../../core/clients/app-settings.ts'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import { type Setting, settingField } from '../../rendering/fields/app-settings.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'

const optional = (
  name: keyof AppJson,
  label: string,
  value: string | null,
  isCode = false,
  hint: string | null = null,
): Field => ({
  name,
  kind: 'text',
  label,
  hint,
  values: [value ?? ''],
  whenEmpty: null,
  isCode,
})

/** @param app null: the form registers one */
export const fieldsOf = (
  { text, may }: OperatorVisit,
  { catalogue }: OperatorPagesDependencies,
  interfaceName: AppJson['interface'],
  app: AppJson | null,
  owners: readonly { name: string }[] = [],
): Field[] => {
  const { fields } = text.operator.forms
  const setting = (name: Setting) => settingField(text, app, name)
  const names = [...new Set([...catalogue.names(interfaceName), ...(app?.permissions ?? [])])]
  const tick = (
    name: 'openid' | 'reviewed' | 'listed',
    label: string,
    hint: string | null = null,
  ): Field => ({
    name,
    kind: 'tick',
    label,
    hint,
    values: [app?.[name] ? 'yes' : ''],
  })
  return [
    setting('name'),
    setting('client_type'),
    setting('redirect_uris'),
    {
      name: 'permissions',
      kind: 'ticks',
      label: fields.permissions,
      values: app?.permissions ?? [],
      options: names.map((value) => ({ value, label: value })),
      isCode: true,
    },
    setting('description'),
    optional('publisher', fields.publisher, app?.publisher ?? null),
    setting('homepage_uri'),
    setting('logo_uri'),
    setting('policy_uri'),
    setting('tos_uri'),
    optional('location', fields.location, app?.location ?? null, true, fields.locationHint),
    {
      name: 'kind',
      kind: 'choice',
      label: fields.kind,
      values: [app?.kind ?? ''],
      options: [
        { value: '', label: fields.noKind },
        ...appKinds.map((value) => ({ value, label: fields.kinds[value] })),
      ],
      whenEmpty: null,
    },
    ...(interfaceName === 'current'
      ? [
          optional('setup_uri', fields.setupUri, app?.setup_uri ?? null, true, fields.setupUriHint),
          tick('openid', fields.openid),
        ]
      : []),
    ...(may('users:read')
      ? [
          {
            name: 'owners',
            kind: 'area',
            label: fields.owners,
            hint: fields.ownersHint,
            values: owners.map(({ name }) => name),
            isCode: true,
          } as const,
        ]
      : []),
    tick('reviewed', fields.reviewed, fields.reviewedHint),
    tick('listed', fields.listed, fields.listedHint),
  ]
}
