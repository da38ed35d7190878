// What a change of an app makes different, in words: only what is added and what is taken away.
import type { OwnerSetting, OwnerSettings } from '../../../core/clients/app-change-rules.ts'
import { sentLogoPath } from '../logos.ts'
import { permissionWords, type Reader } from '../permission-list.ts'
import type { SettingDifference, SettingValue } from '../view-models/blocks.ts'
import { reasonLines } from './required-permissions.ts'

const codes = (sent: unknown) =>
  [sent ?? []].flat().map((one) => ({ words: String(one), isCode: true }))

const permissions = (reader: Reader, sent: unknown) =>
  [sent ?? []].flat().map((one) => {
    const { sentence, mark = null } = permissionWords(reader, String(one))
    return { words: sentence, mark }
  })

const plain = (sent: unknown) =>
  sent === null || sent === undefined ? [] : [{ words: String(sent) }]

type Values = (reader: Reader, sent: never) => SettingValue[]

const address: Values = (_, sent) => codes(sent)

const valuesOf: { [Name in OwnerSetting]: Values } = {
  name: (_, sent) => plain(sent),
  description: (_, sent) => plain(sent),
  homepageUri: address,
  logoUri: address,
  uploadedLogo: ({ text }, sent?: string | null) =>
    sent ? [{ words: text.form.logo.uploaded, logo: sentLogoPath(sent) }] : [],
  policyUri: address,
  tosUri: address,
  clientType: ({ text }, sent: OwnerSettings['clientType']) => [
    { words: text.developer.apps.clientTypes[sent] },
  ],
  redirectUris: address,
  permissions,
  optionalPermissions: (reader, sent: string[] | null) =>
    sent === null
      ? [{ words: reader.text.developer.changes.requirements.nothing }]
      : permissions(reader, sent),
  permissionReasons: (_, sent: OwnerSettings['permissionReasons']) =>
    reasonLines(sent ?? {}).map((words) => ({ words })),
  jwks: ({ text }, sent: OwnerSettings['jwks']) =>
    sent ? [{ words: text.developer.changes.keyCount(sent.keys.length) }] : [],
  jwksUri: address,
}

const without = (all: readonly SettingValue[], others: readonly SettingValue[]) =>
  all.filter(({ words }) => !others.some((one) => one.words === words))

/** @param field a setting that has changed @param before undefined: there was no app */
export const settingDifference = (
  reader: Reader,
  field: OwnerSetting,
  [before, after]: readonly [before: unknown, after: unknown],
): SettingDifference => {
  const [was, is] = [before, after].map((sent) =>
    sent === undefined ? [] : valuesOf[field](reader, sent as never),
  ) as [SettingValue[], SettingValue[]]
  // Other keys may have the same count.
  const isSame = was.length === is.length && without(was, is).length === 0
  return {
    label: reader.text.developer.changes.fields[field],
    taken: isSame ? was : without(was, is),
    given: isSame ? is : without(is, was),
  }
}
