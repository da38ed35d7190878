// The fields of the forms that register and change apps.
import { appKinds } from '../../../core/clients/app-settings.ts'
import type { AppJson } from '../../operator/app-schemas.ts'
import type { Field } from '../rendering/form-field.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './operator-gate.ts'

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
  const { layout } = text
  const { forms, clientTypes } = text.operator
  const { fields } = forms
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
    { name: 'name', kind: 'text', label: fields.name, values: [app?.name ?? ''], isRequired: true },
    {
      name: 'client_type',
      kind: 'choice',
      label: fields.clientType,
      values: [app?.client_type ?? 'confidential'],
      options: (['confidential', 'public'] as const).map((value) => ({
        value,
        label: clientTypes[value],
      })),
    },
    {
      name: 'redirect_uris',
      kind: 'area',
      label: fields.redirectUris,
      hint: fields.redirectUrisHint,
      values: app?.redirect_uris ?? [],
      isRequired: true,
      isCode: true,
    },
    {
      name: 'permissions',
      kind: 'ticks',
      label: fields.permissions,
      values: app?.permissions ?? [],
      options: names.map((value) => ({ value, label: value })),
      isCode: true,
    },
    optional('description', fields.description, app?.description ?? null),
    optional('publisher', fields.publisher, app?.publisher ?? null),
    optional('homepage_uri', fields.homepageUri, app?.homepage_uri ?? null, true),
    optional('logo_uri', fields.logoUri, app?.logo_uri ?? null, true),
    optional('policy_uri', layout.privacy, app?.policy_uri ?? null, true),
    optional('tos_uri', layout.terms, app?.tos_uri ?? null, true),
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
