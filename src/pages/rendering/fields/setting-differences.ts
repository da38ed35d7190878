// What a change of an app makes different, in words: only what is added and what is taken away.
import type { OwnerSetting, OwnerSettings } from '../../../core/clients/app-change-rules.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import type { Text } from '../../../words/text.ts'
import { sentLogoPath } from '../logos.ts'
import { markOf, permissionSentence } from '../permission-list.ts'
import type { SettingDifference, SettingValue } from '../view-models/blocks.ts'
import { reasonLines } from './required-permissions.ts'

const value = (words: string, part: Partial<SettingValue> = {}): SettingValue => ({
  words,
  ...{ mark: null, logo: null, isCode: false },
  ...part,
})

const codes = (sent: unknown) =>
  [sent ?? []].flat().map((one) => value(String(one), { isCode: true }))

const permissions = (text: Text, catalogue: PermissionCatalogue, sent: unknown) =>
  [sent ?? []].flat().map((one) => {
    const name = String(one)
    return value(permissionSentence(text, catalogue, name), { mark: markOf(text, catalogue, name) })
  })

const plain = (sent: unknown) => (sent === null || sent === undefined ? [] : [value(String(sent))])

type Values = (text: Text, sent: never, catalogue: PermissionCatalogue) => SettingValue[]

const address: Values = (_text, sent) => codes(sent)

const valuesOf: { [Name in OwnerSetting]: Values } = {
  name: (_text, sent) => plain(sent),
  description: (_text, sent) => plain(sent),
  homepageUri: address,
  logoUri: address,
  uploadedLogo: ({ form }, sent: string | null) =>
    sent === null || sent === undefined
      ? []
      : [value(form.logo.uploaded, { logo: sentLogoPath(sent) })],
  policyUri: address,
  tosUri: address,
  clientType: ({ developer }, sent: OwnerSettings['clientType']) => [
    value(developer.apps.clientTypes[sent]),
  ],
  redirectUris: address,
  permissions: (text, sent, catalogue) => permissions(text, catalogue, sent),
  optionalPermissions: (text, sent: string[] | null, catalogue) =>
    sent === null
      ? [value(text.developer.changes.requirements.nothing)]
      : permissions(text, catalogue, sent),
  permissionReasons: (_text, sent: OwnerSettings['permissionReasons']) =>
    reasonLines(sent ?? {}).map((line) => value(line)),
  jwks: ({ developer }, sent: OwnerSettings['jwks']) =>
    sent ? [value(developer.changes.keyCount(sent.keys.length))] : [],
  jwksUri: address,
}

const without = (all: readonly SettingValue[], others: readonly SettingValue[]) =>
  all.filter(({ words }) => !others.some((one) => one.words === words))

/** @param field a setting that has changed @param before undefined: there was no app */
export const settingDifference = (
  text: Text,
  catalogue: PermissionCatalogue,
  field: OwnerSetting,
  [before, after]: readonly [before: unknown, after: unknown],
): SettingDifference => {
  const [was, is] = [before, after].map((sent) =>
    sent === undefined ? [] : valuesOf[field](text, sent as never, catalogue),
  ) as [SettingValue[], SettingValue[]]
  // Other keys may have the same count.
  const isSame = was.length === is.length && without(was, is).length === 0
  return {
    label: text.developer.changes.fields[field],
    taken: isSame ? was : without(was, is),
    given: isSame ? is : without(is, was),
  }
}
