// The fields of the forms that register and change apps.
import { appKinds } from '../../../core/clients/app-settings.ts'
import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { Text } from '../../../words/text.ts'
import { type Setting, settingField } from '../../rendering/fields/app-settings.ts'
import { requirementFields } from '../../rendering/fields/required-permissions.ts'
import { codeTicks, type Field, textField } from '../../rendering/forms/form-field.ts'
import { choiceField, codeField, linesField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'

/** @param app null: it is not registered yet */
export const retryWindowField = ({ operator }: Text, app: AppJson | null): Field => ({
  ...{ name: 'retry_window_seconds', kind: 'number', most: 2 },
  label: operator.forms.host.retryWindowSeconds,
  hint: operator.forms.host.retryWindowSecondsHint,
  values: [String(app?.retry_window_seconds ?? '')],
  whenEmpty: 0,
  isSeldom: true,
})

/** @param app null: the form registers one */
export const fieldsOf = (
  { text, catalogue, may }: OperatorVisit,
  interfaceName: AppJson['interface'],
  app: AppJson | null,
  owners: readonly { name: string }[] = [],
): Field[] => {
  const { fields } = text.operator.forms
  const setting = (name: Setting) => settingField(text, app, name)
  const address = (name: 'location' | 'setup_uri', label: string, hint: string) =>
    codeField(name, label, app?.[name], { hint, whenEmpty: null, isSeldom: true })
  const tick = (
    name: 'openid' | 'reviewed' | 'listed',
    label: string,
    hint: string | null = null,
  ): Field => ({ name, kind: 'tick', label, hint, values: [app?.[name] ? 'yes' : ''] })
  const present = app?.permissions ?? []
  const known = [...catalogue.names(interfaceName), ...present]
  const kinds = { '': fields.noKind, ...fields.kinds }
  const names = owners.map(({ name }) => name)
  const ownersField = linesField('owners', fields.owners, names, { hint: fields.ownersHint })
  return [
    setting('name'),
    setting('client_type'),
    setting('redirect_uris'),
    codeTicks('permissions', fields.permissions, known, present),
    ...requirementFields(text, app, known),
    setting('description'),
    textField('publisher', fields.publisher, app?.publisher, { whenEmpty: null }),
    setting('homepage_uri'),
    setting('logo_uri'),
    setting('uploaded_logo'),
    setting('policy_uri'),
    setting('tos_uri'),
    address('location', fields.location, fields.locationHint),
    {
      ...choiceField('kind', fields.kind, app?.kind ?? '', ['', ...appKinds], kinds),
      ...{ whenEmpty: null, isSeldom: true },
    },
    ...(interfaceName === 'current'
      ? [address('setup_uri', fields.setupUri, fields.setupUriHint), tick('openid', fields.openid)]
      : []),
    retryWindowField(text, app),
    ...(may('users:read') ? [ownersField] : []),
    tick('reviewed', fields.reviewed, fields.reviewedHint),
    tick('listed', fields.listed, fields.listedHint),
  ]
}
